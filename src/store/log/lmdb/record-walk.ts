/**
 * Reads consecutive records of a shop and checks each against the hash chain. Other work may run between two records: each is
 * looked up anew and copied, because the memory map may move, and the log may be closed.
 */
import type { RecordHead } from '../authority.ts';
import { DamagedLogError, type LogRecord } from '../event-log.ts';
import { decodeRecord, hashRecord } from '../record-codec.ts';
import { type LogTables, readNamed } from './log-tables.ts';
import { type RecordPlace, recordKey } from './table-format.ts';

interface WalkRange {
  readonly shopId: string;
  /** The first record to read is the one after this; the last is `upTo`. */
  readonly after: number;
  readonly upTo: number;
  readonly head: RecordHead;
}

/** Throws `DamagedLogError`, and once the log is closed. */
export function* walkRecords(
  tables: LogTables,
  { shopId, after, upTo, head }: WalkRange,
): Generator<LogRecord> {
  const last = Math.min(upTo, head.sequenceNumber);
  if (after >= last) return;
  let hash = hashBefore(tables, shopId, after);
  for (let number = after + 1; number <= last; number++) {
    const stored = storedRecord(tables, shopId, number);
    const { record, previousHash } = decodeRecord(stored, shopId, number);
    if (!previousHash.equals(hash)) {
      // If the record before the first one is damaged, the error names that record.
      if (number === after + 1 && after > tables.beginning(shopId).sequenceNumber)
        decodeRecord(storedRecord(tables, shopId, after), shopId, after);
      throw new DamagedLogError(shopId, number, 'it does not follow the record before it');
    }
    hash = hashRecord(stored);
    if (number === head.sequenceNumber && !head.hash.equals(hash))
      throw new DamagedLogError(shopId, number, 'it is not the record that was written last');
    yield record;
  }
}

function hashBefore(tables: LogTables, shopId: string, after: number): Buffer {
  tables.requireOpen();
  const beginning = tables.newSnapshot().beginning(shopId);
  if (after < beginning.sequenceNumber) {
    const what = 'it and the records before it were removed, and its checkpoint is not usable';
    throw new DamagedLogError(shopId, beginning.sequenceNumber, what);
  }
  if (after === beginning.sequenceNumber) return beginning.hash;
  return hashRecord(storedRecord(tables, shopId, after));
}

function storedRecord(tables: LogTables, shopId: string, sequenceNumber: number): Buffer {
  const stored = storedValue(tables, 'records', { shopId, sequenceNumber });
  if (stored === undefined) throw new DamagedLogError(shopId, sequenceNumber, 'it is missing');
  return stored;
}

/** A copy of the value of a record or checkpoint, or undefined. Throws once the log is closed, and `DamagedLogError`. */
export function storedValue(
  tables: LogTables,
  name: 'records' | 'checkpoints',
  { shopId, sequenceNumber }: RecordPlace,
): Buffer | undefined {
  tables.requireOpen();
  const found = readNamed(shopId, sequenceNumber, () => tables[name].get(recordKey(shopId, sequenceNumber)));
  return found === undefined ? undefined : Buffer.from(found);
}
