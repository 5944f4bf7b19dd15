/**
 * Waits for a moment in which the event loop has little to do, for work that is done ahead: it should take nothing from
 * those who are served. While the loop is busy it goes on waiting.
 */
import { performance } from 'node:perf_hooks';

/** Between two looks, ms. The first requests after a start have the processor to themselves for so long. */
export const LOOK_MS = 5_000;
/** A loop that was busy for more of that time is left alone. */
const BUSY_SHARE_MAX = 0.5;

/** Share of the time since the last call in which the event loop was busy. */
function meterOfLoop(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const before = last;
    last = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(last, before).utilization;
  };
}

/** Runs `task` once, `LOOK_MS` from now at the earliest. The returned function keeps it from running. */
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
