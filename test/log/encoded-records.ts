/** Stored forms of groups, each with an id of its own. */
import { randomUUID } from 'node:crypto';
import type { AppendGroup, RecordHead } from '../../src/log/authority.ts';
import type { NewRecord } from '../../src/log/event-log.ts';
import * as codec from '../../src/log/record-codec.ts';

export const encodeGroup = (
  shopId: string,
  expected: RecordHead,
  records: readonly NewRecord[],
): AppendGroup => codec.encodeGroup(shopId, expected, records, randomUUID());
