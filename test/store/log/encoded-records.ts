/** Stored forms of groups, each with an id of its own. */
import { randomUUID } from 'node:crypto';
import type { AppendGroup, RecordHead } from '../../../src/store/log/authority.ts';
import type { NewRecord } from '../../../src/store/log/event-log.ts';
import * as codec from '../../../src/store/log/record-codec.ts';

export const encodeGroup = (
  shopId: string,
  expected: RecordHead,
  records: readonly NewRecord[],
): AppendGroup => codec.encodeGroup(shopId, expected, records, randomUUID());
