/**
 * The `Authority` port over a database in memory, as one process has it. It keeps the promises of the port. A test can
 * say what becomes of the next append: its answer is lost before or after it was carried out, it is late, or a ghost.
 */
import { randomUUID } from 'node:crypto';
import { asError } from '../../src/base/runtime/thrown-error.ts';
import {
  type AppendGroup,
  type Authority,
  AuthorityUnavailableError,
  type Beat,
  type ClusterState,
  deletionMark,
  type GroupResult,
  type Hint,
  type NodeBeat,
  type RecordHead,
  type ShopMark,
  type ShopStart,
  type ShopState,
  type ShopTail,
  type StoredCheckpoint,
  type StoredRecord,
  type TurnResult,
} from '../../src/store/log/authority.ts';
import {
  DamagedLogError,
  type KeyHolder,
  type ShopTextKind,
  UnusableDataFileError,
} from '../../src/store/log/event-log.ts';
import { headAfter, lastMark } from '../../src/store/log/record-codec.ts';
import { appendCommit, type Commit, type FakeDatabase, type FakeShop, shopCommit } from './fake-database.ts';

/** What becomes of an append whose sender gets no answer. */
export type LostAppend =
  /** The database never heard of it. */
  | 'lostBefore'
  /** It has its second copy. */
  | 'lostAfter'
  /** It is visible, and has no second copy yet. */
  | 'ghost'
  /** It is carried out when `releaseLate` is called. */
  | 'late';

const READ_BYTES_MAX = 4 * 1024 * 1024;

export class FakeAuthority implements Authority {
  readonly #cluster: ClusterState;
  readonly #database: FakeDatabase;
  readonly #fates: LostAppend[] = [];
  readonly #late: AppendGroup[] = [];
  #run: string | null = null;
  #beat = 0;
  #feed: { readonly server: number; readonly from: number } | null = null;
  #isClosed = false;

  constructor(database: FakeDatabase) {
    this.#database = database;
    this.#cluster = { id: database.id, epoch: 1, writeFormat: 1, probe: null };
  }

  async open(): Promise<ClusterState> {
    return this.#cluster;
  }

  /** The next append of this process gets no answer. */
  loseNext(fate: LostAppend): void {
    this.#fates.push(fate);
  }

  /** Carries the late appends out, as far as their heads are still as expected. */
  releaseLate(): void {
    for (const group of this.#late.splice(0)) this.#database.apply(appendCommit(group));
  }

  async append(group: AppendGroup): Promise<GroupResult> {
    headAfter(group);
    if (this.#isClosed) return { kind: 'unavailable', cause: closed() };
    const fate = this.#fates.shift() ?? null;
    try {
      return await this.#append(group, fate);
    } catch (error) {
      return { kind: 'outcomeUnknown', cause: asError(error) };
    }
  }

  async #append(group: AppendGroup, fate: LostAppend | null): Promise<GroupResult> {
    const database = this.#database;
    if (fate === 'late') this.#late.push(group);
    if (fate === 'late' || fate === 'lostBefore') throw new Error('the answer is lost');
    const release = await database.lock(group.shopId);
    try {
      if (database.apply(appendCommit(group)) === null) return { kind: 'staleWriter' };
      // While it waits for its second copy, no other append can move the head.
      if (fate === 'ghost' || !(await database.copied()) || fate !== null)
        throw new Error('the answer is lost');
      database.hint(this, { kind: 'appended', shops: [lastMark(group)] });
      return { kind: 'appended', nodes: [...database.tables.nodes.values()] };
    } finally {
      release();
    }
  }

  async takeTurn(shopId: string, decide: () => Promise<AppendGroup | null>): Promise<TurnResult> {
    const database = this.#database;
    if (this.#isClosed) return { kind: 'unavailable', cause: closed() };
    const release = await database.lock(shopId);
    try {
      const group = await decide();
      if (group === null) return { kind: 'nothingToAppend' };
      if (database.apply(appendCommit(group)) === null) return { kind: 'staleWriter' };
      if (!(await database.copied()))
        return { kind: 'outcomeUnknown', cause: new Error('the answer is lost') };
      database.hint(this, { kind: 'appended', shops: [lastMark(group)] });
      return { kind: 'appended', nodes: [...database.tables.nodes.values()] };
    } finally {
      release();
    }
  }

  start(shopId: string): Promise<ShopStart> {
    return this.#read(() => {
      const checkpoint = this.#checkpointOf(shopId, Number.MAX_SAFE_INTEGER);
      return { ...this.#tailOf(shopId, checkpoint?.sequenceNumber ?? 0), checkpoint };
    });
  }

  tail(shopId: string, after: number, upTo = Number.MAX_SAFE_INTEGER): Promise<ShopTail> {
    return this.#read(() => this.#tailOf(shopId, after, upTo));
  }

  hashAt(shopId: string, sequenceNumber: number): Promise<Buffer | null> {
    return this.#read(({ tables }) => tables.shops.get(shopId)?.records.get(sequenceNumber)?.hash ?? null);
  }

  states(shopIds: readonly string[]): Promise<readonly ShopState[]> {
    return this.#read(() => this.#statesWhere(({ state }) => shopIds.includes(state.shopId)));
  }

  statesAfter(afterShopId: string, limit: number): Promise<readonly ShopState[]> {
    return this.#read(() => this.#statesWhere(({ state }) => state.shopId > afterShopId).slice(0, limit));
  }

  keys(digests: readonly Buffer[]): Promise<readonly (KeyHolder | null)[]> {
    return this.#read(({ tables }) =>
      digests.map((digest) => tables.keys.get(digest.toString('hex')) ?? null),
    );
  }

  checkpoint(shopId: string, atMost = Number.MAX_SAFE_INTEGER): Promise<StoredCheckpoint | null> {
    return this.#read(() => this.#checkpointOf(shopId, atMost));
  }

  async writeCheckpoint(shopId: string, { sequenceNumber, stored }: StoredCheckpoint): Promise<void> {
    const isThere = await this.#write(
      shopCommit(shopId, ({ state, checkpoints }) => {
        const { removedUpTo, head, isDeleted } = state;
        if (isDeleted || sequenceNumber < Math.max(1, removedUpTo) || sequenceNumber > head.sequenceNumber) {
          return false;
        }
        checkpoints.set(sequenceNumber, stored);
        return true;
      }),
    );
    if (!isThere) throw new RangeError('a checkpoint stands at a record that exists');
  }

  async trim(shopId: string, upTo: number): Promise<number> {
    let removed = 0;
    const isTrimmed = await this.#write(
      shopCommit(shopId, (shop) => {
        if (!isTrimmable(shop, upTo)) return false;
        if (upTo < shop.state.removedUpTo) return true;
        shop.state = { ...shop.state, removedUpTo: upTo };
        removed = 0;
        for (const at of [...shop.records.keys()]) {
          if (at <= upTo && shop.records.delete(at)) removed++;
        }
        for (const at of [...shop.checkpoints.keys()]) {
          if (at < upTo) shop.checkpoints.delete(at);
        }
        return true;
      }),
    );
    if (!isTrimmed) throw new RangeError('a log is trimmed at a checkpoint before its last record');
    return removed;
  }

  async deleteShop(shopId: string, expected: RecordHead): Promise<boolean> {
    const isDeleted = await this.#write(
      shopCommit(shopId, (shop, tables) => {
        const { head } = shop.state;
        if (head.sequenceNumber !== expected.sequenceNumber || !head.hash.equals(expected.hash)) return false;
        shop.state = { ...shop.state, isDeleted: true };
        for (const rows of [shop.records, shop.checkpoints, ...Object.values(shop.texts)]) rows.clear();
        for (const [digest, holder] of [...tables.keys])
          if (holder.shopId === shopId) tables.keys.delete(digest);
        return true;
      }),
    );
    if (isDeleted) this.#database.hint(this, { kind: 'appended', shops: [deletionMark(shopId, expected)] });
    return isDeleted;
  }

  async join(self: Pick<NodeBeat, 'node' | 'readsFormat'>): Promise<string> {
    const run = randomUUID();
    const isJoined = await this.#write(
      ({ nodes, writeFormat }) =>
        writeFormat <= self.readsFormat && nodes.set(run, { ...self, run, beat: 0 }).has(run),
    );
    if (!isJoined) throw new UnusableDataFileError('records may be of a format that the node does not read');
    this.#run = run;
    this.#beat = 0;
    return run;
  }

  async beat(): Promise<Beat | null> {
    const run = this.#run ?? '';
    const beat = ++this.#beat;
    const isRaised = await this.#write(({ nodes }) => {
      const known = nodes.get(run);
      return known !== undefined && nodes.set(run, { ...known, beat }).has(run);
    });
    const { server, lastTransaction, tables } = this.#database;
    const from = this.#feed?.server === server ? this.#feed.from : null;
    if (!isRaised) return null;
    await this.#write((all) => {
      const lowest = Math.min(...[...all.nodes.values()].map(({ readsFormat }) => readsFormat));
      if (lowest <= all.writeFormat) return false;
      all.writeFormat = lowest;
      return true;
    });
    this.#feed = { server, from: lastTransaction };
    const changed = from === null ? null : this.#statesWhere((shop) => shop.changed > from);
    return {
      beat,
      epoch: this.#cluster.epoch,
      changed,
      nodes: [...tables.nodes.values()],
      wallMs: Date.now(),
    };
  }

  nodes(): Promise<readonly NodeBeat[]> {
    return this.#read(({ tables }) => [...tables.nodes.values()]);
  }

  async leave(): Promise<void> {
    const run = this.#run ?? '';
    await this.#write(({ nodes }) => nodes.delete(run));
    this.#run = null;
  }

  async removeNode({ run, beat }: Pick<NodeBeat, 'run' | 'beat'>): Promise<void> {
    await this.#write(({ nodes }) => (nodes.get(run)?.beat ?? beat + 1) <= beat && nodes.delete(run));
  }

  onHint(listener: (hint: Hint) => void): () => void {
    return this.#database.listen(listener, this);
  }

  askForBeats(): void {
    this.#database.hint(this, { kind: 'appended', shops: [] });
  }

  tellShown(shops: readonly ShopMark[]): void {
    if (this.#run !== null) this.#database.hint(this, { kind: 'shown', run: this.#run, shops });
  }

  async writeShopText(
    kind: ShopTextKind,
    shopId: string,
    mirrorId: string,
    text: string | null,
  ): Promise<void> {
    await this.#write(({ shops }) => {
      const shop = shops.get(shopId);
      if (shop === undefined || shop.state.isDeleted) return false;
      if (text === null) shop.texts[kind].delete(mirrorId);
      else shop.texts[kind].set(mirrorId, text);
      return true;
    });
  }

  readShopTexts(kind: ShopTextKind, shopId: string): Promise<ReadonlyMap<string, string>> {
    return this.#read(({ tables }) => new Map(tables.shops.get(shopId)?.texts[kind]));
  }

  async writeKeyUse(uses: ReadonlyMap<string, number>): Promise<void> {
    await this.#write(({ keyUse }) => {
      for (const [keyId, atMs] of uses) keyUse.set(keyId, Math.max(atMs, keyUse.get(keyId) ?? 0));
      return true;
    });
  }

  readKeyUse(keyIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return this.#read(
      ({ tables }) => new Map([...tables.keyUse].filter(([keyId]) => keyIds.includes(keyId))),
    );
  }

  async alone(name: string, work: () => Promise<void>): Promise<boolean> {
    const { workLocks } = this.#database;
    if (workLocks.has(name)) return false;
    workLocks.add(name);
    try {
      await work();
      return true;
    } finally {
      workLocks.delete(name);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  /** Reads, then waits until all that it could see has its second copy. */
  async #read<T>(read: (database: FakeDatabase) => T): Promise<T> {
    if (this.#isClosed) throw closed();
    await Promise.resolve();
    const value = read(this.#database);
    if (!(await this.#database.copied())) throw new AuthorityUnavailableError('the connection is lost');
    return value;
  }

  async #write(commit: Commit): Promise<boolean> {
    if (this.#isClosed) throw closed();
    await Promise.resolve();
    const isApplied = this.#database.apply(commit) !== null;
    if (isApplied && !(await this.#database.copied()))
      throw new AuthorityUnavailableError('the connection is lost');
    return isApplied;
  }

  #statesWhere(isMeant: (shop: FakeShop) => boolean): readonly ShopState[] {
    const shops = [...this.#database.tables.shops.values()].filter(isMeant);
    return shops.map(({ state }) => state).sort((a, b) => (a.shopId < b.shopId ? -1 : 1));
  }

  #checkpointOf(shopId: string, atMost: number): StoredCheckpoint | null {
    const checkpoints = this.#database.tables.shops.get(shopId)?.checkpoints ?? new Map<number, Buffer>();
    const sequenceNumber = Math.max(0, ...[...checkpoints.keys()].filter((at) => at <= atMost));
    const stored = checkpoints.get(sequenceNumber);
    return stored === undefined ? null : { sequenceNumber, stored };
  }

  #tailOf(shopId: string, after: number, upTo = Number.MAX_SAFE_INTEGER): ShopTail {
    const shop = this.#database.tables.shops.get(shopId);
    if (shop === undefined || shop.state.isDeleted) return { state: shop?.state ?? null, records: [] };
    const { state } = shop;
    const records: StoredRecord[] = [];
    const last = Math.min(upTo, state.head.sequenceNumber);
    let bytes = 0;
    for (let at = after + 1; at <= last && bytes < READ_BYTES_MAX; at++) {
      const record = shop.records.get(at);
      if (record === undefined) break;
      records.push({ sequenceNumber: at, stored: record.stored });
      bytes += record.stored.length;
    }
    if (records.length === 0 && after >= state.removedUpTo && after < last) {
      throw new DamagedLogError(shopId, after + 1, 'it is missing');
    }
    return { state, records };
  }
}

function isTrimmable({ state, checkpoints }: FakeShop, upTo: number): boolean {
  const isInside = !state.isDeleted && upTo >= 1 && upTo < state.head.sequenceNumber;
  const isAtCheckpoint = upTo <= state.removedUpTo || checkpoints.has(upTo);
  return isInside && isAtCheckpoint;
}

const closed = (): Error => new AuthorityUnavailableError('the authority is closed');
