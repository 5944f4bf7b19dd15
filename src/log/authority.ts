/**
 * The port to the authority of a cluster: the one place that decides which record of a shop comes next, for any number
 * of nodes. Records are the same bytes as in the log of one node; a node keeps its own copy of the log (its mirror),
 * from which it answers, and follows the authority by beats.
 *
 * Promises every adapter keeps:
 * - Compare and append: of all groups that expect the same head of a shop, one is appended, whole, and the others are
 *   stale. A group that is reported as appended survives the loss of any one machine.
 * - Confirmed reads: what a read returns survives the loss of any one machine too, because it ends with a commit that
 *   waits for a second copy. Exception: `Beat.changed`, which names heads and nothing that could be published.
 * - An outcome is never guessed: a group whose answer was lost is `outcomeUnknown`, and `appendDefinitely` settles it.
 * - A read that starts after a group was reported as appended returns it, on every node.
 *
 * A read, and a write other than `append` and `takeTurn`, rejects with `AuthorityUnavailableError` when the authority
 * cannot be reached or does not confirm in time. Those writes may be repeated: doing them twice changes nothing more.
 */
import type { KeyHolder } from './event-log.ts';

/** The authority did not answer, or not in time. What was asked of it may or may not have been done. */
export class AuthorityUnavailableError extends Error {
  override readonly name = 'AuthorityUnavailableError';
}

/** The last record of a shop: its number and the SHA-256 of its stored bytes. 0 and zeros before the first record. */
export interface RecordHead {
  readonly sequenceNumber: number;
  readonly hash: Buffer;
}

/** A record as it is stored. Its checksum, number and place in the chain are for the reader to check. */
export interface StoredRecord {
  readonly sequenceNumber: number;
  readonly stored: Buffer;
}

export interface HashedRecord extends StoredRecord {
  /** SHA-256 of `stored`. */
  readonly hash: Buffer;
}

/** An API key that a group makes. */
export interface MadeKey {
  /** SHA-256 of the key's secret. */
  readonly digest: Buffer;
  readonly keyId: string;
  readonly permission: KeyHolder['permission'];
}

/** Records of one shop that are appended together, or not at all. */
export interface AppendGroup {
  readonly shopId: string;
  /** What the shop's head must be. */
  readonly expected: RecordHead;
  /** At least one; numbered from `expected.sequenceNumber + 1` on. */
  readonly records: readonly HashedRecord[];
  /** Keys that the group makes and does not revoke. */
  readonly keysMade: readonly MadeKey[];
  /** Ids whose keys from before the group are not good after it. */
  readonly keysRevoked: readonly string[];
  /** The group ends the shop's changeset: its shadow results go. */
  readonly endsChangeset: boolean;
}

/** A node as the authority lists it. Every run of a process is a node of its own, also under the same name. */
export interface NodeBeat {
  /** Identifies the run. */
  readonly run: string;
  /** The operator's name for it; need not be unique. */
  readonly node: string;
  /** Counts the beats of this run, from 0. */
  readonly beat: number;
  /** The newest record format that the node reads. */
  readonly readsFormat: number;
  /** Where other nodes and operators reach it, or null. */
  readonly address: string | null;
}

export type GroupResult =
  /** On a second machine too. `nodes` was read after the append, by a statement with a newer snapshot. */
  | { readonly kind: 'appended'; readonly nodes: readonly NodeBeat[] }
  /** The head is another one. Nothing was appended. */
  | { readonly kind: 'staleWriter' }
  /** Nothing was sent, or it was refused: nothing was appended. */
  | { readonly kind: 'unavailable'; readonly cause: Error }
  /** It may have been appended, or be appended later. Only a further attempt with the same bytes can tell. */
  | { readonly kind: 'outcomeUnknown'; readonly cause: Error };

/** A checkpoint as it is stored. */
export interface StoredCheckpoint {
  /** The record that it includes last. */
  readonly sequenceNumber: number;
  readonly stored: Buffer;
}

/** What the authority knows of a shop without reading a record. */
export interface ShopState {
  readonly shopId: string;
  /** Of a deleted shop: as it was last. */
  readonly head: RecordHead;
  /** Number of the last record that was removed; 0 while none was. */
  readonly removedUpTo: number;
  /** Number of the record in front of the beginning that was kept, for the version in force there; 0 when none was. */
  readonly keptRecord: number;
  /** Its id is never used again. */
  readonly isDeleted: boolean;
}

/** Records of a shop, read in one go. */
export interface ShopTail {
  /** As of this read; null when there is no such shop. */
  readonly state: ShopState | null;
  /**
   * In order, without gaps. They end before the head where more would be more than one read returns, about 4 MiB: then
   * the rest is read by a further `tail`. Empty where the first of them was removed.
   */
  readonly records: readonly StoredRecord[];
}

export interface ShopStart extends ShopTail {
  /** The newest checkpoint; `records` are those behind it, or all. */
  readonly checkpoint: StoredCheckpoint | null;
}

/** What `decide` of a turn comes to: records to append, or none; `value` is handed on. */
export interface TurnDecision<T> {
  readonly group: AppendGroup | null;
  readonly value: T;
}

export type TurnResult<T> =
  /**
   * The turn is over. `result` is null when nothing was to be appended. What the tail held is confirmed when `result`
   * is null or `appended`.
   */
  | { readonly kind: 'taken'; readonly value: T; readonly result: GroupResult | null }
  /** The lock was not to be had in time, or the authority could not be reached: nothing was appended or confirmed. */
  | { readonly kind: 'unavailable'; readonly cause: Error };

/** What one beat brought. */
export interface Beat {
  /** Number of this beat: it is committed, and on a second machine. */
  readonly beat: number;
  /** Raised by an operator after a restore: the node drops its lease and compares all heads. */
  readonly epoch: number;
  /**
   * Shops that changed since the last beat, read after this beat was committed; some may be told again. Null when the
   * feed begins anew: earlier changes are not told, so the node asks for `states` of every shop in memory before the
   * beat counts.
   */
  readonly changed: readonly ShopState[] | null;
  readonly nodes: readonly NodeBeat[];
}

/** The cluster as a whole. */
export interface ClusterState {
  /** Another id is another database: a mirror of it is of no use here. */
  readonly id: string;
  readonly epoch: number;
  /** The newest record format that every node reads, and that may be written therefore. */
  readonly writeFormat: number;
}

export interface Authority {
  readonly cluster: ClusterState;

  /**
   * Appends a group behind its expected head. Groups of several shops that wait at the same time go together. Never
   * rejects but with `RangeError`, for a group that is none.
   */
  append(group: AppendGroup): Promise<GroupResult>;
  /**
   * A turn of a writer that lost twice: locks the shop's head, hands `decide` the records behind `after`, and appends
   * what it returns, which cannot be stale unless the shop is new. `decide` must not publish anything: what it was handed
   * counts once the turn is taken. Waits at most two seconds for the lock; a turn that takes longer than the authority
   * waits loses it. Rejects with what `decide` throws; then nothing was appended.
   */
  takeTurn<T>(
    shopId: string,
    after: number,
    decide: (tail: ShopTail) => Promise<TurnDecision<T>>,
  ): Promise<TurnResult<T>>;

  /** A shop of which the node has nothing: its newest checkpoint and the records behind it. */
  start(shopId: string): Promise<ShopStart>;
  /** The records of a shop behind `after`, up to and including `upTo` (default: the last). */
  tail(shopId: string, after: number, upTo?: number): Promise<ShopTail>;
  /** Hash of a record; null when there is none, no longer, or not yet. */
  hashAt(shopId: string, sequenceNumber: number): Promise<Buffer | null>;
  /** States of these shops; a shop that does not exist is left out. */
  states(shopIds: readonly string[]): Promise<readonly ShopState[]>;
  /** States of all shops, deleted ones included, sorted by id: up to `limit` of those behind `afterShopId`. */
  statesAfter(afterShopId: string, limit: number): Promise<readonly ShopState[]>;
  /** The holder of the key with each of these digests (SHA-256 of the secret), or null: unknown or revoked. */
  keys(digests: readonly Buffer[]): Promise<readonly (KeyHolder | null)[]>;

  /** The newest checkpoint at or before `atMost` (default: the last record), as it is stored: the reader checks it. */
  checkpoint(shopId: string, atMost?: number): Promise<StoredCheckpoint | null>;
  /** `RangeError` when the shop has no record of this number, or it was removed. */
  writeCheckpoint(shopId: string, checkpoint: StoredCheckpoint): Promise<void>;
  /**
   * Removes the records up to and including `upTo`, and the checkpoints before it, but for the record `keptRecord` and
   * the checkpoint before that (0: none). Resolves with the number of records removed. Cut short, it is completed by
   * the next call. `RangeError` without a checkpoint at `upTo` and, unless it is 0 or 1, before `keptRecord`, or when
   * nothing would be left.
   */
  trim(shopId: string, upTo: number, keptRecord: number): Promise<number>;
  /**
   * Deletes a shop and all that is stored of it, for good. False, and nothing is deleted, when its head is not
   * `expected`. Cut short, it is completed by the next call with the same head.
   */
  deleteShop(shopId: string, expected: RecordHead): Promise<boolean>;

  /** Makes this process a node, with a new run and beat 0. Resolves with the run. */
  join(self: Pick<NodeBeat, 'node' | 'readsFormat' | 'address'>): Promise<string>;
  /**
   * Raises the beat of this node, then reads what changed, then the list of nodes: each after the one before was
   * committed, and the first is not sent before the call. Each call has a number of its own, also one that failed: so
   * others may see a beat whose changes this node never read. Null when the node was removed from the list, and has to
   * join anew.
   */
  beat(): Promise<Beat | null>;
  nodes(): Promise<readonly NodeBeat[]>;
  /** Takes this node off the list, so that no writer waits for it. It must not answer any more. */
  leave(): Promise<void>;
  /** Takes another node off the list unless it gave a beat since `seen`; true when it is off. */
  removeNode(seen: Pick<NodeBeat, 'run' | 'beat'>): Promise<boolean>;
  /** Calls `listener` when there may be news, soon after an append of another node; best effort. Returns its end. */
  onHint(listener: () => void): () => void;

  /** Keeps this process's results of the shop's changeset; null removes them. The append that ends it removes all. */
  writeShadowResults(shopId: string, text: string | null): Promise<void>;
  /** What each process kept. */
  readShadowResults(shopId: string): Promise<readonly string[]>;
  /** Remembers when keys were last used (key id -> milliseconds); the later one counts. */
  writeKeyUse(uses: ReadonlyMap<string, number>): Promise<void>;
  readKeyUse(keyIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Runs `work` unless another node runs work of this name; resolves with false then. While the authority fails over
   * two nodes may run it at a time, so the work must stand that.
   */
  alone(name: string, work: () => Promise<void>): Promise<boolean>;

  /** Ends all connections. What is under way is answered as unavailable or unknown. */
  close(): Promise<void>;
}
