/**
 * When a shop gets a new checkpoint, and the writing of it: after the answers are out, one at a time, and
 * never more often than the tail of records since the last one is worth. A checkpoint only saves time, at the
 * next start and for whoever reads an earlier version, so its failure is logged and nothing more.
 *
 * All of them are kept as long as the records around them. They follow each other when the records between two
 * make as many bytes as the image has, so that they add at most a part of what the records take (an image is
 * stored deflated); a shop that is large beside its writes gets one every `checkpointRecords` all the same, so
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
  /** Either number of records or of approximate bytes since the last checkpoint makes a new one due. */
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
  /** Size of the last image: a large shop waits for as many bytes of records before it writes another. */
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

  /** Resolves when none is being written. Never rejects. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** Counts records that led to `state` as of `sequenceNumber` and starts a checkpoint when one is due. */
  considerAfter(state: ShopState, sequenceNumber: number, records: number, bytes: number): void {
    this.#records += records;
    this.#bytes += bytes;
    const { checkpointRecords, checkpointBytes } = this.#ports.limits;
    const isDue =
      this.#records >= checkpointRecords || this.#bytes >= Math.max(checkpointBytes, this.#imageLength);
    if (!isDue || this.#writing !== null) return;
    this.#records = 0;
    this.#bytes = 0;
    // The state is immutable, so the image may be made later, or by another thread from the log.
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
