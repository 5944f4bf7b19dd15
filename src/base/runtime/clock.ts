/** The two clocks, as a port that tests replace. The pure core does not use it: times are arguments of commands. */

export interface Clock {
  /** Milliseconds since the epoch. May jump in either direction. */
  nowMs(): number;
  /** Milliseconds from an arbitrary start; never goes back. For durations and throttles. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  nowMs: Date.now,
  monotonicMs: performance.now.bind(performance),
};
