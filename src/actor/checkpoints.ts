/**
 * When a shop gets a new checkpoint, and the writing of it: after the answers are out, one at a time, and
 * never more often than the tail of records since the last one is worth. A checkpoint only saves time at
 * the next start, so its failure is logged and nothing more.
 */

import { writeImage } from '../change/state-image.ts';
import type { ShopState } from '../domain/shop-event.ts';
import type { EventLog } from '../log/event-log.ts';
import { failpoint } from '../runtime/failpoint.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { asError } from '../runtime/thrown-error.ts';

export interface CheckpointLimits {
  /** Either number of records or of approximate bytes since the last checkpoint makes a new one due. */
  readonly checkpointRecords: number;
  readonly checkpointBytes: number;
}

/** The records since the last checkpoint. */
export interface Tail {
  readonly records: number;
  readonly bytes: number;
}

export interface CheckpointPorts {
  readonly log: Pick<EventLog, 'writeCheckpoint'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly limits: CheckpointLimits;
}

export class Checkpoints {
  readonly #ports: CheckpointPorts;
  readonly #shopId: string;
  #records: number;
  #bytes: number;
  /** Size of the last image: a large shop waits for as many bytes of records before it writes another. */
  #imageBytes = 0;
  #writing: Promise<void> | null = null;

  constructor(ports: CheckpointPorts, shopId: string, tail: Tail) {
    this.#ports = ports;
    this.#shopId = shopId;
    this.#records = tail.records;
    this.#bytes = tail.bytes;
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
      this.#records >= checkpointRecords || this.#bytes >= Math.max(checkpointBytes, this.#imageBytes);
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
    const { log, logger, metrics } = this.#ports;
    failpoint('before-checkpoint');
    try {
      const image = writeImage(state);
      this.#imageBytes = image.length;
      await log.writeCheckpoint(this.#shopId, { sequenceNumber, image });
      metrics.values.checkpoints++;
      logger.debug('checkpoint.written', { shopId: this.#shopId, sequenceNumber, imageLength: image.length });
    } catch (error) {
      metrics.values.checkpoint_failures++;
      logger.error('checkpoint.failed', { shopId: this.#shopId, sequenceNumber, error: asError(error) });
    }
    failpoint('after-checkpoint');
  }
}
