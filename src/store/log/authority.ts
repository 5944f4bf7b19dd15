/**
 * The port to the authority of a cluster: the store that decides which record of a shop comes next, for any number of
 * nodes. Records have the same bytes as in the log of a single node. A node answers from its own copy of the log (its
 * mirror) and follows the authority by beats.
 *
 * Promises every adapter keeps:
 * - Compare and append: of all groups that expect the same head of a shop, at most one is appended, as a whole, and the
 *   others are stale. A group that is reported as appended survives the loss of any one machine.
 * - Confirmed reads: the result of a read also survives the loss of any one machine, because the read ends with a
 *   commit that waits for a second copy. Exception: `Beat.changed`, which names heads but contains nothing to
 *   publish.
 * - An outcome is never guessed: a group whose answer was lost is `outcomeUnknown`, and `appendDefinitely` settles it.
 * - A read that starts after a group was reported as appended returns the group, on every node.
 *
 * Reads, and writes other than `append` and `takeTurn`, reject with `AuthorityUnavailableError` when the authority
 * cannot be reached or does not confirm in time. These writes are idempotent, so the caller may repeat them.
 */
import type { KeyHolder, ShopTextKind } from './event-log.ts';

/** The authority did not answer in time. The request may or may not have been executed. */
export class AuthorityUnavailableError extends Error {
  override readonly name = 'AuthorityUnavailableError';
}

/** The last record of a shop: its number and the SHA-256 of its stored bytes; 0 and zeros before the first record. */
export interface RecordHead {
  readonly sequenceNumber: number;
  readonly hash: Buffer;
}

/** A record in stored form. The reader must check its checksum, its number and its place in the chain. */
export interface StoredRecord {
  readonly sequenceNumber: number;
  readonly stored: Buffer;
}

export interface HashedRecord extends StoredRecord {
  /** SHA-256 of `stored`. */
  readonly hash: Buffer;
}

/** An API key that a group creates. */
export interface MadeKey {
  /** SHA-256 of the key's secret. */
  readonly digest: Buffer;
  readonly keyId: string;
  readonly permission: KeyHolder['permission'];
}

/** Records of one shop that are appended together or not at all. */
export interface AppendGroup {
  readonly shopId: string;
  /** The group is stale when the shop has another head. */
  readonly expected: RecordHead;
  /** At least one record; the numbers start at `expected.sequenceNumber + 1`. */
  readonly records: readonly HashedRecord[];
  /** Keys that the group creates and does not revoke. */
  readonly keysMade: readonly MadeKey[];
  /** Ids of keys that existed before the group and are invalid after it. */
  readonly keysRevoked: readonly string[];
  /** True when the group ends the shop's changeset; its shadow results are removed. */
  readonly endsChangeset: boolean;
}

/** A node in the list of the authority. Every run of a process is a separate node, even under the same name. */
export interface NodeBeat {
  /** Identifies the run. */
  readonly run: string;
  /** The name that the operator gave it; need not be unique. */
  readonly node: string;
  /** Counts the beats of this run, from 0. */
  readonly beat: number;
  /** The newest record format that the node can read. */
  readonly readsFormat: number;
}

export interface ShopMark {
  readonly shopId: string;
  readonly sequenceNumber: number;
}

/** A deletion counts as the record behind the last one: no record ever gets its number. */
export const deletionMark = (shopId: string, { sequenceNumber }: RecordHead): ShopMark => ({
  shopId,
  sequenceNumber: sequenceNumber + 1,
});

export type Hint =
  /** It appended these records, or deleted the shop (`deletionMark`). Without any it asks for beats. */
  | { readonly kind: 'appended'; readonly shops: readonly ShopMark[] }
  /** It shows these records or later ones, or does not follow the shop and reads them when it loads it. */
  | { readonly kind: 'shown'; readonly run: string; readonly shops: readonly ShopMark[] };

export type GroupResult =
  /** Also on a second machine. `nodes` was read after the append, by a statement with a newer snapshot. */
  | { readonly kind: 'appended'; readonly nodes: readonly NodeBeat[] }
  /** The shop has another head. Nothing was appended. */
  | { readonly kind: 'staleWriter' }
  /** Not sent, or refused: nothing was appended. */
  | { readonly kind: 'unavailable'; readonly cause: Error }
  /** Appended, or not, or appended later. Only another attempt with the same bytes can settle it. */
  | { readonly kind: 'outcomeUnknown'; readonly cause: Error };

export interface StoredCheckpoint {
  /** The last record that the checkpoint includes. */
  readonly sequenceNumber: number;
  readonly stored: Buffer;
}

/** The state of a shop that the authority knows without reading a record. */
export interface ShopState {
  readonly shopId: string;
  /** For a deleted shop: its last head. */
  readonly head: RecordHead;
  /** Number of the last record that was removed; 0 while none was. */
  readonly removedUpTo: number;
  /** The id of a deleted shop is never used again. */
  readonly isDeleted: boolean;
}

/** Result of one read of a shop's records. */
export interface ShopTail {
  /** As of this read; null when the shop does not exist. */
  readonly state: ShopState | null;
  /**
   * In order, without gaps. One read returns about 4 MiB; when the list ends before the head, read the rest with
   * another `tail`. Empty when the first requested record was removed.
   */
  readonly records: readonly StoredRecord[];
}

export interface ShopStart extends ShopTail {
  /** The newest checkpoint; `records` follow it. Null when there is none; `records` are all records then. */
  readonly checkpoint: StoredCheckpoint | null;
}

/** `unavailable` also when the lock was not free in time. */
export type TurnResult = GroupResult | { readonly kind: 'nothingToAppend' };

export interface Beat {
  /** Number of this beat, which is committed and on a second machine. */
  readonly beat: number;
  /** An operator raises it after a restore. The node then drops its lease and compares all heads. */
  readonly epoch: number;
  /**
   * Shops that changed since the last beat, read after the commit of this beat; a shop may be reported twice. Null
   * when the feed of changes starts again: earlier changes are then not reported, so the node must read the `states`
   * of every shop in memory before the beat counts.
   */
  readonly changed: readonly ShopState[] | null;
  readonly nodes: readonly NodeBeat[];
  /** Wall clock of the authority when it read what changed. */
  readonly wallMs: number;
}

export interface ClusterState {
  /** A mirror of a cluster with another id must not be used. */
  readonly id: string;
  readonly epoch: number;
  /**
   * The newest record format that every node can read; nodes write at most this one. A beat raises it after the last node
   * that cannot read a newer format has left the list.
   */
  readonly writeFormat: number;
  /** Sealed with the key of the secrets in the log; null before the first node with a key. */
  readonly probe: string | null;
}

/** What a node says of itself when it joins. */
export type NodeSelf = Pick<NodeBeat, 'node' | 'readsFormat'>;

export interface Authority {
  /**
   * The state of the cluster, which is made when there is none. Rejects with `AuthorityUnavailableError`, or with
   * `UnusableDataFileError` when this process must not use the cluster.
   */
  open(): Promise<ClusterState>;

  /**
   * Appends a group after its expected head. Waiting groups of several shops are sent together. Rejects only with
   * `RangeError`, for an invalid group.
   */
  append(group: AppendGroup): Promise<GroupResult>;
  /**
   * A turn of a writer that lost races: locks the shop's head, so that what `decide` reads of the shop stays the newest,
   * and appends the group that it returns, if any. That cannot be stale unless the shop is new. Waits at most two seconds
   * for the lock; a turn that takes longer than the authority waits loses it. Rejects with what `decide` throws; then
   * nothing was appended.
   */
  takeTurn(shopId: string, decide: () => Promise<AppendGroup | null>): Promise<TurnResult>;

  /** For a shop that is not in the mirror: the newest checkpoint and the records after it. */
  start(shopId: string): Promise<ShopStart>;
  /** The records of a shop after `after`, up to and including `upTo` (default: the last). */
  tail(shopId: string, after: number, upTo?: number): Promise<ShopTail>;
  /** Hash of a record; null when the record does not exist yet or was removed. */
  hashAt(shopId: string, sequenceNumber: number): Promise<Buffer | null>;
  /** States of these shops; shops that do not exist are left out. */
  states(shopIds: readonly string[]): Promise<readonly ShopState[]>;
  /** States of at most `limit` shops with ids after `afterShopId`, sorted by id; includes deleted shops. */
  statesAfter(afterShopId: string, limit: number): Promise<readonly ShopState[]>;
  /** For each digest (SHA-256 of a secret) the holder of the key; null when the key is unknown or revoked. */
  keys(digests: readonly Buffer[]): Promise<readonly (KeyHolder | null)[]>;

  /** The newest checkpoint at or before `atMost` (default: the last record). The reader must check it. */
  checkpoint(shopId: string, atMost?: number): Promise<StoredCheckpoint | null>;
  /** Rejects with `RangeError` when the shop has no record with this number, or it was removed. */
  writeCheckpoint(shopId: string, checkpoint: StoredCheckpoint): Promise<void>;
  /**
   * Removes the records up to and including `upTo`, and the checkpoints before it. Resolves with the number of removed
   * records. The next call completes an interrupted one. Rejects with `RangeError` when there is no checkpoint at `upTo`,
   * or when no record would be left.
   */
  trim(shopId: string, upTo: number): Promise<number>;
  /**
   * Deletes a shop and all its data permanently. Resolves with false and deletes nothing when its head is not
   * `expected`. The next call with the same head completes an interrupted one.
   */
  deleteShop(shopId: string, expected: RecordHead): Promise<boolean>;

  /**
   * Registers this process as a node with a new run and beat 0. Resolves with the run. Rejects with
   * `UnusableDataFileError` when records may have a newer format than the node can read.
   */
  join(self: NodeSelf): Promise<string>;
  /**
   * Raises the beat of this node, then reads what changed, then the list of nodes. Each step starts after the commit
   * of the step before, and the first starts after the call. Every call has its own number, even a call that fails,
   * so other nodes may see a beat whose changes this node never read. Resolves with null when the node was removed
   * from the list and must join again.
   */
  beat(): Promise<Beat | null>;
  nodes(): Promise<readonly NodeBeat[]>;
  /** Removes this node from the list, so that no writer waits for it. The node must not answer any more. */
  leave(): Promise<void>;
  /** Removes another node from the list unless it gave a beat since `seen`. */
  removeNode(seen: Pick<NodeBeat, 'run' | 'beat'>): Promise<void>;
  /**
   * Calls `listener` with the messages of other nodes: soon after each append or deletion of another one, and with what
   * another one tells by `tellShown`. A message may be lost, late or repeated, but is never wrong. Returns a function that
   * unsubscribes.
   */
  onHint(listener: (hint: Hint) => void): () => void;
  /** Asks the other nodes for beats soon. The message may be lost. */
  askForBeats(): void;
  /** Tells the other nodes that this one shows these records; does nothing before `join`. The message may be lost. */
  tellShown(shops: readonly ShopMark[]): void;

  /**
   * Replaces a text about a shop that the node of one mirror keeps; null removes it. The append that ends a changeset
   * removes the `shadowResults` of all mirrors.
   */
  writeShopText(kind: ShopTextKind, shopId: string, mirrorId: string, text: string | null): Promise<void>;
  /** The stored texts by mirror id. */
  readShopTexts(kind: ShopTextKind, shopId: string): Promise<ReadonlyMap<string, string>>;
  /** Stores when keys were last used (key id -> milliseconds); a later time replaces an earlier one. */
  writeKeyUse(uses: ReadonlyMap<string, number>): Promise<void>;
  readKeyUse(keyIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Runs `work` unless another node runs work of the same name; resolves with false then. During a failover of the
   * authority two nodes may run it at the same time, so the work must tolerate that.
   */
  alone(name: string, work: () => Promise<void>): Promise<boolean>;

  /** Closes all connections. Pending calls are answered as unavailable or unknown. */
  close(): Promise<void>;
}

const SHOPS_AT_ONCE = 1_000;

/** States of all shops, or of those after one, sorted by id; read in pages. */
export async function* allShops(
  statesAfter: Authority['statesAfter'],
  begin = '',
): AsyncGenerator<ShopState> {
  for (let after = begin; ; ) {
    const states = await statesAfter(after, SHOPS_AT_ONCE);
    yield* states;
    const last = states.at(-1);
    if (last === undefined || states.length < SHOPS_AT_ONCE) return;
    after = last.shopId;
  }
}

/** The same without deleted shops. */
export async function* liveShops(
  authority: Pick<Authority, 'statesAfter'>,
  begin?: string,
): AsyncGenerator<ShopState> {
  const all = allShops((after, limit) => authority.statesAfter(after, limit), begin);
  for await (const state of all) if (!state.isDeleted) yield state;
}
