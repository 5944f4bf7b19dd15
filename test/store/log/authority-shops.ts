/** Groups of records for tests of the `Authority` port; each record is identified by a mark. */
import assert from 'node:assert/strict';
import type { AppendGroup, Authority, RecordHead, TurnResult } from '../../../src/store/log/authority.ts';
import type { NewRecord } from '../../../src/store/log/event-log.ts';
import { decodeRecord, headAfter, NO_HEAD } from '../../../src/store/log/record-codec.ts';
import { encodeGroup } from './encoded-records.ts';
import { markOf, settingsRecord } from './sample-records.ts';

let shops = 0;

/** Returns an id that no other test of this process uses. */
export const newShopId = (): string => `shop_${process.pid}_${++shops}`;

/** One record per mark, after `expected`. */
export const groupOf = (
  shopId: string,
  expected: RecordHead,
  ...marks: readonly (number | string)[]
): AppendGroup =>
  encodeGroup(
    shopId,
    expected,
    marks.map((mark) => settingsRecord(mark)),
  );

/** A record with a stored form of about this many bytes. */
/** So many bytes stand in it once: the audit is not told of them. */
export function bulkyRecord(bytes: number): NewRecord {
  const { event, ...record } = settingsRecord('x'.repeat(bytes));
  assert.ok(event.kind === 'settingsChanged');
  const { audit: _, ...bare } = event;
  return { ...record, event: bare };
}

export const kindOf = async (result: Promise<TurnResult>): Promise<string> => (await result).kind;

/** Appends a group, which must succeed; returns the head after it. */
export async function appendGroup(authority: Authority, group: AppendGroup): Promise<RecordHead> {
  const result = await authority.append(group);
  assert.equal(result.kind, 'appended', 'cause' in result ? String(result.cause) : '');
  return headAfter(group);
}

/** Appends one record per mark to a shop with this head. */
export const appendMarks = (
  authority: Authority,
  shopId: string,
  head: RecordHead,
  ...marks: readonly (number | string)[]
): Promise<RecordHead> => appendGroup(authority, groupOf(shopId, head, ...marks));

/** Makes a new shop with these records. */
export async function newShop(
  authority: Authority,
  ...marks: readonly (number | string)[]
): Promise<{ readonly shopId: string; readonly head: RecordHead }> {
  const shopId = newShopId();
  return { shopId, head: await appendMarks(authority, shopId, NO_HEAD, ...marks) };
}

/** `number:mark` of all records after `after`, read in as many tails as needed; checks each record. */
export async function marksBehind(
  authority: Authority,
  shopId: string,
  after = 0,
): Promise<readonly string[]> {
  const marks: string[] = [];
  for (let at = after; ; ) {
    const { state, records } = await authority.tail(shopId, at);
    for (const { sequenceNumber, stored } of records) {
      const { record } = decodeRecord(stored, shopId, sequenceNumber);
      marks.push(`${sequenceNumber}:${markOf(record)}`);
      at = sequenceNumber;
    }
    if (state === null || records.length === 0 || at === state.head.sequenceNumber) return marks;
  }
}
