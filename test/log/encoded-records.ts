/** Stored forms of records and groups, encoded in one go. */
import { randomUUID } from 'node:crypto';
import type { AppendGroup, RecordHead } from '../../src/log/authority.ts';
import type { NewRecord } from '../../src/log/event-log.ts';
import { encodeGroupSteps, encodeRecordSteps } from '../../src/log/record-codec.ts';
import { finishSteps, NEVER } from '../../src/pace/work-steps.ts';

export const encodeRecord = (
  shopId: string,
  sequenceNumber: number,
  previousHash: Buffer,
  record: NewRecord,
): Buffer => finishSteps(encodeRecordSteps(shopId, sequenceNumber, previousHash, record, NEVER));

export const encodeGroup = (
  shopId: string,
  expected: RecordHead,
  records: readonly NewRecord[],
): AppendGroup => finishSteps(encodeGroupSteps(shopId, expected, records, randomUUID(), NEVER));
