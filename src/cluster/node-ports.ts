/**
 * What a node of a cluster is handed beside the authority, as ports that a simulation replaces: the mirror of the log, the
 * shops in memory, a clock, and a meter.
 */
import type { RecordHead, ShopStart, StoredRecord } from '../log/authority.ts';

/** The node's own copy of the log. It may be behind, never ahead: the authority has a record first. */
export interface Mirror {
  /** Number and hash of the last record; 0 and zeros without one. */
  head(shopId: string): RecordHead;
  /**
   * Keeps those of `records` that lie behind the last one, all or none. Throws `DamagedLogError` for a record whose
   * checksum, number or place in the chain is wrong.
   */
  store(shopId: string, records: readonly StoredRecord[]): Promise<void>;
  /** Begins anew with a checkpoint and the records behind it, in place of what there is. Throws `DamagedLogError`. */
  restart(shopId: string, start: ShopStart): Promise<void>;
  /** Forgets all that there is of a shop. `damage` is why, where it is said to an operator. */
  drop(shopId: string, damage?: Error): Promise<void>;
  /** Hash of a record; null when there is none. */
  hashAt(shopId: string, sequenceNumber: number): Buffer | null;
  /** Keeps the records behind `after` for a person, outside of the mirror, and says so. */
  setAside(shopId: string, after: number): Promise<void>;
}

/** The shops in memory. */
export interface ShopCopies {
  /** Number of the last record that readers see; 0 for a shop that is not in memory, or not yet. */
  shownUpTo(shopId: string): number;
  /** Shows what the mirror has; waits for a load that is under way. */
  refresh(shopId: string): Promise<void>;
  /**
   * The shop has changed, or any shop when it is null: what is remembered of it beside its records, as of its keys, is
   * out of date.
   */
  forget(shopId: string | null): void;
  /**
   * The shop was deleted, or cannot be used (`cause`): removes it from memory. Resolves when it is gone; never rejects. With a
   * `DifferingMirrorError` the process must end, because it has shown what the authority does not have.
   */
  drop(shopId: string, cause: Error | null): Promise<void>;
}

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

/** What an operator wants to know of a node: written by the protocol, read when the numbers are asked for. */
export interface ClusterMeter {
  /** Times that the node had lost its lease when it renewed it. */
  lapses: number;
  /** Attempts of appends whose outcome was unknown, each of which was made again. */
  unknownOutcomes: number;
  /** Times that the mirror of a shop was damaged, or the whole mirror, and was begun anew. */
  mirrorsDamaged: number;
  /** Shops whose mirror had records that the authority lacks. */
  mirrorsDiffering: number;
  /** The wall clock of the authority, as a beat has just read it. */
  clockRead: (wallMs: number) => void;
  /** A write waited so many milliseconds until every node showed it. */
  barrierPassed: (waitedMs: number) => void;
}

export const newMeter = (): ClusterMeter => ({
  lapses: 0,
  unknownOutcomes: 0,
  mirrorsDamaged: 0,
  mirrorsDiffering: 0,
  clockRead: () => {},
  barrierPassed: () => {},
});
