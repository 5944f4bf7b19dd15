/**
 * The `EventLog` port in memory, for tests of code that uses it. It keeps the promises of the port, and can be made
 * slow, failing, without an answer, or damaged. Its data outlives it: `reopen` returns the log as after the next
 * start of the process.
 */
import {
  type AppendResult,
  type Checkpoint,
  DamagedLogError,
  type EventLog,
  type KeyHolder,
  type LogRecord,
  type NewRecord,
  type ShopTextKind,
  type StoredAnswer,
  type VersionEntry,
} from '../../src/store/log/event-log.ts';
import { VersionList } from './version-list.ts';

/** The fate of an append: a result of the port, or lost in one of three ways. */
type AppendFate = 'stored' | 'unavailable' | 'unknownAndStored' | 'unknownAndLost';

interface MemoryLogOptions {
  /** Awaited before an append takes effect. */
  readonly delay?: () => Promise<void>;
  /** Called for every append that is not stale; default: stored. The first failure ends all writing. */
  readonly fate?: (shopId: string, records: readonly NewRecord[]) => AppendFate;
}

interface StoredShop {
  /** JSON of each record, so that no object is shared with the writer; null for a damaged record. */
  readonly records: (string | null)[];
  /** Sequence number -> image; null for a damaged one. */
  readonly checkpoints: Map<number, string | null>;
  readonly versions: VersionList;
  /** Number of the last record that was removed. */
  readonly removed: number;
}

const isThere = ({ removed }: StoredShop, sequenceNumber: number): boolean => sequenceNumber > removed;

class MemoryStore {
  readonly shops = new Map<string, StoredShop>();
  readonly keyUse = new Map<string, number>();
  readonly shadowResults = new Map<string, string>();
  readonly coverage = new Map<string, string>();
  forgottenMs = Number.NEGATIVE_INFINITY;
}

export class MemoryEventLog implements EventLog {
  readonly #store: MemoryStore;
  readonly #options: MemoryLogOptions;
  #failure: Error | null = null;

  constructor(options: MemoryLogOptions = {}, store = new MemoryStore()) {
    this.#options = options;
    this.#store = store;
  }

  /** The log after the next start. */
  reopen(options: MemoryLogOptions = {}): MemoryEventLog {
    this.#failure = new Error('the log is closed');
    return new MemoryEventLog(options, this.#store);
  }

  damageRecord(shopId: string, sequenceNumber: number): void {
    const shop = this.#store.shops.get(shopId);
    if (shop !== undefined) shop.records[sequenceNumber - 1] = null;
  }

  damageCheckpoint(shopId: string, sequenceNumber: number): void {
    this.#store.shops.get(shopId)?.checkpoints.set(sequenceNumber, null);
  }

  async append(
    shopId: string,
    expectedSequenceNumber: number,
    records: readonly NewRecord[],
  ): Promise<AppendResult> {
    if (records.length === 0) throw new RangeError('an append has at least one record');
    if (this.#failure !== null) return { kind: 'unavailable', cause: this.#failure };
    const texts = records.map((record) => JSON.stringify(record));
    await this.#options.delay?.();
    await Promise.resolve();
    const last = this.lastSequenceNumber(shopId);
    if (last !== expectedSequenceNumber) return { kind: 'staleWriter' };
    if (this.#failure !== null) return { kind: 'unavailable', cause: this.#failure };
    const fate = this.#options.fate?.(shopId, records) ?? 'stored';
    if (fate === 'stored' || fate === 'unknownAndStored') {
      this.#store.shops.set(shopId, this.#grown(shopId, texts));
      if (records.some(({ event }) => event.kind === 'stagingEnded'))
        this.#store.shadowResults.delete(shopId);
    }
    if (fate === 'stored') return { kind: 'appended' };
    this.#failure = new Error(`the append was made to be ${fate}`);
    return { kind: fate === 'unavailable' ? 'unavailable' : 'outcomeUnknown', cause: this.#failure };
  }

  #grown(shopId: string, texts: readonly string[]): StoredShop {
    const shop = this.#store.shops.get(shopId);
    const records = shop?.records ?? [];
    const versions = shop?.versions ?? new VersionList();
    for (const [index, text] of texts.entries()) {
      versions.add(JSON.parse(text) as NewRecord, records.length + index + 1);
    }
    return {
      records: [...records, ...texts],
      checkpoints: shop?.checkpoints ?? new Map(),
      versions,
      removed: shop?.removed ?? 0,
    };
  }

  lastSequenceNumber(shopId: string): number {
    return this.#store.shops.get(shopId)?.records.length ?? 0;
  }

  read(shopId: string, afterSequenceNumber: number, upTo?: number): Iterable<LogRecord> {
    const shop = this.#store.shops.get(shopId);
    const texts = shop?.records.slice(0, upTo) ?? [];
    const removed = afterSequenceNumber < texts.length ? (shop?.removed ?? 0) : 0;
    return {
      [Symbol.iterator]: () => {
        if (afterSequenceNumber < removed) throw new DamagedLogError(shopId, removed, 'it was removed');
        return decoded(shopId, texts, afterSequenceNumber);
      },
    };
  }

  /** All readable records of a shop whose JSON contains the text. */
  *#readable(shopId: string, having = ''): Generator<LogRecord> {
    const texts = this.#store.shops.get(shopId)?.records ?? [];
    for (const [index, text] of texts.entries()) {
      if (text?.includes(having)) yield { ...(JSON.parse(text) as NewRecord), sequenceNumber: index + 1 };
    }
  }

  shopIds(): Iterable<string> {
    return [...this.#store.shops.keys()].sort();
  }

  latestCheckpoint(shopId: string, atMost = Number.MAX_SAFE_INTEGER): Checkpoint | null {
    const checkpoints = this.#store.shops.get(shopId)?.checkpoints ?? new Map<number, string | null>();
    let latest: Checkpoint | null = null;
    for (const [sequenceNumber, image] of checkpoints) {
      if (image === null || sequenceNumber > atMost) continue;
      if (sequenceNumber > (latest?.sequenceNumber ?? 0)) latest = { sequenceNumber, image };
    }
    return latest;
  }

  async writeCheckpoint(shopId: string, { sequenceNumber, image }: Checkpoint): Promise<void> {
    const shop = this.#store.shops.get(shopId);
    const last = shop?.records.length ?? 0;
    if (shop === undefined || sequenceNumber < Math.max(1, shop.removed) || sequenceNumber > last) {
      throw new RangeError('a checkpoint stands at a record that exists');
    }
    if (this.#failure !== null) throw this.#failure;
    shop.checkpoints.set(sequenceNumber, image);
  }

  versionAt(shopId: string, number: number): VersionEntry | null {
    const shop = this.#store.shops.get(shopId);
    return shop?.versions.at((at) => isThere(shop, at), number) ?? null;
  }

  oldestVersion(shopId: string): VersionEntry | null {
    const shop = this.#store.shops.get(shopId);
    return shop?.versions.find((at) => isThere(shop, at)) ?? null;
  }

  readAudit(shopId: string, upTo: number, most: number): readonly LogRecord[] {
    const removed = this.removedUpTo(shopId);
    const isTold = ({ sequenceNumber, event }: LogRecord) =>
      sequenceNumber > removed && sequenceNumber <= upTo && 'audit' in event;
    return [...this.#readable(shopId, '"audit":')].filter(isTold).reverse().slice(0, most);
  }

  removedUpTo(shopId: string): number {
    return this.#store.shops.get(shopId)?.removed ?? 0;
  }

  async trim(shopId: string, upTo: number): Promise<number> {
    const shop = this.#store.shops.get(shopId);
    const isAtCheckpoint = typeof shop?.checkpoints.get(upTo) === 'string';
    if (shop === undefined || !isAtCheckpoint || upTo >= shop.records.length) {
      throw new RangeError('a log is trimmed at a checkpoint before its last record');
    }
    if (this.#failure !== null) throw this.#failure;
    if (upTo < shop.removed) return 0;
    for (const at of shop.checkpoints.keys()) {
      if (at < upTo) shop.checkpoints.delete(at);
    }
    // Removed records stay in memory, because keys are derived from them, but they can no longer be read.
    const trimmed = { ...shop, removed: upTo };
    this.#store.shops.set(shopId, trimmed);
    const isGone = (_: unknown, index: number) => isThere(shop, index + 1) && !isThere(trimmed, index + 1);
    return shop.records.filter(isGone).length;
  }

  findKey(secretSha256: Uint8Array): KeyHolder | null {
    const digest = Buffer.from(secretSha256).toString('hex');
    for (const shopId of this.shopIds()) {
      const live = new Map<string, KeyHolder>();
      for (const { event } of this.#readable(shopId)) {
        if (event.kind === 'keyRevoked') live.delete(event.keyId);
        if (event.kind !== 'keyCreated' || event.key.secretSha256 !== digest) continue;
        live.set(event.key.id, { shopId, keyId: event.key.id, permission: event.key.permission });
      }
      const holder = [...live.values()].at(-1);
      if (holder !== undefined) return holder;
    }
    return null;
  }

  findAnswer(shopId: string, idempotencyKey: string, sinceMs: number): StoredAnswer | null {
    const fromMs = Math.max(sinceMs, this.#store.forgottenMs);
    const removed = this.#store.shops.get(shopId)?.removed ?? 0;
    for (const { answer, atMs, sequenceNumber } of this.#readable(shopId, JSON.stringify(idempotencyKey))) {
      if (sequenceNumber <= removed || answer?.idempotencyKey !== idempotencyKey) continue;
      if (atMs >= fromMs) return answer;
    }
    return null;
  }

  async forgetAnswers(beforeMs: number): Promise<number> {
    if (this.#failure !== null) throw this.#failure;
    const isForgotten = ({ answer, atMs }: LogRecord, untilMs: number) =>
      answer !== undefined && atMs < untilMs;
    const records = [...this.shopIds()].flatMap((shopId) => [...this.#readable(shopId)]);
    const earlier = records.filter((record) => isForgotten(record, this.#store.forgottenMs)).length;
    this.#store.forgottenMs = Math.max(this.#store.forgottenMs, beforeMs);
    return records.filter((record) => isForgotten(record, this.#store.forgottenMs)).length - earlier;
  }

  async writeKeyUse(uses: ReadonlyMap<string, number>): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    for (const [keyId, atMs] of uses) this.#store.keyUse.set(keyId, atMs);
  }

  readKeyUse(keyId: string): number | null {
    return this.#store.keyUse.get(keyId) ?? null;
  }

  async writeShopText(kind: ShopTextKind, shopId: string, text: string | null): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    if (text === null) this.#store[kind].delete(shopId);
    else this.#store[kind].set(shopId, text);
  }

  readShopText(kind: ShopTextKind, shopId: string): string | null {
    return this.#store[kind].get(shopId) ?? null;
  }

  async close(): Promise<void> {
    this.#failure ??= new Error('the log is closed');
  }
}

function* decoded(shopId: string, texts: readonly (string | null)[], after: number): Generator<LogRecord> {
  for (const [index, text] of texts.entries()) {
    const sequenceNumber = index + 1;
    if (sequenceNumber <= after) continue;
    if (text === null) throw new DamagedLogError(shopId, sequenceNumber, 'it is damaged');
    yield { ...(JSON.parse(text) as NewRecord), sequenceNumber };
  }
}
