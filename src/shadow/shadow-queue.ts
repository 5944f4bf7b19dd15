/** What the watched shops of a process share: the queue of batches, and the trials of changesets. */
import type { ShadowBatch } from './shadow-batch.ts';
import type { ShadowTally } from './shadow-tally.ts';

/** The results of one changeset and the state of its evaluation. */
export interface ShadowTrial {
  /** If another process keeps the results: the last ones that were fetched. */
  tally: ShadowTally;
  /** The changeset has not changed since this record. */
  editedAt: number;
  /** Number of requests that wait or are being evaluated. */
  requests: number;
  /** Number of dropped requests that were not yet reported to the process that keeps the results. */
  unreported: number;
  isDirty: boolean;
  isWriting: boolean;
  isReplaying: boolean;
  /** True while the shop is in memory. */
  isWatched: boolean;
}

/** The queue of batches and the trials, which the watched shops of a process share. */
export interface ShadowQueue {
  /** The trial of a changeset, from memory or from the log. */
  trialOf(shopId: string, stagingId: string): ShadowTrial;
  /** Counts a request that will wait; returns false when the queue is full. */
  admit(trial: ShadowTrial, bytes: number): boolean;
  /** Call with the first request of a batch: the queue calls `sendBatch` of each shop after `BATCH_MS`. */
  expectBatch(): void;
  /** Sends counted requests to the pool. */
  send(trial: ShadowTrial, batch: ShadowBatch): void;
  /** Call when the changeset has ended: removes its results. */
  end(trial: ShadowTrial): void;
  /** Call when the shop was evicted; its results stay in memory until they are written. */
  leave(shop: { readonly shopId: string; readonly trial: ShadowTrial | null }): void;
}
