/** The stored checkpoints of all shops. Finds the newest usable one, at once or in slices. */
import { byteLengthOf, joinSteps } from '../../bytes/joined-bytes.ts';
import { readJsonSteps } from '../../bytes/json-reading.ts';
import { isId } from '../../domain/id.ts';
import type { WorkSlices } from '../../pace/work-slices.ts';
import { finishSteps, type WorkSteps } from '../../pace/work-steps.ts';
import { imageParts, imageText, type OpenedCheckpoint, openCheckpointSteps } from '../checkpoint-codec.ts';
import { type Checkpoint, DamagedLogError, type ReadImage } from '../event-log.ts';
import { hashSteps } from '../record-codec.ts';
import type { LogTables } from './log-tables.ts';
import { valueSteps } from './record-walk.ts';
import { hashInBeginning, parseRecordKey, type RecordPlace, recordKey } from './table-format.ts';

export class CheckpointTable {
  readonly #tables: LogTables;
  readonly #slices: WorkSlices;

  constructor(tables: LogTables, slices: WorkSlices) {
    this.#tables = tables;
    this.#slices = slices;
  }

  /** As `EventLog.latestCheckpoint`. */
  latest(shopId: string, atMost: number): Checkpoint | null {
    for (const place of this.#placesUpTo(shopId, atMost)) {
      const opened = finishSteps(this.usableSteps(place));
      if (opened === null) continue;
      try {
        return { sequenceNumber: opened.sequenceNumber, image: imageText(opened) };
      } catch {
        // The checksum is right but the content is no image: try an older checkpoint.
      }
    }
    return null;
  }

  /** As `EventLog.latestImage`. */
  async latestImage(shopId: string, atMost: number): Promise<ReadImage | null> {
    const turns = {};
    for (const place of this.#placesUpTo(shopId, atMost)) {
      const opened = await this.#slices.start(turns, this.usableSteps(place));
      if (opened === null) continue;
      try {
        const parts = await imageParts(opened);
        return await this.#slices.start(turns, this.#imageSteps(opened.sequenceNumber, parts));
      } catch {
        // As in `latest`.
      }
    }
    return null;
  }

  *#imageSteps(sequenceNumber: number, parts: Buffer[]): WorkSteps<ReadImage> {
    const { shouldYield } = this.#slices;
    const bytes = yield* joinSteps(parts, Buffer.allocUnsafeSlow(byteLengthOf(parts)), shouldYield);
    return { sequenceNumber, length: bytes.length, data: yield* readJsonSteps(bytes, shouldYield) };
  }

  /** Returns the checkpoint at this record; null when it is damaged or its hash is not that of its record. */
  *usableSteps(place: RecordPlace): WorkSteps<OpenedCheckpoint | null> {
    const { shouldYield } = this.#slices;
    try {
      const stored = yield* valueSteps(this.#tables, 'checkpoints', place, shouldYield);
      if (stored === undefined) return null;
      const opened = yield* openCheckpointSteps(stored, place.shopId, place.sequenceNumber, shouldYield);
      const hash = yield* this.hashSteps(place);
      return hash?.equals(opened.recordHash) ? opened : null;
    } catch (error) {
      if (error instanceof DamagedLogError) return null;
      throw error;
    }
  }

  /** Returns the hash of a record, also of a removed one if the beginning holds it; null for any other. */
  *hashSteps(place: RecordPlace): WorkSteps<Buffer | null> {
    const { shouldYield } = this.#slices;
    const known = hashInBeginning(this.#tables.beginning(place.shopId), place.sequenceNumber);
    if (known !== undefined) return known;
    const record = yield* valueSteps(this.#tables, 'records', place, shouldYield);
    return record === undefined ? null : yield* hashSteps(record, shouldYield);
  }

  /** The records up to this one that have a checkpoint, newest first. */
  *#placesUpTo(shopId: string, atMost: number): Generator<RecordPlace> {
    if (!isId(shopId)) return;
    const end = recordKey(shopId, 0);
    for (let last = atMost; last >= 1; last--) {
      this.#tables.requireOpen();
      const range = { start: recordKey(shopId, last), end, reverse: true, limit: 1 };
      const [key] = Array.from(this.#tables.fresh(this.#tables.checkpoints).getKeys(range));
      const place = key === undefined ? null : parseRecordKey(key);
      if (place === null) return;
      yield place;
      last = place.sequenceNumber;
    }
  }
}
