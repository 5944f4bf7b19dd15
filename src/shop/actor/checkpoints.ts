/**
 * Writes the checkpoints of a shop. A checkpoint only saves time at the next start and when an earlier version is read, so a
 * failure is only logged. It is written after the answers are sent, one at a time. All checkpoints are kept as long as the
 * records around them. A new one is due when the records since the last one have as many bytes as the image, so that
 * checkpoints (stored deflated) add at most a fraction of the size of the records. A shop that is large compared with its
 * writes still gets one every `checkpointRecords` records, so that no read replays more than that.
 */

import type { Metrics } from '../../base/metrics/metrics.ts';
import { failpoint } from '../../base/runtime/failpoint.ts';
import type { Logger } from '../../base/runtime/logger.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import { writeImage } from '../../engine/change/state-image.ts';
import { DiskFullError, type EventLog } from '../../store/log/event-log.ts';
import type { RecoveredShop, ShopAt } from '../reader/recovery.ts';

export interface CheckpointPorts {
  readonly log: Pick<EventLog, 'writeCheckpoint'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** A new checkpoint is due when either limit is reached: records or approximate bytes since the last one. */
  readonly limits: { readonly checkpointRecords: number; readonly checkpointBytes: number };
}

export class Checkpoints {
  readonly #ports: CheckpointPorts;
  /** Records and bytes since the last checkpoint. */
  #records: number;
  #bytes: number;
  /** Size of the last image: a large shop needs as many bytes of new records before the next checkpoint. */
  #imageLength: number;
  #writing: Promise<void> | null = null;

  constructor(ports: CheckpointPorts, { tail, imageLength }: RecoveredShop) {
    this.#ports = ports;
    this.#records = tail.records;
    this.#bytes = tail.bytes;
    this.#imageLength = imageLength;
  }

  /** Resolves when the checkpoint that is being written is done, and never rejects; null when none is. */
  get writing(): Promise<void> | null {
    return this.#writing;
  }

  /** Counts records that readers see now, of about `bytes` bytes, and starts a checkpoint of `shop` when one is due. */
  count(records: number, bytes: number, { state, sequenceNumber }: ShopAt): void {
    this.#records += records;
    this.#bytes += bytes;
    const { checkpointRecords, checkpointBytes } = this.#ports.limits;
    const isDue =
      this.#records >= checkpointRecords || this.#bytes >= Math.max(checkpointBytes, this.#imageLength);
    if (!isDue || this.#writing !== null) return;
    this.#records = 0;
    this.#bytes = 0;
    // The state is immutable, so the image can be written later.
    this.#writing = new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.#write({ state, sequenceNumber }))
      .finally(() => {
        this.#writing = null;
      });
  }

  async #write({ state, sequenceNumber }: ShopAt): Promise<void> {
    const { log, logger, metrics } = this.#ports;
    const shopId = state.settings.id;
    failpoint('before-checkpoint');
    try {
      const image = writeImage(state);
      this.#imageLength = image.length;
      await log.writeCheckpoint(shopId, { sequenceNumber, image });
      metrics.values.checkpoints++;
      logger.debug('checkpoint.written', { shopId, sequenceNumber, imageLength: image.length });
    } catch (error) {
      metrics.values.checkpoint_failures++;
      // The next write finds it due again.
      if (error instanceof DiskFullError) this.#bytes = Number.POSITIVE_INFINITY;
      else logger.error('checkpoint.failed', { shopId, sequenceNumber, error: asError(error) });
    }
    failpoint('after-checkpoint');
  }
}
