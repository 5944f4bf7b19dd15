/**
 * Reads consecutive records of a shop, at once or in slices, and checks each against the hash chain.
 *
 * Each slice looks a large value up again, because no view into the memory map may be kept between slices: the map may
 * move, or the log may be closed. Records and checkpoints never change, so all slices see the same value.
 */
import { finishSteps, type ShouldYield, type WorkSteps } from '../../pace/work-steps.ts';
import type { RecordHead } from '../authority.ts';
import { DamagedLogError, type LogRecord } from '../event-log.ts';
import { decodeRecord, decodeRecordSteps, hashSteps } from '../record-codec.ts';
import { type LogTables, readNamed, type Table } from './log-tables.ts';
import { type RecordPlace, recordKey } from './table-format.ts';

export interface WalkRange {
  readonly shopId: string;
  /** The first record to read is the one after this; the last is `upTo`. */
  readonly after: number;
  readonly upTo: number;
  readonly head: RecordHead;
}

export class RecordWalk {
  readonly #tables: LogTables;
  readonly #range: WalkRange;
  readonly #shouldYield: ShouldYield;
  /** The last record that was read. */
  #number: number;
  #hash: Buffer | null = null;

  constructor(tables: LogTables, range: WalkRange, shouldYield: ShouldYield) {
    this.#tables = tables;
    this.#range = range;
    this.#shouldYield = shouldYield;
    this.#number = range.after;
  }

  /** Returns the next record; null after the last. Throws `DamagedLogError`. */
  *nextSteps(): WorkSteps<LogRecord | null> {
    const { shopId, after, upTo, head } = this.#range;
    if (this.#number >= Math.min(upTo, head.sequenceNumber)) return null;
    this.#hash ??= yield* this.#hashBefore();
    const number = this.#number + 1;
    const stored = yield* this.#storedSteps(number);
    const { record, previousHash } = yield* decodeRecordSteps(stored, shopId, number, this.#shouldYield);
    if (!previousHash.equals(this.#hash)) {
      // If the record before the first one is damaged, the error names that record.
      if (number === after + 1 && !this.#isBeginning()) {
        decodeRecord(yield* this.#storedSteps(after), shopId, after);
      }
      throw new DamagedLogError(shopId, number, 'it does not follow the record before it');
    }
    this.#hash = yield* hashSteps(stored, this.#shouldYield);
    if (number === head.sequenceNumber && !head.hash.equals(this.#hash)) {
      throw new DamagedLogError(shopId, number, 'it is not the record that was written last');
    }
    this.#number = number;
    return record;
  }

  /** Reads all records in order, without yielding. */
  *records(): Generator<LogRecord> {
    for (;;) {
      const record = finishSteps(this.nextSteps());
      if (record === null) return;
      yield record;
    }
  }

  /** True when the walk starts at the beginning of the log, where no record is before the first. */
  #isBeginning(): boolean {
    return this.#range.after <= this.#tables.beginning(this.#range.shopId).sequenceNumber;
  }

  *#hashBefore(): WorkSteps<Buffer> {
    const { shopId, after } = this.#range;
    const beginning = this.#tables.newSnapshot().beginning(shopId);
    if (after < beginning.sequenceNumber) {
      const what = 'it and the records before it were removed, and its checkpoint is not usable';
      throw new DamagedLogError(shopId, beginning.sequenceNumber, what);
    }
    if (after === beginning.sequenceNumber) return beginning.hash;
    return yield* hashSteps(yield* this.#storedSteps(after), this.#shouldYield);
  }

  /** Returns the stored form of a record. Throws `DamagedLogError` when it does not exist. */
  *#storedSteps(sequenceNumber: number): WorkSteps<Buffer> {
    const { shopId } = this.#range;
    const place = { shopId, sequenceNumber };
    const stored = yield* valueSteps(this.#tables, 'records', place, this.#shouldYield);
    if (stored === undefined) throw new DamagedLogError(shopId, sequenceNumber, 'it is missing');
    return stored;
  }
}

/** Number of bytes that are copied between two calls of `shouldYield`. */
const COPIED_BYTES = 65_536;

/**
 * Returns a copy of the value of a record or checkpoint, or undefined. Throws once the log is closed, and `DamagedLogError`
 * when LMDB cannot read the value.
 */
export function* valueSteps(
  tables: LogTables,
  name: 'records' | 'checkpoints',
  { shopId, sequenceNumber }: RecordPlace,
  shouldYield: ShouldYield,
): WorkSteps<Buffer | undefined> {
  const key = recordKey(shopId, sequenceNumber);
  let copy: Buffer | null = null;
  for (let at = 0; ; ) {
    tables.requireOpen();
    const mapped = readNamed(shopId, sequenceNumber, () => viewOf(tables[name], key));
    if (mapped === undefined || (copy !== null && copy.length !== mapped.length)) return undefined;
    // Small values are in a buffer that the next look-up reuses.
    if (mapped.length <= COPIED_BYTES) return Buffer.from(mapped);
    copy ??= Buffer.allocUnsafeSlow(mapped.length);
    do {
      const chunk = mapped.subarray(at, at + COPIED_BYTES);
      copy.set(chunk, at);
      at += chunk.length;
    } while (at < copy.length && !shouldYield());
    if (at === copy.length) return copy;
    yield;
  }
}

/** A view of the value, valid until the next look-up or the end of this turn. */
function viewOf(table: Table, key: Buffer): Uint8Array | undefined {
  const found = table.getBinaryFast(key);
  // The binding reuses one buffer for small values and sets its `length` to that of the value.
  return found === undefined ? undefined : new Uint8Array(found.buffer, found.byteOffset, found.length);
}
