/** The stored checkpoints of all shops. Finds the newest usable one. */
import { isId } from '../../../engine/domain/id.ts';
import type { RecordHead } from '../authority.ts';
import { checkpointHash, decodeCheckpoint } from '../checkpoint-codec.ts';
import { type Checkpoint, DamagedLogError } from '../event-log.ts';
import { hashRecord } from '../record-codec.ts';
import type { LogTables } from './log-tables.ts';
import { storedValue } from './record-walk.ts';
import { hashInBeginning, parseRecordKey, type RecordPlace, recordKey } from './table-format.ts';

/** As `EventLog.latestCheckpoint`. */
export function latestCheckpoint(tables: LogTables, shopId: string, atMost: number): Checkpoint | null {
  for (const place of placesUpTo(tables, shopId, atMost)) {
    const { sequenceNumber } = place;
    const checkpoint = whenUsable(tables, place, (stored) =>
      decodeCheckpoint(stored, shopId, sequenceNumber),
    );
    if (checkpoint !== null) return { sequenceNumber, image: checkpoint.image };
  }
  return null;
}

/** The record with this number when it has a usable checkpoint, else null. */
export function checkpointedRecord(tables: LogTables, place: RecordPlace): RecordHead | null {
  const { shopId, sequenceNumber } = place;
  const found = whenUsable(tables, place, (stored) => ({
    recordHash: checkpointHash(stored, shopId, sequenceNumber),
  }));
  return found && { sequenceNumber, hash: found.recordHash };
}

/** Null when the checkpoint is damaged or its hash is not that of its record. */
function whenUsable<T extends { readonly recordHash: Buffer }>(
  tables: LogTables,
  place: RecordPlace,
  open: (stored: Buffer) => T,
): T | null {
  try {
    const stored = storedValue(tables, 'checkpoints', place);
    if (stored === undefined) return null;
    const opened = open(stored);
    return recordHashAt(tables, place)?.equals(opened.recordHash) ? opened : null;
  } catch (error) {
    if (error instanceof DamagedLogError) return null;
    throw error;
  }
}

/** Returns the hash of a record, also of a removed one if the beginning holds it; null for any other. */
export function recordHashAt(tables: LogTables, place: RecordPlace): Buffer | null {
  const known = hashInBeginning(tables.beginning(place.shopId), place.sequenceNumber);
  if (known !== undefined) return known;
  const record = storedValue(tables, 'records', place);
  return record === undefined ? null : hashRecord(record);
}

/** The records up to this one that have a checkpoint, newest first. */
function* placesUpTo(tables: LogTables, shopId: string, atMost: number): Generator<RecordPlace> {
  if (!isId(shopId)) return;
  const end = recordKey(shopId, 0);
  for (let last = atMost; last >= 1; last--) {
    tables.requireOpen();
    const range = { start: recordKey(shopId, last), end, reverse: true, limit: 1 };
    const [key] = Array.from(tables.fresh(tables.checkpoints).getKeys(range));
    const place = key === undefined ? null : parseRecordKey(key);
    if (place === null) return;
    yield place;
    last = place.sequenceNumber;
  }
}
