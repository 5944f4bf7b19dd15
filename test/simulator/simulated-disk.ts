/**
 * A disk that outlives simulated processes, and the event log of one process on it. An append is delayed, may fail
 * with each result of the port, and may be pending when its process dies; after the restart it is then stored
 * completely or not at all. A checkpoint may be torn when its process dies.
 */
import {
  type AppendResult,
  type Checkpoint,
  DamagedLogError,
  type EventLog,
  type KeyHolder,
  type LogRecord,
  type NewRecord,
  type StoredAnswer,
  type VersionEntry,
} from '../../src/store/log/event-log.ts';
import { VersionList } from '../support/version-list.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { TaskQueue } from './task-queue.ts';

interface DiskShop {
  /** JSON of each record. */
  readonly records: string[];
  readonly checkpoints: Map<number, string>;
  readonly versions: VersionList;
}

export class SimulatedDisk {
  readonly shops = new Map<string, DiskShop>();
  readonly keyUse = new Map<string, number>();
  readonly #holders = new Map<string, KeyHolder>();
  readonly #answers = new Map<string, { readonly atMs: number; readonly answer: StoredAnswer }[]>();
  /** Called for every group when it is on disk. */
  onStored: (shopId: string, records: readonly LogRecord[]) => void = () => {};

  length(shopId: string): number {
    return this.shops.get(shopId)?.records.length ?? 0;
  }

  /** Stores the whole group, or nothing of it. */
  store(shopId: string, expected: number, texts: readonly string[]): boolean {
    if (this.length(shopId) !== expected) return false;
    const shop: DiskShop = this.shops.get(shopId) ?? {
      records: [],
      checkpoints: new Map(),
      versions: new VersionList(),
    };
    this.shops.set(shopId, shop);
    shop.records.push(...texts);
    const records = texts.map((text, index) => recordOf(text, expected + index + 1));
    for (const record of records) {
      this.#index(shopId, record);
      shop.versions.add(record, record.sequenceNumber);
    }
    this.onStored(shopId, records);
    return true;
  }

  #index(shopId: string, { event, answer, atMs }: LogRecord): void {
    if (event.kind === 'keyCreated') {
      const { id, permission, secretSha256 } = event.key;
      this.#holders.set(secretSha256, { shopId, keyId: id, permission });
    } else if (event.kind === 'keyRevoked') {
      for (const [digest, { keyId }] of this.#holders) {
        if (keyId === event.keyId) this.#holders.delete(digest);
      }
    }
    if (answer === undefined) return;
    const place = `${shopId} ${answer.idempotencyKey}`;
    this.#answers.set(place, [...(this.#answers.get(place) ?? []), { atMs, answer }]);
  }

  holder(digest: string): KeyHolder | null {
    return this.#holders.get(digest) ?? null;
  }

  answer(shopId: string, key: string, sinceMs: number): StoredAnswer | null {
    const answers = this.#answers.get(`${shopId} ${key}`) ?? [];
    return answers.find(({ atMs }) => atMs >= sinceMs)?.answer ?? null;
  }
}

export const recordOf = (text: string, sequenceNumber: number): LogRecord => ({
  ...(JSON.parse(text) as NewRecord),
  sequenceNumber,
});

/** Rates of faults in percent of appends. */
export interface DiskTroubles {
  readonly unavailable: number;
  readonly unknownStored: number;
  readonly unknownLost: number;
  readonly rejected: number;
}

interface PendingAppend {
  readonly shopId: string;
  readonly expected: number;
  readonly texts: readonly string[];
}

/** This log is never trimmed. */
const isThere = (): boolean => true;

export class SimulatedLog implements EventLog {
  readonly #disk: SimulatedDisk;
  readonly #queue: TaskQueue;
  readonly #random: SeededRandom;
  readonly #troubles: DiskTroubles;
  readonly #owner: unknown;
  readonly #pending = new Set<PendingAppend>();
  #failure: Error | null = null;

  constructor(
    disk: SimulatedDisk,
    queue: TaskQueue,
    random: SeededRandom,
    troubles: DiskTroubles,
    owner: unknown,
  ) {
    this.#disk = disk;
    this.#queue = queue;
    this.#random = random;
    this.#troubles = troubles;
    this.#owner = owner;
  }

  append(shopId: string, expected: number, records: readonly NewRecord[]): Promise<AppendResult> {
    if (records.length === 0) throw new RangeError('an append has at least one record');
    const last = this.#disk.length(shopId);
    if (this.#failure !== null) return Promise.resolve({ kind: 'unavailable', cause: this.#failure });
    if (last !== expected) return Promise.resolve({ kind: 'staleWriter' });
    const append = { shopId, expected, texts: records.map((record) => JSON.stringify(record)) };
    this.#pending.add(append);
    return new Promise((resolve, reject) => {
      this.#queue.add(this.#owner, () => {
        this.#pending.delete(append);
        const ended = this.#outcome(append);
        // The answer is delayed too: the process can die between the flush and the answer.
        const tell = () => (ended instanceof Error ? reject(ended) : resolve(ended));
        if (this.#random.chance(50)) tell();
        else this.#queue.add(this.#owner, tell);
      });
    });
  }

  #outcome({ shopId, expected, texts }: PendingAppend): AppendResult | Error {
    if (this.#failure !== null) return { kind: 'unavailable', cause: this.#failure };
    const { unavailable, unknownStored, unknownLost, rejected } = this.#troubles;
    const dice = this.#random.below(100);
    if (dice < rejected) return new RangeError('more than a record can hold');
    if (dice < rejected + unavailable) return { kind: 'unavailable', cause: this.#fail() };
    if (dice < rejected + unavailable + unknownLost) return { kind: 'outcomeUnknown', cause: this.#fail() };
    if (!this.#disk.store(shopId, expected, texts)) return { kind: 'staleWriter' };
    if (dice < rejected + unavailable + unknownLost + unknownStored) {
      return { kind: 'outcomeUnknown', cause: this.#fail() };
    }
    return { kind: 'appended' };
  }

  #fail(): Error {
    this.#failure = new Error('input/output error');
    return this.#failure;
  }

  /** The process dies: the next start finds all or nothing of each pending append. */
  die(): void {
    this.#failure = new Error('dead');
    for (const { shopId, expected, texts } of this.#pending) {
      if (this.#random.chance(50)) this.#disk.store(shopId, expected, texts);
    }
    this.#pending.clear();
  }

  lastSequenceNumber(shopId: string): number {
    return this.#disk.length(shopId);
  }

  *read(shopId: string, after: number, upTo = Number.MAX_SAFE_INTEGER): Generator<LogRecord> {
    const texts = this.#disk.shops.get(shopId)?.records ?? [];
    const last = Math.min(upTo, texts.length);
    for (let number = after + 1; number <= last; number++) {
      const text = texts[number - 1];
      if (text === undefined) throw new DamagedLogError(shopId, number, 'it is missing');
      yield recordOf(text, number);
    }
  }

  shopIds(): Iterable<string> {
    return [...this.#disk.shops.keys()].sort();
  }

  latestCheckpoint(shopId: string, atMost = Number.MAX_SAFE_INTEGER): Checkpoint | null {
    let latest: Checkpoint | null = null;
    for (const [sequenceNumber, image] of this.#disk.shops.get(shopId)?.checkpoints ?? []) {
      if (sequenceNumber <= atMost && sequenceNumber > (latest?.sequenceNumber ?? 0)) {
        latest = { sequenceNumber, image };
      }
    }
    return latest;
  }

  writeCheckpoint(shopId: string, { sequenceNumber, image }: Checkpoint): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.add(this.#owner, () => {
        const shop = this.#disk.shops.get(shopId);
        if (shop === undefined || sequenceNumber > shop.records.length) {
          return reject(new RangeError('a checkpoint stands at a record that exists'));
        }
        if (this.#failure !== null) return reject(this.#failure);
        // Another program could have left half an image; recovery must work without it.
        const isTorn = this.#random.chance(10);
        shop.checkpoints.set(sequenceNumber, isTorn ? image.slice(0, image.length / 2) : image);
        resolve();
      });
    });
  }

  versionAt(shopId: string, number: number): VersionEntry | null {
    return this.#disk.shops.get(shopId)?.versions.at(isThere, number) ?? null;
  }

  oldestVersion(shopId: string): VersionEntry | null {
    return this.#disk.shops.get(shopId)?.versions.find(isThere) ?? null;
  }

  readAudit(shopId: string, upTo: number, most: number): readonly LogRecord[] {
    const texts = this.#disk.shops.get(shopId)?.records.slice(0, upTo) ?? [];
    const told = texts
      .map((text, index) => recordOf(text, index + 1))
      .filter(({ event }) => 'audit' in event);
    return told.reverse().slice(0, most);
  }

  async trim(): Promise<number> {
    throw new Error('nothing is removed from this disk');
  }

  removedUpTo(): number {
    return 0;
  }

  findKey(secretSha256: Uint8Array): KeyHolder | null {
    return this.#disk.holder(Buffer.from(secretSha256).toString('hex'));
  }

  findAnswer(shopId: string, idempotencyKey: string, sinceMs: number): StoredAnswer | null {
    return this.#disk.answer(shopId, idempotencyKey, sinceMs);
  }

  async forgetAnswers(): Promise<number> {
    return 0;
  }

  async writeKeyUse(uses: ReadonlyMap<string, number>): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    for (const [keyId, atMs] of uses) this.#disk.keyUse.set(keyId, atMs);
  }

  readKeyUse(keyId: string): number | null {
    return this.#disk.keyUse.get(keyId) ?? null;
  }

  async writeShopText(): Promise<void> {
    throw new Error('nobody watches simulations here');
  }

  readShopText(): string | null {
    return null;
  }

  async close(): Promise<void> {
    this.#failure ??= new Error('closed');
  }
}
