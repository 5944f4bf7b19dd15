/**
 * The indexes that are derived from records, and written in one transaction with them:
 * - API keys: digest of the secret -> holder, and key id -> digest. A holder is valid only while the second table contains its
 *   digest. A revocation removes that entry by the key's id alone, so it always takes effect.
 * - Answers: shop, hash of the idempotency key and number of the record -> time. Entries are written once and removed by age,
 *   never changed, so a removal cannot affect a newer answer under the same key. The answer itself is in its record.
 * - Audit: number of each record that the audit tells of.
 * - Versions: number -> the version, its record and its run in a batch. A list of versions is read without reading records.
 *
 * Look-ups show the state of the tables; each throws `DamagedLogError` when an entry, or the record that it names, is damaged.
 */
import { timingSafeEqual } from 'node:crypto';
import { isId } from '../../../engine/domain/id.ts';
import { auditNoteOf } from '../../../engine/domain/shop-event.ts';
import type { MadeKey, RecordHead } from '../authority.ts';
import {
  batchRunOf,
  DamagedLogError,
  EVENT_TEXT,
  type KeyHolder,
  type LogRecord,
  type NewRecord,
  type StoredAnswer,
  type VersionEntry,
  versionOf,
} from '../event-log.ts';
import { decodeRecord, HASH_BYTES, keyChangesOf } from '../record-codec.ts';
import type { Change, LogTables, Table } from './log-tables.ts';
import {
  answerKey,
  keysOf,
  ownedIdKey,
  parseAnswerKey,
  parseRecordKey,
  recordKey,
  sealDigest,
  sealHead,
  sealHolder,
  sealNumber,
  sealText,
  sealVersion,
  shopKey,
  unsealDigest,
  unsealHolder,
  unsealNumber,
  unsealVersion,
  versionKey,
} from './table-format.ts';

/**
 * Collects the changes of all tables for consecutive records. Reads the tables as of the start of the append; the append takes
 * effect only if they are unchanged then.
 */
export class RecordChanges {
  readonly #tables: LogTables;
  readonly #shopId: string;
  readonly #changes: Change[] = [];
  readonly #records: NewRecord[] = [];
  #lastVersion: VersionEntry | null = null;

  constructor(tables: LogTables, shopId: string) {
    this.#tables = tables;
    this.#shopId = shopId;
  }

  /** `stored` is the stored form of the record; the caller must not change it afterwards. */
  add(record: NewRecord, sequenceNumber: number, stored: Buffer): void {
    const { records, answers } = this.#tables;
    this.#records.push(record);
    this.#put(records, recordKey(this.#shopId, sequenceNumber), stored);
    const { answer, atMs } = record;
    if (answer !== undefined) {
      const key = answerKey(this.#shopId, answer.idempotencyKey, sequenceNumber);
      this.#put(answers, key, sealNumber(key, atMs));
    }
    if (auditNoteOf(record.event) !== null) {
      const key = recordKey(this.#shopId, sequenceNumber);
      this.#put(this.#tables.audit, key, sealText(key, ''));
    }
    if (record.event.kind === 'stagingEnded')
      this.#changes.push(this.#tables.shopTextChange('shadowResults', this.#shopId, null));
    const version = versionOf(record);
    if (version === null) return;
    const entry = { version, sequenceNumber, batchRun: batchRunOf(version, this.#versionBefore(version)) };
    this.#lastVersion = entry;
    const key = versionKey(this.#shopId, version.number);
    this.#put(this.#tables.versions, key, sealVersion(key, entry, record[EVENT_TEXT]?.version ?? undefined));
  }

  /** The version before this one; null outside of a batch, where it is not needed. */
  #versionBefore({ number, batchId }: VersionEntry['version']): VersionEntry | null {
    if (batchId === null || this.#lastVersion !== null) return this.#lastVersion;
    return readVersion(this.#tables.newSnapshot(), this.#shopId, number - 1);
  }

  /** Returns all changes, with `head` as the shop's last record. */
  upTo(head: RecordHead): readonly Change[] {
    const key = shopKey(this.#shopId);
    this.#changeKeys();
    this.#put(this.#tables.shops, key, sealHead(key, head));
    return this.#changes;
  }

  #changeKeys(): void {
    const { apiKeys, keyIds } = this.#tables;
    const { keysMade, keysRevoked } = keyChangesOf(this.#records);
    for (const keyId of keysRevoked) {
      const idKey = ownedIdKey(this.#shopId, keyId);
      this.#put(keyIds, idKey, null);
      const digest = unsealDigest(idKey, this.#tables.fresh(keyIds).get(idKey));
      const holder = digest === null ? null : unsealHolder(digest, apiKeys.get(digest));
      // A later key with the same secret, of this shop or another, keeps the entry.
      if (digest !== null && holder?.shopId === this.#shopId && holder.keyId === keyId)
        this.#put(apiKeys, digest, null);
    }
    for (const made of keysMade) this.#changes.push(...keyChanges(this.#tables, this.#shopId, made));
  }

  #put(table: Table, key: Buffer, value: Buffer | null): void {
    this.#changes.push({ table, key, value });
  }
}

/** The entries of a live key. */
export function keyChanges(
  { apiKeys, keyIds }: LogTables,
  shopId: string,
  { digest, keyId, permission }: MadeKey,
): readonly Change[] {
  const idKey = ownedIdKey(shopId, keyId);
  return [
    { table: apiKeys, key: digest, value: sealHolder(digest, { shopId, keyId, permission }) },
    { table: keyIds, key: idKey, value: sealDigest(idKey, digest) },
  ];
}

/** Returns the holder of the key with this digest, or null. Throws `DamagedLogError`. */
export function findKeyHolder(tables: LogTables, secretSha256: Uint8Array): KeyHolder | null {
  if (secretSha256.length !== HASH_BYTES) return null;
  const digest = Buffer.from(secretSha256);
  const entry = tables.apiKeys.get(digest);
  if (entry === undefined) return null;
  const holder = unsealHolder(digest, entry);
  if (holder === null) throw new DamagedLogError('?', 0, 'an entry of the table of API keys is damaged');
  const idKey = ownedIdKey(holder.shopId, holder.keyId);
  const idEntry = tables.keyIds.get(idKey);
  if (idEntry === undefined) return null;
  const current = unsealDigest(idKey, idEntry);
  if (current === null)
    throw new DamagedLogError(holder.shopId, 0, `the entry of ${holder.keyId} is damaged`);
  return timingSafeEqual(current, digest) ? holder : null;
}

/** Returns the first answer under the key at or after `sinceMs`, or null. Throws `DamagedLogError`. */
export function findStoredAnswer(
  tables: LogTables,
  shopId: string,
  idempotencyKey: string,
  sinceMs: number,
): StoredAnswer | null {
  if (!isId(shopId)) return null;
  const range = {
    start: answerKey(shopId, idempotencyKey, 0),
    end: answerKey(shopId, idempotencyKey, Number.MAX_SAFE_INTEGER),
  };
  for (const { key, value } of tables.answers.getRange(range)) {
    const sequenceNumber = parseAnswerKey(key)?.sequenceNumber ?? 0;
    const damaged = (what: string) => new DamagedLogError(shopId, sequenceNumber, what);
    const atMs = unsealNumber(key, value);
    if (atMs === null) throw damaged('its entry in the table of answers is damaged');
    if (atMs < sinceMs) continue;
    // The record was removed. Happens only when the clock was set back.
    if (sequenceNumber <= tables.beginning(shopId).sequenceNumber) continue;
    const stored = tables.records.get(recordKey(shopId, sequenceNumber));
    if (stored === undefined) throw damaged('it is missing');
    const { answer } = decodeRecord(stored, shopId, sequenceNumber).record;
    if (answer?.idempotencyKey !== idempotencyKey)
      throw damaged('it does not contain the answer that the index names');
    return answer;
  }
  return null;
}

const isGone = (tables: LogTables, shopId: string, { sequenceNumber }: VersionEntry): boolean =>
  sequenceNumber <= tables.beginning(shopId).sequenceNumber;

/** Returns the entry of a version, even if its record was removed and the entry will be removed. */
function readVersion(tables: LogTables, shopId: string, number: number): VersionEntry | null {
  const key = versionKey(shopId, number);
  const stored = tables.versions.get(key);
  if (stored === undefined) return null;
  const entry = unsealVersion(key, stored);
  if (entry?.version.number !== number) {
    throw new DamagedLogError(shopId, 0, `the entry of version ${number} is damaged`);
  }
  return entry;
}

/** As `EventLog.versionAt`. This and the functions below throw `DamagedLogError`. */
export function versionEntryAt(tables: LogTables, shopId: string, number: number): VersionEntry | null {
  if (!isId(shopId) || !Number.isSafeInteger(number) || number < 1) return null;
  const entry = readVersion(tables, shopId, number);
  return entry === null || isGone(tables, shopId, entry) ? null : entry;
}

export function oldestVersionEntry(tables: LogTables, shopId: string): VersionEntry | null {
  if (!isId(shopId)) return null;
  for (const { key, value } of tables.versions.getRange(keysOf(shopId))) {
    const entry = unsealVersion(key, value);
    if (entry === null) throw new DamagedLogError(shopId, 0, 'the entry of its oldest version is damaged');
    if (!isGone(tables, shopId, entry)) return entry;
  }
  return null;
}

/** As `EventLog.readAudit`. */
export function auditRecords(
  tables: LogTables,
  shopId: string,
  upTo: number,
  most: number,
): readonly LogRecord[] {
  if (!isId(shopId)) return [];
  const end = recordKey(shopId, tables.beginning(shopId).sequenceNumber);
  const range = { start: recordKey(shopId, upTo), end, reverse: true, limit: most };
  return Array.from(tables.audit.getKeys(range), (key) => {
    const sequenceNumber = parseRecordKey(key)?.sequenceNumber ?? 0;
    const stored = tables.records.get(key);
    if (stored === undefined) throw new DamagedLogError(shopId, sequenceNumber, 'it is missing');
    return decodeRecord(stored, shopId, sequenceNumber).record;
  });
}
