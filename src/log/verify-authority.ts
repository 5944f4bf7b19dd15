/**
 * Checks the whole content of an authority: checksum, number and place in the chain of every record, every checkpoint,
 * every head, and every live key against the index. Records may be written and removed during the check: a shop with a
 * defect is checked again when it has changed meanwhile.
 *
 * Bounds: one page of records, one checkpoint and the keys of one shop in memory; at most DEFECTS_MAX findings.
 */
import type { ApiKey } from '../domain/api-key.ts';
import { parseShopImage } from '../domain/shop-event.ts';
import { asError } from '../runtime/thrown-error.ts';
import {
  type Authority,
  AuthorityUnavailableError,
  liveShops,
  type RecordHead,
  type ShopState,
  type StoredRecord,
} from './authority.ts';
import { DamagedLogError, type LogRecord } from './event-log.ts';
import { DEFECTS_MAX, type LogDefect, type LogReport, type VerifyProgress } from './lmdb/verify-log.ts';
import { decodeCheckpoint, decodeRecord, hashRecord, NO_PREVIOUS_HASH } from './record-codec.ts';

/** Maximum number of checks of a shop that changes meanwhile. */
const LOOKS_MAX = 3;

/** Reports damage instead of throwing; rejects only with `AuthorityUnavailableError`. */
export async function verifyAuthority(
  authority: Authority,
  onProgress: (progress: VerifyProgress) => void = () => {},
): Promise<LogReport> {
  let total = 0;
  for await (const { head, removedUpTo } of liveShops(authority)) total += head.sequenceNumber - removedUpTo;
  const report = { shops: 0, records: 0, checkpoints: 0, indexEntries: 0, defects: [] as LogDefect[] };
  for await (const state of liveShops(authority)) {
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

/** Checks the records and checkpoints of one shop. */
class ShopWalk {
  readonly #authority: Authority;
  readonly #shopId: string;
  /** Number of a record with a checkpoint -> hash of that record according to the checkpoint. */
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
    // After a missing record there is nothing to compare with.
    if ((await this.#walkRecords(state.head)) === null) return;
    const missing = await this.#keysMissing();
    // Keys that were revoked while the index was read are found in the newest records.
    const head = await this.#walkRecords(state.head);
    if (head === null) return;
    for (const id of missing) {
      if (this.keys.has(id))
        this.#report(0, `the entry of ${id} in the index of API keys is missing or wrong`);
    }
    if (!head.hash.equals(this.#hash)) {
      this.#report(head.sequenceNumber, 'it is not the record that was written last');
    }
  }

  /** Newest first. The checkpoint at the beginning of a trimmed log holds the first hash of the chain, and the keys. */
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

  /** Checks the record that was kept before the beginning. */
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

  /** Checks up to the last record. Resolves with the head of the last read; null when a record is missing. */
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
      this.#report(sequenceNumber, 'checkpoint: its hash is not that of its record');
  }

  #followKeys({ event }: LogRecord): void {
    if (event.kind === 'keyCreated') this.keys.set(event.key.id, event.key);
    else if (event.kind === 'keyRevoked') this.keys.delete(event.keyId);
  }

  /** Ids of live keys whose index entries are missing or wrong. */
  async #keysMissing(): Promise<readonly string[]> {
    const keys = [...this.keys.values()];
    const holders = await this.#authority.keys(
      keys.map(({ secretSha256 }) => Buffer.from(secretSha256, 'hex')),
    );
    const isHeld = ({ id, permission }: ApiKey, index: number) => {
      const holder = holders[index] ?? null;
      // When two keys share a secret, the index holds the later key, which may belong to another shop.
      return holder !== null && (holder.keyId !== id || holder.permission === permission);
    };
    return keys.filter((key, index) => !isHeld(key, index)).map(({ id }) => id);
  }

  /** Returns the result of `check`; when it throws about the log, reports that and returns null. */
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
