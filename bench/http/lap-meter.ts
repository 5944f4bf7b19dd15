/**
 * Loaded into a server before its own code: measures each turn of the event loop in processor time of the main thread,
 * which other programs do not affect. While it measures, the loop turns without a pause.
 *
 * On SIGUSR2 the longest turns since the last one are written to the file that `BENCH_LAPS_FILE` names.
 */
import { closeSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** Milliseconds. */
export interface Laps {
  /** Processor time of the longest turn. */
  readonly longestMs: number;
  /** How long the longest took by the clock. */
  readonly longestWallMs: number;
  /** Turns beyond the limit that the service sets itself. */
  readonly beyond: number;
  /** The longest pause for the collection of garbage. */
  readonly longestCollectionMs: number;
  /** p99 of the wait of a request that arrives at a random moment: the rest of the current turn. */
  readonly delayMsP99: number;
}

/** No turn should reach this, even with the largest lawful import. */
export const LAP_MS_MAX = 500;

const NOTHING: Omit<Laps, 'delayMsP99'> = {
  longestMs: 0,
  longestWallMs: 0,
  beyond: 0,
  longestCollectionMs: 0,
};

/** The delay that 1 in 100 moments exceeds: for the share `s`, the times beyond `d` add up to `s` of all time. */
function delayP99(turnsMs: readonly number[]): number {
  const descending = turnsMs.toSorted((a, b) => b - a);
  const beyondMs = 0.01 * turnsMs.reduce((sum, ms) => sum + ms, 0);
  let longerMs = 0;
  for (const [longer, ms] of descending.entries()) {
    // With `longer` turns beyond it, the delay is (longerMs - beyondMs) / longer.
    if (longer > 0 && longerMs - longer * ms >= beyondMs) return (longerMs - beyondMs) / longer;
    longerMs += ms;
  }
  return descending.length === 0 ? 0 : Math.max(0, (longerMs - beyondMs) / descending.length);
}

function measureLaps(file: string): void {
  const times = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const text = Buffer.alloc(64);
  const ranMs = (): number => {
    // Brings the counter up to date, which otherwise lags by up to four milliseconds.
    process.cpuUsage();
    const length = readSync(times, text, 0, text.length, 0);
    return Number.parseInt(text.toString('latin1', 0, length), 10) / 1e6;
  };
  let laps = NOTHING;
  let turnsMs: number[] = [];
  let startMs = ranMs();
  let startWallMs = performance.now();
  const turn = (): void => {
    const nowMs = ranMs();
    const nowWallMs = performance.now();
    const tookMs = nowMs - startMs;
    turnsMs.push(tookMs);
    laps = {
      ...laps,
      longestMs: Math.max(laps.longestMs, tookMs),
      longestWallMs: Math.max(laps.longestWallMs, nowWallMs - startWallMs),
      beyond: laps.beyond + (tookMs > LAP_MS_MAX ? 1 : 0),
    };
    startMs = nowMs;
    startWallMs = nowWallMs;
    setImmediate(turn);
  };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      laps = { ...laps, longestCollectionMs: Math.max(laps.longestCollectionMs, duration) };
    }
  }).observe({ entryTypes: ['gc'] });
  process.on('SIGUSR2', () => {
    const reportMs = ranMs();
    const reportWallMs = performance.now();
    writeFileSync(`${file}.new`, JSON.stringify({ ...laps, delayMsP99: delayP99(turnsMs) }));
    renameSync(`${file}.new`, file);
    laps = NOTHING;
    turnsMs = [];
    // Sorting the turns of some seconds takes 200 ms, which are not the server's.
    startMs += ranMs() - reportMs;
    startWallMs += performance.now() - reportWallMs;
  });
  process.on('exit', () => closeSync(times));
  setImmediate(turn);
}

const file = process.env['BENCH_LAPS_FILE'];
if (isMainThread && file !== undefined) measureLaps(file);
