/**
 * Waits until the event loop is mostly idle, and then runs work that is done in advance, so that this work does not
 * delay requests. It keeps waiting while the loop is busy.
 */
import { performance } from 'node:perf_hooks';

/**
 * Interval between two checks, ms; the first check also comes after this time, so that the first requests after a start
 * have the CPU to themselves.
 */
export const LOOK_MS = 5_000;
/** The task waits while the loop was busy for a larger share of the interval. */
const BUSY_SHARE_MAX = 0.5;

/** Returns a function that returns the share of the time since its last call in which the event loop was busy. */
function meterOfLoop(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const before = last;
    last = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(last, before).utilization;
  };
}

/** Runs `task` once, at the earliest after `LOOK_MS`. The returned function cancels it. */
export function atIdleMoment(task: () => void, busyShare: () => number = meterOfLoop()): () => void {
  const look = (): void => {
    if (busyShare() > BUSY_SHARE_MAX) lookLater();
    else task();
  };
  let timer: NodeJS.Timeout;
  const lookLater = (): void => {
    timer = setTimeout(look, LOOK_MS).unref();
  };
  lookLater();
  return () => clearTimeout(timer);
}
