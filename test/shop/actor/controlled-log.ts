/**
 * The event log in memory with its flush in the hands of a test: an append waits until it is released, or
 * ends as the test says.
 */
import {
  type AppendResult,
  type Checkpoint,
  type KeyHolder,
  type LogRecord,
  type NewRecord,
  RecordTooLargeError,
} from '../../../src/store/log/event-log.ts';
import { MemoryEventLog } from '../../support/memory-event-log.ts';

export class ControlledLog extends MemoryEventLog {
  /** Number of records of each append that was tried. */
  readonly appends: number[] = [];
  /** Sequence numbers of the checkpoints that were written. */
  readonly checkpoints: number[] = [];
  /** While true an append waits for `release`. */
  isHeld = false;
  /** The results of the next appends instead of writing; one that throws makes the append reject. */
  readonly outcomes: (() => AppendResult)[] = [];
  /** Rejects every append with a record that it says so of, as one that the disk format cannot hold. */
  isTooLarge: (record: NewRecord) => boolean = () => false;
  readsOfKeys = 0;
  checkpointFailure: Error | null = null;
  readonly #waiting: (() => void)[] = [];

  release(): void {
    for (const resume of this.#waiting.splice(0)) resume();
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  records(shopId: string): readonly LogRecord[] {
    return [...this.read(shopId, 0)];
  }

  override async append(
    shopId: string,
    expectedSequenceNumber: number,
    records: readonly NewRecord[],
  ): Promise<AppendResult> {
    this.appends.push(records.length);
    if (this.isHeld) await new Promise<void>((resume) => this.#waiting.push(resume));
    if (records.some(this.isTooLarge)) throw new RecordTooLargeError(1_000_000_000);
    const outcome = this.outcomes.shift();
    return outcome?.() ?? super.append(shopId, expectedSequenceNumber, records);
  }

  override async writeCheckpoint(shopId: string, checkpoint: Checkpoint): Promise<void> {
    if (this.checkpointFailure !== null) throw this.checkpointFailure;
    await super.writeCheckpoint(shopId, checkpoint);
    this.checkpoints.push(checkpoint.sequenceNumber);
  }

  override findKey(secretSha256: Uint8Array): KeyHolder | null {
    this.readsOfKeys++;
    return super.findKey(secretSha256);
  }
}
