/**
 * A database in memory that does what PostgreSQL with quorum commit was seen to do. A commit is visible to others before
 * it has a second copy when its wait was cut short (a ghost), and a failover loses it; a promoted standby gives out
 * numbers of transactions again; what was sent may be carried out late, after its sender has given up.
 *
 * A failover replays a journal of the commits that have a second copy, so nothing of the other commits remains.
 */

import {
  type AppendGroup,
  AuthorityUnavailableError,
  type Hint,
  type NodeBeat,
  type ShopState,
} from '../../src/store/log/authority.ts';
import type { KeyHolder, ShopTextKind } from '../../src/store/log/event-log.ts';
import { headAfter } from '../../src/store/log/record-codec.ts';

export interface FakeShop {
  state: ShopState;
  /** Number -> hash and bytes. */
  readonly records: Map<number, { readonly hash: Buffer; readonly stored: Buffer }>;
  readonly checkpoints: Map<number, Buffer>;
  /** By mirror id. */
  readonly texts: Readonly<Record<ShopTextKind, Map<string, string>>>;
  /** The transaction that changed the state last. */
  changed: number;
}

class FakeTables {
  readonly shops = new Map<string, FakeShop>();
  /** Digest in hexadecimal digits -> holder. */
  readonly keys = new Map<string, KeyHolder>();
  readonly nodes = new Map<string, NodeBeat>();
  readonly keyUse = new Map<string, number>();
  writeFormat = 1;
}

/** Changes the tables; false when its condition did not hold, and nothing was changed. */
export type Commit = (tables: FakeTables, transaction: number) => boolean;

export class FakeDatabase {
  readonly id = 'fake-cluster';
  tables = new FakeTables();
  /** The server; connections with an earlier one are lost. */
  server = 1;
  /** Names of work under way. */
  readonly workLocks = new Set<string>();
  /** Shop whose head is locked -> the callers that wait for the lock. */
  readonly #locks = new Map<string, (() => void)[]>();
  readonly #journal: Commit[] = [];
  /** Commits with a second copy. */
  #copied = 0;
  #isAttached = true;
  #waiting: { readonly upTo: number; readonly settle: (isCopied: boolean) => void }[] = [];
  readonly #listeners = new Map<(hint: Hint) => void, object>();

  /** Carries a commit out: others see it from now on. Returns its number, or null when its condition did not hold. */
  apply(commit: Commit): number | null {
    const transaction = this.#journal.length + 1;
    if (!commit(this.tables, transaction)) return null;
    this.#journal.push(commit);
    return transaction;
  }

  /** Waits for the second copy of all that is visible. False when a failover came first. */
  async copied(): Promise<boolean> {
    const { server } = this;
    const upTo = this.#journal.length;
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (server !== this.server) return false;
    if (!this.#isAttached) return new Promise((settle) => this.#waiting.push({ upTo, settle }));
    this.#copied = Math.max(this.#copied, upTo);
    return true;
  }

  /** The standbys leave: no commit gets its second copy until they are back. */
  detach(): void {
    this.#isAttached = false;
  }

  attach(): void {
    this.#isAttached = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { upTo, settle } of waiting) {
      this.#copied = Math.max(this.#copied, upTo);
      settle(true);
    }
  }

  /** A standby becomes the primary: ghosts are gone, their numbers are given out again, and all connections are lost. */
  failOver(): void {
    this.server++;
    this.#journal.length = this.#copied;
    this.tables = new FakeTables();
    this.#journal.forEach((commit, index) => {
      commit(this.tables, index + 1);
    });
    this.#isAttached = true;
    for (const { settle } of this.#waiting.splice(0)) settle(false);
    for (const waiting of this.#locks.values()) for (const resume of waiting) resume();
    this.#locks.clear();
    this.workLocks.clear();
  }

  /** Waits for the lock of a shop's head. Resolves with its release; rejects when a failover came first. */
  async lock(shopId: string): Promise<() => void> {
    const { server } = this;
    const waiting = this.#locks.get(shopId);
    if (waiting === undefined) this.#locks.set(shopId, []);
    else await new Promise<void>((resolve) => waiting.push(resolve));
    if (server !== this.server) throw new AuthorityUnavailableError('the connection is lost');
    return () => {
      if (server === this.server) this.#unlock(shopId);
    };
  }

  #unlock(shopId: string): void {
    const [next, ...others] = this.#locks.get(shopId) ?? [];
    if (next === undefined) {
      this.#locks.delete(shopId);
      return;
    }
    this.#locks.set(shopId, others);
    next();
  }

  /** Number of the last transaction; the feed continues after it. */
  get lastTransaction(): number {
    return this.#journal.length;
  }

  listen(listener: (hint: Hint) => void, listening: object): () => void {
    this.#listeners.set(listener, listening);
    return () => this.#listeners.delete(listener);
  }

  /** Tells every listener except that of `sender`. */
  hint(sender: object, hint: Hint): void {
    for (const [listener, listening] of this.#listeners)
      if (listening !== sender) setImmediate(listener, hint);
  }
}

/** The commit of an append. */
export const appendCommit =
  (group: AppendGroup): Commit =>
  (tables, transaction) => {
    const { shopId, expected, records } = group;
    const shop = tables.shops.get(shopId);
    const isExpected =
      shop === undefined
        ? expected.sequenceNumber === 0
        : !shop.state.isDeleted &&
          shop.state.head.sequenceNumber === expected.sequenceNumber &&
          shop.state.head.hash.equals(expected.hash);
    if (!isExpected) return false;
    const { sequenceNumber, hash } = headAfter(group);
    const none = { shopId, removedUpTo: 0, isDeleted: false };
    const grown: FakeShop = {
      records: new Map(shop?.records),
      checkpoints: shop?.checkpoints ?? new Map(),
      texts: {
        coverage: shop?.texts.coverage ?? new Map(),
        shadowResults: (group.endsChangeset ? null : shop?.texts.shadowResults) ?? new Map(),
      },
      state: { ...(shop?.state ?? none), head: { sequenceNumber, hash } },
      changed: transaction,
    };
    for (const record of records) grown.records.set(record.sequenceNumber, record);
    tables.shops.set(shopId, grown);
    changeKeys(tables, group);
    return true;
  };

function changeKeys({ keys }: FakeTables, { shopId, keysMade, keysRevoked }: AppendGroup): void {
  for (const [digest, holder] of [...keys]) {
    if (holder.shopId === shopId && keysRevoked.includes(holder.keyId)) keys.delete(digest);
  }
  for (const { digest, keyId, permission } of keysMade) {
    keys.set(digest.toString('hex'), { shopId, keyId, permission });
  }
}

/** A commit that changes one shop that is there, unless `change` returns false. */
export const shopCommit =
  (shopId: string, change: (shop: FakeShop, tables: FakeTables) => boolean): Commit =>
  (tables, transaction) => {
    const shop = tables.shops.get(shopId);
    if (shop === undefined || !change(shop, tables)) return false;
    shop.changed = transaction;
    return true;
  };
