/**
 * Look-ups in the indexes of API keys, answers and versions, which `record-changes.ts` writes, in the state that the tables show.
 * Each throws `DamagedLogError` when an entry, or the record that it names, is damaged.
 */
import { timingSafeEqual } from 'node:crypto';
import { isId, numberInVersionId } from '../../domain/id.ts';
import { DamagedLogError, type KeyHolder, type StoredAnswer, type VersionEntry } from '../event-log.ts';
import { decodeRecord, HASH_BYTES } from '../record-codec.ts';
import type { LogTables } from './log-tables.ts';
import { isRemoved, readBeginning } from './shop-entries.ts';
import {
  answerKey,
  keysOf,
  ownedIdKey,
  parseAnswerKey,
  recordKey,
  unsealDigest,
  unsealHolder,
  unsealNumber,
  unsealVersion,
  versionKey,
} from './table-format.ts';

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
    if (sequenceNumber <= readBeginning(tables, shopId).sequenceNumber) continue;
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
  isRemoved(readBeginning(tables, shopId), sequenceNumber);

/** Returns the entry of a version, even if its record was removed and the entry will be removed. */
export function readVersion(tables: LogTables, shopId: string, number: number): VersionEntry | null {
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

export function findVersionEntry(tables: LogTables, shopId: string, versionId: string): VersionEntry | null {
  if (!isId(shopId) || !isId(versionId)) return null;
  const named = versionEntryAt(tables, shopId, numberInVersionId(versionId) ?? 0);
  if (named?.version.id === versionId) return named;
  const idKey = ownedIdKey(shopId, versionId);
  const stored = tables.versionIds.get(idKey);
  if (stored === undefined) return null;
  const number = unsealNumber(idKey, stored);
  const entry = number === null ? null : versionEntryAt(tables, shopId, number);
  if (number === null || (entry !== null && entry.version.id !== versionId)) {
    throw new DamagedLogError(shopId, 0, `the entry of version ${versionId} is damaged`);
  }
  return entry;
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
