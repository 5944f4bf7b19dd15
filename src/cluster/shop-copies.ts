/** What a node keeps of the authority's shops, as ports: the mirror of the log and the shops in memory. */
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
  /** Forgets all that there is of a shop that was deleted. */
  drop(shopId: string): Promise<void>;
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
  /** The shop was deleted, or what the authority has of it cannot be used (`cause`): readers must not see it. */
  drop(shopId: string, cause: Error | null): void;
}
