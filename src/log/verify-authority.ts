/**
 * Checks all that an authority holds: every record with its checksum, number and place in the chain, every checkpoint,
 * every head, and every live key against the index. It may run beside writers and removal: a shop in which something is
 * wrong and that has changed meanwhile is looked at again.
 *
 * Bounds: one page of records, one checkpoint and one shop's keys in memory at a time; at most DEFECTS_MAX findings.
 */
import type { ApiKey } from '../domain/api-key.ts';
import { parseShopImage } from '../domain/shop-image.ts';
import { asError } from '../runtime/thrown-error.ts';
import type { Authority, RecordHead, ShopState, StoredRecord } from './authority.ts';
import { AuthorityUnavailableError } from './authority.ts';
import { DamagedLogError, type LogRecord } from './event-log.ts';
import { DEFECTS_MAX, type LogDefect, type LogReport, type VerifyProgress } from './lmdb/verify-log.ts';
import { decodeCheckpoint, decodeRecord, hashRecord, NO_PREVIOUS_HASH } from './record-codec.ts';

const SHOPS_AT_ONCE = 1000;
/** Looks at a shop that others change meanwhile. */
const LOOKS_MAX = 3;

/** Rejects with `AuthorityUnavailableError` alone; what is wrong is in the report. */
export async function verifyAuthority(
  authority: Authority,
  onProgress: (progress: VerifyProgress) => void = () => {},
): Promise<LogReport> {
  let total = 0;
  for await (const { head, removedUpTo } of allShops(authority)) total += head.sequenceNumber - removedUpTo;
  const report = { shops: 0, records: 0, checkpoints: 0, indexEntries: 0, defects: [] as LogDefect[] };
  for await (const state of allShops(authority)) {
    const walk = await verifyShop(authority, state.shopId);
    report.shops++;
    report.records += walk.records;
    report.checkpoints += walk.checkpoints;
    report.indexEntries += walk.keys.size;
    report.defects.push(...walk.defects.slice(0, DEFECTS_MAX - report.defects.length));
    onProgress({ records: report.records, total });
  }
  return report;
}

async function* allShops(authority: Authority): AsyncGenerator<ShopState> {
  for (let after = ''; ; ) {
    const states = await authority.statesAfter(after, SHOPS_AT_ONCE);
    yield* states.filter(({ isDeleted }) => !isDeleted);
    const last = states.at(-1);
    if (last === undefined || states.length < SHOPS_AT_ONCE) return;
    after = last.shopId;
  }
}

async function verifyShop(authority: Authority, shopId: string): Promise<ShopWalk> {
  for (let looks = 1; ; looks++) {
    const before = await authority.states([shopId]);
    const walk = new ShopWalk(authority, shopId);
    await walk.run();
    if (walk.defects.length === 0 || looks === LOOKS_MAX) return walk;
    const after = await authority.states([shopId]);
    if (isSame(before[0], after[0])) return walk;
  }
}

const isSame = (one: ShopState | undefined, other: ShopState | undefined): boolean =>
  one?.head.sequenceNumber === other?.head.sequenceNumber && one?.removedUpTo === other?.removedUpTo;

/** What the records and checkpoints of one shop add up to. */
class ShopWalk {
  readonly #authority: Authority;
  readonly #shopId: string;
  /** Number of a record at which a checkpoint stands -> hash that the checkpoint names. */
  readonly #checkpointHashes = new Map<number, Buffer>();
  readonly defects: LogDefect[] = [];
  /** Live keys. */
  readonly keys = new Map<string, ApiKey>();
  records = 0;
  checkpoints = 0;
  #sequenceNumber = 0;
  #hash = NO_PREVIOUS_HASH;

  constructor(authority: Authority, shopId: string) {
    this.#authority = authority;
    this.#shopId = shopId;
  }

  async run(): Promise<void> {
    const [state] = await this.#authority.states([this.#shopId]);
    if (state === undefined || state.isDeleted) return;
    await this.#readCheckpoints(state);
    if (state.keptRecord > 0) await this.#checkKept(state.keptRecord);
    // Behind a record that is missing there is nothing to compare with.
    if ((await this.#walkRecords(state.head)) === null) return;
    const missing = await this.#keysMissing();
    // What was revoked while the index was asked is in the records behind.
    const head = await this.#walkRecords(state.head);
    if (head === null) return;
    for (const id of missing) {
      if (this.keys.has(id)) this.#report(0, `the index of API keys does not hold ${id} as it is`);
    }
    if (!head.hash.equals(this.#hash)) {
      this.#report(head.sequenceNumber, 'it is not the record that was written last');
    }
  }

  /** Newest first. The one at the beginning of a trimmed log gives the chain its first hash, and the keys. */
  async #readCheckpoints({ removedUpTo }: ShopState): Promise<void> {
    for (let at: number | undefined; ; ) {
      const checkpoint = await this.#authority.checkpoint(this.#shopId, at);
      if (checkpoint === null) break;
      const { sequenceNumber, stored } = checkpoint;
      at = sequenceNumber - 1;
      this.checkpoints++;
      await this.#noted(sequenceNumber, () => {
        const { recordHash, image } = decodeCheckpoint(stored, this.#shopId, sequenceNumber);
        this.#checkpointHashes.set(sequenceNumber, recordHash);
        if (sequenceNumber !== removedUpTo) return;
        this.#sequenceNumber = removedUpTo;
        this.#hash = recordHash;
        for (const key of parseShopImage(image).keys) this.keys.set(key.id, key);
      });
    }
    if (this.#sequenceNumber === removedUpTo) return;
    this.#report(removedUpTo, 'the checkpoint that the log begins with is missing');
    this.#sequenceNumber = removedUpTo;
  }

  /** The record that was kept in front of the beginning. */
  async #checkKept(keptRecord: number): Promise<void> {
    const { records } = await this.#authority.tail(this.#shopId, keptRecord - 1, keptRecord);
    const [record] = records;
    const before = keptRecord === 1 ? NO_PREVIOUS_HASH : this.#checkpointHashes.get(keptRecord - 1);
    await this.#noted(keptRecord, () => {
      if (record === undefined) throw new Error('it is missing');
      this.records++;
      const { previousHash } = decodeRecord(record.stored, this.#shopId, keptRecord);
      if (before?.equals(previousHash) !== true) throw new Error('it does not follow the record before it');
    });
  }

  /** Reads on to the last record. Resolves with the head as it was read with that, or null when a record is missing. */
  async #walkRecords(known: RecordHead): Promise<RecordHead | null> {
    let head = known;
    for (;;) {
      const tail = await this.#noted(this.#sequenceNumber + 1, () =>
        this.#authority.tail(this.#shopId, this.#sequenceNumber),
      );
      if (tail === null) return null;
      head = tail.state?.head ?? head;
      for (const record of tail.records) await this.#follow(record);
      if (tail.records.length === 0 || this.#sequenceNumber >= head.sequenceNumber) return head;
    }
  }

  async #follow({ sequenceNumber, stored }: StoredRecord): Promise<void> {
    const previous = this.#hash;
    this.#sequenceNumber = sequenceNumber;
    this.#hash = hashRecord(stored);
    this.records++;
    await this.#noted(sequenceNumber, () => {
      const { record, previousHash } = decodeRecord(stored, this.#shopId, sequenceNumber);
      this.#followKeys(record);
      if (!previousHash.equals(previous)) throw new Error('it does not follow the record before it');
    });
    const named = this.#checkpointHashes.get(sequenceNumber);
    if (named?.equals(this.#hash) === false)
      this.#report(sequenceNumber, 'checkpoint: it stands at another record');
  }

  #followKeys({ event }: LogRecord): void {
    if (event.kind === 'keyCreated') this.keys.set(event.key.id, event.key);
    else if (event.kind === 'keyRevoked') this.keys.delete(event.keyId);
  }

  /** Ids of live keys that the index does not hold as they are. */
  async #keysMissing(): Promise<readonly string[]> {
    const keys = [...this.keys.values()];
    const holders = await this.#authority.keys(
      keys.map(({ secretSha256 }) => Buffer.from(secretSha256, 'hex')),
    );
    const isHeld = ({ id, permission }: ApiKey, index: number) => {
      const holder = holders[index] ?? null;
      // A secret of two keys belongs to the later one, which may be another shop's.
      return holder !== null && (holder.keyId !== id || holder.permission === permission);
    };
    return keys.filter((key, index) => !isHeld(key, index)).map(({ id }) => id);
  }

  /** Reports what `check` throws about the log; null then. */
  async #noted<T>(sequenceNumber: number, check: () => T | Promise<T>): Promise<T | null> {
    try {
      return await check();
    } catch (error) {
      if (error instanceof AuthorityUnavailableError) throw error;
      this.#report(sequenceNumber, error instanceof DamagedLogError ? error.what : asError(error).message);
      return null;
    }
  }

  #report(sequenceNumber: number, what: string): void {
    if (this.defects.length < DEFECTS_MAX) this.defects.push({ shopId: this.#shopId, sequenceNumber, what });
  }
}
