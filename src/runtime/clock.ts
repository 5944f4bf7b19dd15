/** The two clocks, as a port that tests replace. The pure core does not use it: times are arguments of commands. */

// Imported, because the global `performance` is an accessor and every request reads the clock.
import { performance } from 'node:perf_hooks';

export interface Clock {
  /** Milliseconds since the epoch. May jump in either direction. */
  nowMs(): number;
  /** Milliseconds from an arbitrary start; never goes back. For durations and throttles. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
