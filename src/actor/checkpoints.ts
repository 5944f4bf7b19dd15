/**
 * Decides when a shop gets a new checkpoint, and writes it: after the answers are sent, one at a time, and only when
 * the records since the last checkpoint justify it. A checkpoint only saves time at the next start and when an earlier
 * version is read, so a failure is only logged.
 *
 * All checkpoints are kept as long as the records around them. A new one is due when the records since the last one
 * have as many bytes as the image, so that checkpoints (stored deflated) add at most a fraction of the size of the
 * records. A shop that is large compared with its writes still gets a checkpoint every `checkpointRecords` records, so
 * that no read replays more than that.
 */

import { writeImageSteps } from '../change/state-image.ts';
import type { ShopState } from '../domain/shop-event.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { WorkSlices } from '../pace/work-slices.ts';
import { failpoint } from '../runtime/failpoint.ts';
import type { Logger } from '../runtime/logger.ts';
import { asError } from '../runtime/thrown-error.ts';
import type { CheckpointStart } from '../shop/recovery.ts';

export interface CheckpointLimits {
  /** A new checkpoint is due when either limit is reached: records or approximate bytes since the last one. */
  readonly checkpointRecords: number;
  readonly checkpointBytes: number;
}

export interface CheckpointPorts {
  readonly log: Pick<EventLog, 'writeCheckpoint'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly limits: CheckpointLimits;
  readonly slices: WorkSlices;
}

export class Checkpoints {
  readonly #ports: CheckpointPorts;
  readonly #shopId: string;
  #records: number;
  #bytes: number;
  /** Size of the last image: a large shop needs as many bytes of new records before the next checkpoint. */
  #imageLength: number;
  #writing: Promise<void> | null = null;

  constructor(ports: CheckpointPorts, shopId: string, { tail, imageLength }: CheckpointStart) {
    this.#ports = ports;
    this.#shopId = shopId;
    this.#records = tail.records;
    this.#bytes = tail.bytes;
    this.#imageLength = imageLength;
  }

  get isWriting(): boolean {
    return this.#writing !== null;
  }

  /** Resolves when no checkpoint is being written. Never rejects. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** Counts the records that led to `state` at `sequenceNumber`, and starts a checkpoint when one is due. */
  considerAfter(state: ShopState, sequenceNumber: number, records: number, bytes: number): void {
    this.#records += records;
    this.#bytes += bytes;
    const { checkpointRecords, checkpointBytes } = this.#ports.limits;
    const isDue =
      this.#records >= checkpointRecords || this.#bytes >= Math.max(checkpointBytes, this.#imageLength);
    if (!isDue || this.#writing !== null) return;
    this.#records = 0;
    this.#bytes = 0;
    // The state is immutable, so the image can be written later, or from the log by another thread.
    this.#writing = new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.#write(state, sequenceNumber))
      .finally(() => {
        this.#writing = null;
      });
  }

  async #write(state: ShopState, sequenceNumber: number): Promise<void> {
    const { log, logger, metrics, slices } = this.#ports;
    failpoint('before-checkpoint');
    try {
      const image = await slices.start(this, writeImageSteps(state, slices.shouldYield));
      this.#imageLength = image.reduce((length, part) => length + part.length, 0);
      await log.writeCheckpoint(this.#shopId, { sequenceNumber, image });
      metrics.values.checkpoints++;
      logger.debug('checkpoint.written', {
        shopId: this.#shopId,
        sequenceNumber,
        imageLength: this.#imageLength,
      });
    } catch (error) {
      metrics.values.checkpoint_failures++;
      logger.error('checkpoint.failed', { shopId: this.#shopId, sequenceNumber, error: asError(error) });
    }
    failpoint('after-checkpoint');
  }
}
