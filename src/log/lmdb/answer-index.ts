/**
 * Index of stored answers: shop, hash of the idempotency key and sequence number -> time. Entries are written once and
 * removed by age, never changed, so a removal cannot affect a newer answer under the same key. The answer itself is in
 * its record.
 */
import { DamagedLogError, type NewRecord, type StoredAnswer } from '../event-log.ts';
import { decodeRecord } from '../record-codec.ts';
import { sealTime, unsealTime } from './index-entry.ts';
import { readBeginning } from './log-beginning.ts';
import { answerKey, parseAnswerKey, recordKey } from './log-keys.ts';
import type { Change, Commit, Entry, LogTables } from './log-tables.ts';

/** Number of entries that are read in one turn of the event loop and removed in one commit. */
const FORGET_BATCH = 1000;

/**
 * Key of an entry that belongs to no shop: the time up to which answers were removed. Later answers must be indexed.
 */
export const FORGOTTEN_KEY: Buffer = Buffer.from([0]);

/** The change of the index for a record with an answer. */
export function answerChange(
  { answers }: LogTables,
  shopId: string,
  sequenceNumber: number,
  { atMs, answer }: Required<Pick<NewRecord, 'atMs' | 'answer'>>,
): Change {
  const key = answerKey(shopId, answer.idempotencyKey, sequenceNumber);
  return { table: answers, key, value: sealTime(key, atMs) };
}

/** Returns the first answer under the key at or after `sinceMs`, or null. Throws `DamagedLogError`. */
export function findStoredAnswer(
  tables: LogTables,
  shopId: string,
  idempotencyKey: string,
  sinceMs: number,
): StoredAnswer | null {
  const range = {
    start: answerKey(shopId, idempotencyKey, 0),
    end: answerKey(shopId, idempotencyKey, Number.MAX_SAFE_INTEGER),
  };
  for (const { key, value } of tables.fresh(tables.answers).getRange(range)) {
    const sequenceNumber = parseAnswerKey(key)?.sequenceNumber ?? 0;
    const damaged = (what: string) => new DamagedLogError(shopId, sequenceNumber, what);
    const atMs = unsealTime(key, value);
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

/** Removes the entries of answers given before `beforeMs`; resolves with their number. Damaged entries stay. */
export async function forgetOldAnswers(tables: LogTables, beforeMs: number, commit: Commit): Promise<number> {
  const { answers } = tables;
  const known = tables.fresh(answers).get(FORGOTTEN_KEY);
  const forgottenMs = Math.max(beforeMs, (known && unsealTime(FORGOTTEN_KEY, known)) ?? 0);
  const mark = { table: answers, key: FORGOTTEN_KEY, value: sealTime(FORGOTTEN_KEY, forgottenMs) };
  const isOld = ({ key, value }: Entry) => (unsealTime(key, value) ?? beforeMs) < beforeMs;
  let forgotten = 0;
  let last = FORGOTTEN_KEY;
  for (;;) {
    const range = { start: last, exclusiveStart: true, limit: FORGET_BATCH };
    const batch = Array.from(tables.fresh(answers).getRange(range));
    const removals = batch.filter(isOld).map(({ key }) => ({ table: answers, key, value: null }));
    if (removals.length > 0) await commit([mark, ...removals]);
    forgotten += removals.length;
    if (batch.length < FORGET_BATCH) return forgotten;
    last = batch.at(-1)?.key ?? last;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
