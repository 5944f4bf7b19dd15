/** The stored checkpoints of all shops. Finds the newest usable one, at once or in slices. */
import { joinSteps, lengthOf } from '../../bytes/joined-bytes.ts';
import { readJsonSteps } from '../../bytes/json-reading.ts';
import type { WorkSlices } from '../../pace/work-slices.ts';
import { finishSteps, type ShouldYield, type WorkSteps } from '../../pace/work-steps.ts';
import { type Checkpoint, DamagedLogError, type ReadImage } from '../event-log.ts';
import { inflateImage } from '../packed-image.ts';
import { hashSteps, imageText, type OpenedCheckpoint, openCheckpointSteps } from '../record-codec.ts';
import { notedHash, readBeginning } from './log-beginning.ts';
import { parseRecordKey, type RecordPlace, recordKey } from './log-keys.ts';
import type { LogTables, Table } from './log-tables.ts';
import { valueSteps } from './stored-value.ts';

const NO_TEXT: unique symbol = Symbol('no JSON text');

export class CheckpointTable {
  readonly #tables: LogTables;
  readonly #requireOpen: () => void;
  readonly #slices: WorkSlices;

  /** `requireOpen` throws once the log is closed. */
  constructor(tables: LogTables, requireOpen: () => void, slices: WorkSlices) {
    this.#tables = tables;
    this.#requireOpen = requireOpen;
    this.#slices = slices;
  }

  /** As `EventLog.latestCheckpoint`. */
  latest(shopId: string, atMost: number): Checkpoint | null {
    for (let key = this.#keyUpTo(shopId, atMost); key !== null; key = this.#keyBefore(shopId, key)) {
      const opened = finishSteps(this.usableSteps(key));
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
    for (let key = this.#keyUpTo(shopId, atMost); key !== null; key = this.#keyBefore(shopId, key)) {
      const opened = await this.#slices.start(turns, this.usableSteps(key));
      if (opened === null) continue;
      const { sequenceNumber, content, isPacked } = opened;
      const parts = isPacked ? await inflateImage(content).catch(() => null) : [content];
      if (parts === null) continue;
      const { data, length } = await this.#slices.start(turns, this.#readSteps(parts));
      return { sequenceNumber, length, data: data === NO_TEXT ? undefined : data };
    }
    return null;
  }

  /** Returns the checkpoint under this key; null when it is damaged or its hash is not that of its record. */
  *usableSteps(key: Buffer): WorkSteps<OpenedCheckpoint | null> {
    const { shouldYield } = this.#slices;
    const place = parseRecordKey(key);
    const stored = yield* this.#valueSteps(this.#tables.checkpoints, key, shouldYield);
    if (place === null || stored === undefined) return null;
    try {
      const opened = yield* openCheckpointSteps(stored, place.shopId, place.sequenceNumber, shouldYield);
      const hash = yield* this.#hashSteps(place, shouldYield);
      return hash?.equals(opened.recordHash) ? opened : null;
    } catch (error) {
      if (error instanceof DamagedLogError) return null;
      throw error;
    }
  }

  /** Hash of a record, also of a removed record at the beginning; null for any other that does not exist. */
  hashAt(place: RecordPlace): Promise<Buffer | null> {
    return Promise.resolve(this.#slices.start({}, this.#hashSteps(place, this.#slices.shouldYield)));
  }

  *#hashSteps({ shopId, sequenceNumber }: RecordPlace, shouldYield: ShouldYield): WorkSteps<Buffer | null> {
    const noted = notedHash(readBeginning(this.#tables, shopId), sequenceNumber);
    if (noted !== undefined) return noted;
    const record = yield* this.#valueSteps(
      this.#tables.records,
      recordKey(shopId, sequenceNumber),
      shouldYield,
    );
    return record === undefined ? null : yield* hashSteps(record, shouldYield);
  }

  *#readSteps(parts: Buffer[]): WorkSteps<{ readonly data: unknown; readonly length: number }> {
    const { shouldYield } = this.#slices;
    const [only] = parts;
    const bytes =
      parts.length === 1 && only !== undefined
        ? only
        : yield* joinSteps(parts, Buffer.allocUnsafeSlow(lengthOf(parts)), shouldYield);
    try {
      return { data: yield* readJsonSteps(bytes, shouldYield), length: bytes.length };
    } catch (error) {
      if (error instanceof SyntaxError) return { data: NO_TEXT, length: bytes.length };
      throw error;
    }
  }

  *#valueSteps(table: Table, key: Buffer, shouldYield: ShouldYield): WorkSteps<Buffer | undefined> {
    const steps = valueSteps(table, key, shouldYield);
    for (;;) {
      this.#requireOpen();
      const step = steps.next();
      if (step.done === true) return step.value;
      yield;
    }
  }

  /** Key of the last checkpoint of the shop at or before this record. */
  #keyUpTo(shopId: string, atMost: number): Buffer | null {
    this.#requireOpen();
    if (atMost < 1) return null;
    const range = { start: recordKey(shopId, atMost), end: recordKey(shopId, 0), reverse: true, limit: 1 };
    for (const key of this.#tables.fresh(this.#tables.checkpoints).getKeys(range)) return key;
    return null;
  }

  #keyBefore(shopId: string, key: Buffer): Buffer | null {
    const place = parseRecordKey(key);
    return place === null ? null : this.#keyUpTo(shopId, place.sequenceNumber - 1);
  }
}
