/**
 * What readers see of a shop: the newest state that is on disk. It moves on by groups of this process and by records that
 * others appended; whoever appended, keys that were revoked are announced, and a checkpoint is written when it is due.
 */
import type { ShopEvent, ShopState } from '../domain/shop-event.ts';
import type { EventLog } from '../log/event-log.ts';
import type { LogInSteps } from '../log/replay.ts';
import { failpoint } from '../runtime/failpoint.ts';
import { followShop, newestTimeMs, type RecoveredShop } from '../shop/recovery.ts';
import type { ShopWatch } from '../shop/simulation-watch.ts';
import { type CheckpointPorts, Checkpoints } from './checkpoints.ts';
import type { WriteGroup } from './write-group.ts';

export interface ShownShopPorts extends CheckpointPorts {
  readonly log: Pick<EventLog, 'writeCheckpoint'> & LogInSteps;
  /** Called for each revoked key after the revocation is on disk and before it is acknowledged. */
  readonly onKeyRevoked: (keyId: string) => void;
}

export class ShownShop {
  readonly checkpoints: Checkpoints;
  readonly #ports: ShownShopPorts;
  readonly #published: ShopWatch['published'];
  #state: ShopState;
  #sequenceNumber: number;
  #lastAtMs: number;

  constructor(ports: ShownShopPorts, recovered: RecoveredShop, published: ShopWatch['published']) {
    this.#ports = ports;
    this.#published = published;
    this.#state = recovered.state;
    this.#sequenceNumber = recovered.sequenceNumber;
    this.#lastAtMs = newestTimeMs(recovered.state);
    this.checkpoints = new Checkpoints(ports, recovered.state.settings.id, recovered);
  }

  get state(): ShopState {
    return this.#state;
  }

  get sequenceNumber(): number {
    return this.#sequenceNumber;
  }

  /** The latest time that a write of the shop was given. */
  get lastAtMs(): number {
    return this.#lastAtMs;
  }

  /** The group is on disk: readers see it from now on, and the keys that it revoked are no longer valid. */
  show(group: WriteGroup): void {
    failpoint('before-publish');
    this.#state = group.state;
    this.#sequenceNumber += group.records.length;
    this.#lastAtMs = group.lastAtMs;
    this.#published(this.#state, this.#sequenceNumber);
    for (const { event } of group.records) this.#announce(event);
    const { values } = this.#ports.metrics;
    values.append_groups++;
    values.append_records += group.records.length;
    failpoint('after-publish');
  }

  /**
   * Shows the records that others appended. Reads all of them before it shows any; meanwhile readers use the state before
   * them. Rejects with `DamagedLogError`.
   */
  async catchUp(): Promise<void> {
    const events: ShopEvent[] = [];
    const { log, slices } = this.#ports;
    const from = { state: this.#state, sequenceNumber: this.#sequenceNumber };
    const { state, sequenceNumber, tail } = await followShop(log, from, slices, (event) =>
      events.push(event),
    );
    this.#state = state;
    this.#sequenceNumber = sequenceNumber;
    this.#lastAtMs = Math.max(this.#lastAtMs, newestTimeMs(state));
    this.#published(state, sequenceNumber);
    for (const event of events) this.#announce(event);
    this.considerCheckpoint(tail.records, tail.bytes);
  }

  /** `records` records of about `bytes` bytes are new in what is shown. */
  considerCheckpoint(records: number, bytes: number): void {
    this.checkpoints.considerAfter(this.#state, this.#sequenceNumber, records, bytes);
  }

  #announce(event: ShopEvent): void {
    if (event.kind === 'keyRevoked') this.#ports.onKeyRevoked(event.keyId);
  }
}
