/**
 * What readers see of a shop: the newest state that is on disk. Groups of this process and records of others
 * change it. In both cases revoked keys are announced, and a checkpoint is written when it is due.
 *
 * A checkpoint only saves time at the next start and when an earlier version is read, so a failure is only logged. It
 * is written after the answers are sent, one at a time. All checkpoints are kept as long as the records around them. A
 * new one is due when the records since the last one have as many bytes as the image, so that checkpoints (stored
 * deflated) add at most a fraction of the size of the records. A shop that is large compared with its writes still gets
 * a checkpoint every `checkpointRecords` records, so that no read replays more than that.
 */
import { writeImage } from '../change/state-image.ts';
import type { ShopEvent } from '../domain/shop-event.ts';
import { DiskFullError, type EventLog } from '../log/event-log.ts';
import type { Clock } from '../runtime/clock.ts';
import { failpoint } from '../runtime/failpoint.ts';
import type { Logger } from '../runtime/logger.ts';
import { asError } from '../runtime/thrown-error.ts';
import { followShop, newestTimeMs, type RecoveredShop } from '../shop/recovery.ts';
import { type ReaderPorts, ShopReader } from '../shop/shop-reader.ts';
import type { WriteGroup } from './write-group.ts';

/** By so much a version is dated ahead of the clock before it is logged: nodes of a cluster may differ by some seconds. */
const AHEAD_MS_MIN = 10_000;

export type ShownLimits = ReaderPorts['limits'] & {
  /** A new checkpoint is due when either limit is reached: records or approximate bytes since the last one. */
  readonly checkpointRecords: number;
  readonly checkpointBytes: number;
};

export interface ShownShopPorts extends ReaderPorts {
  readonly log: ReaderPorts['log'] & Pick<EventLog, 'writeCheckpoint'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: ShownLimits;
  /** Called for each revoked key after the revocation is on disk and before it is acknowledged. */
  readonly onKeyRevoked: (keyId: string) => void;
}

export class ShownShop extends ShopReader {
  readonly #ports: ShownShopPorts;
  #lastAtMs: number;
  /** It was logged that versions are dated ahead of the clock, and they still are. */
  #isAheadLogged = false;
  /** Records and bytes since the last checkpoint. */
  #records: number;
  #bytes: number;
  /** Size of the last image: a large shop needs as many bytes of new records before the next checkpoint. */
  #imageLength: number;
  #checkpoint: Promise<void> | null = null;

  constructor(ports: ShownShopPorts, recovered: RecoveredShop) {
    super(ports, recovered);
    const { state, tail, imageLength } = recovered;
    this.#ports = ports;
    this.#lastAtMs = newestTimeMs(state);
    this.#records = tail.records;
    this.#bytes = tail.bytes;
    this.#imageLength = imageLength;
  }

  /** The latest time that a write of the shop was given. */
  get lastAtMs(): number {
    return this.#lastAtMs;
  }

  /** The group is on disk: readers see it from now on, and the keys that it revoked are no longer valid. */
  protected show({ state, records, lastAtMs }: WriteGroup): void {
    failpoint('before-publish');
    this.#lastAtMs = lastAtMs;
    this.publish(state, this.sequenceNumber + records.length);
    for (const { event } of records) this.#announce(event);
    const { values } = this.#ports.metrics;
    values.append_groups++;
    values.append_records += records.length;
    failpoint('after-publish');
    this.#noteClock();
  }

  /** A clock that was ahead once dates all later versions at its latest time, until the right time reaches it. */
  #noteClock(): void {
    const aheadMs = this.#lastAtMs - this.#ports.clock.nowMs();
    if (aheadMs <= 0) this.#isAheadLogged = false;
    if (aheadMs < AHEAD_MS_MIN || this.#isAheadLogged) return;
    this.#isAheadLogged = true;
    const datedAt = new Date(this.#lastAtMs).toISOString();
    this.#ports.logger.warn('shop.dated_ahead', { shopId: this.shopId, datedAt, aheadMs });
  }

  /**
   * Shows the records that others appended. Reads all of them before it shows any; meanwhile readers use the state
   * before them. Rejects with `DamagedLogError`.
   */
  protected async catchUp(): Promise<void> {
    const events: ShopEvent[] = [];
    const { log } = this.#ports;
    const shop = followShop(log, this.shopId, this, undefined, (event) => events.push(event));
    this.#lastAtMs = Math.max(this.#lastAtMs, newestTimeMs(shop.state));
    this.publish(shop.state, shop.sequenceNumber);
    for (const event of events) this.#announce(event);
    this.considerCheckpoint(shop.tail.records, shop.tail.bytes);
  }

  #announce(event: ShopEvent): void {
    if (event.kind === 'keyRevoked') this.#ports.onKeyRevoked(event.keyId);
  }

  /** Resolves when the checkpoint that is being written is done, and never rejects; null when none is. */
  protected get checkpoint(): Promise<void> | null {
    return this.#checkpoint;
  }

  /** Counts records that readers see now, of about `bytes` bytes, and starts a checkpoint when one is due. */
  protected considerCheckpoint(records: number, bytes: number): void {
    this.#records += records;
    this.#bytes += bytes;
    const { checkpointRecords, checkpointBytes } = this.#ports.limits;
    const isDue =
      this.#records >= checkpointRecords || this.#bytes >= Math.max(checkpointBytes, this.#imageLength);
    if (!isDue || this.#checkpoint !== null) return;
    this.#records = 0;
    this.#bytes = 0;
    const { state, sequenceNumber } = this;
    // The state is immutable, so the image can be written later, or from the log by another thread.
    this.#checkpoint = new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.#writeCheckpoint(state, sequenceNumber))
      .finally(() => {
        this.#checkpoint = null;
      });
  }

  async #writeCheckpoint(state: ShopReader['state'], sequenceNumber: number): Promise<void> {
    const { log, logger, metrics } = this.#ports;
    const { shopId } = this;
    failpoint('before-checkpoint');
    try {
      const image = writeImage(state);
      const imageLength = image.length;
      this.#imageLength = imageLength;
      await log.writeCheckpoint(shopId, { sequenceNumber, image });
      metrics.values.checkpoints++;
      logger.debug('checkpoint.written', { shopId, sequenceNumber, imageLength });
    } catch (error) {
      metrics.values.checkpoint_failures++;
      // The next write finds it due again.
      if (error instanceof DiskFullError) this.#bytes = Number.POSITIVE_INFINITY;
      else logger.error('checkpoint.failed', { shopId, sequenceNumber, error: asError(error) });
    }
    failpoint('after-checkpoint');
  }
}
