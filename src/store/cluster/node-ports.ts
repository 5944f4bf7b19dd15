/**
 * The ports of a node beside the authority: the mirror of the log, the shops in memory, a clock, and a meter.
 * A simulation replaces them.
 */
import type { RecordHead, ShopStart, StoredRecord } from '../log/authority.ts';

/**
 * The node's own copy of the log. It may lag behind the authority but is never ahead, because records are
 * stored here second. Every change rejects with `DiskFullError` when the disk is full; the caller tries again.
 */
export interface Mirror {
  /** Number and hash of the last record; 0 and zeros without records. */
  head(shopId: string): RecordHead;
  /**
   * Stores those of `records` that come after the last one, all or none. Throws `DamagedLogError` for a
   * record whose checksum, number or previous hash is wrong.
   */
  store(shopId: string, records: readonly StoredRecord[]): Promise<void>;
  /** Replaces all records of the shop by a checkpoint and the records after it. Throws `DamagedLogError`. */
  restart(shopId: string, start: ShopStart): Promise<void>;
  /** Deletes all records of a shop. `damage` is the reason, where an operator must be told. */
  drop(shopId: string, damage?: Error): Promise<void>;
  /** Hash of a record; null when there is none. */
  hashAt(shopId: string, sequenceNumber: number): Buffer | null;
  /**
   * Saves the records after number `after` in a file outside of the mirror, for an operator, and logs that.
   */
  setAside(shopId: string, after: number): Promise<void>;
}

/** As of a moment, the mirror has every record of these shops; shop -> number of its last record then. */
export interface MirrorState {
  readonly currentAt: Moment;
  readonly heads: ReadonlyMap<string, number>;
}

/** The shops in memory. */
export interface ShopCopies {
  /**
   * Number of the last record that readers see; 0 for a shop that is not in memory or is still being loaded.
   */
  shownUpTo(shopId: string): number;
  /** Shows the records of the mirror; waits for a load that is under way. */
  refresh(shopId: string): Promise<void>;
  /**
   * The shop has changed, or with null any shop may have: data cached beside its records, such as its keys,
   * is out of date.
   */
  forget(shopId: string | null): void;
  /**
   * The shop was deleted (`cause` is null), or cannot be used: removes it from memory. Resolves when it is
   * gone; never rejects. With a `DifferingMirrorError` the process must end, because it has shown records
   * that the authority lacks.
   */
  drop(shopId: string, cause: Error | null): Promise<void>;
}

/** A moment by both clocks of this machine. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export interface ClusterClock {
  /**
   * Milliseconds from an arbitrary start; never decreases, and advances while the process cannot run, but not while the
   * machine is suspended.
   */
  monotonicMs(): number;
  /** Milliseconds since the epoch; may be set in either direction, and advances while the machine is suspended. */
  wallMs(): number;
  /** Calls `run` once `delayMs` have passed by `monotonicMs`, never before. Returns the cancellation. */
  after(delayMs: number, run: () => void): () => void;
}

export const momentOf = (clock: ClusterClock): Moment => ({
  monotonicMs: clock.monotonicMs(),
  wallMs: clock.wallMs(),
});

/**
 * The moment that an earlier process had by the wall clock; null after that clock was set back, because an age by it would
 * be too small.
 */
export function momentAt(wallMs: number, clock: ClusterClock): Moment | null {
  const now = momentOf(clock);
  return wallMs <= now.wallMs ? { wallMs, monotonicMs: now.monotonicMs - (now.wallMs - wallMs) } : null;
}

export const waitMs = (clock: ClusterClock, delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });

/** Resolves once `work` is done, after `delayMs` at the latest. */
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

/** Figures for the operator of a node: the protocol writes them, the metrics read them. */
export interface ClusterMeter {
  /** Renewals that found the lease ended. */
  lapses: number;
  /** Attempts to append whose outcome was unknown; each was repeated. */
  unknownOutcomes: number;
  /** Damaged mirrors, of one shop or of all, that were dropped and read anew. */
  mirrorsDamaged: number;
  /** Shops whose mirror had records that the authority lacks. */
  mirrorsDiffering: number;
  /** Called with the wall clock of the authority when a beat has read it. */
  clockRead: (wallMs: number) => void;
  /** Called with the milliseconds that a write waited until every node showed it. */
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
