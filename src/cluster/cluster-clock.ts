/** The clock and the timers of the cluster, as a port that a simulation replaces. */

export interface ClusterClock {
  /** Milliseconds from an arbitrary start; never goes back, and goes on while the process is stopped. */
  monotonicMs(): number;
  /** Calls `run` once `delayMs` are over by `monotonicMs`, never before. Returns what cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

export const waitMs = (clock: ClusterClock, delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });

/** Resolves once `work` is done, or after `delayMs` all the same. */
export async function waitAtMost(
  clock: ClusterClock,
  delayMs: number,
  work: Promise<unknown>,
): Promise<void> {
  let cancel = () => {};
  const over = new Promise<void>((resolve) => {
    cancel = clock.after(delayMs, resolve);
  });
  await Promise.race([work, over]).finally(cancel);
}
