/** The two clocks, as a port that tests replace. The pure core never sees it: times come in with commands. */

// Not the global, which is an accessor: every request reads the clock.
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
