/**
 * Shop actor: a shop in memory that answers reads and accepts writes. Reads use the newest state that is on disk.
 * Writes go to the shop writer, which alone changes that state.
 */

import type { Outcome } from '../domain/failure.ts';
import { invariant } from '../runtime/invariant.ts';
import type { RecoveredShop } from '../shop/recovery.ts';
import type { ShopAccess, WriteAnswer, WriteRequest } from '../shop/shop-access.ts';
import { type ReaderPorts, ShopReader } from '../shop/shop-reader.ts';
import { UNWATCHED, type WatchedRequest } from '../shop/simulation-watch.ts';
import { ShopWriter, type WriterLimits, type WriterPorts } from './shop-writer.ts';

export interface ActorPorts extends WriterPorts, ReaderPorts {
  readonly log: WriterPorts['log'];
  readonly clock: WriterPorts['clock'];
  readonly limits: ActorLimits;
}

export type ActorLimits = WriterLimits & ReaderPorts['limits'];

export class ShopActor extends ShopReader implements ShopAccess {
  readonly #writer: ShopWriter;
  #successor: (() => Promise<ShopActor>) | null = null;

  constructor(ports: ActorPorts, recovered: RecoveredShop) {
    super(ports, recovered);
    this.#writer = new ShopWriter(ports, recovered, this);
  }

  /** True while a write waits, a group is being flushed or a checkpoint is being written. */
  get isBusy(): boolean {
    return this.#writer.isBusy;
  }

  write(request: WriteRequest): Promise<Outcome<WriteAnswer>> {
    if (this.#successor !== null) return this.#successor().then((actor) => actor.write(request));
    return this.#writer.write(request);
  }

  /**
   * Applies the records that another process appended; resolves when readers see them. Rejects with `DamagedLogError`.
   */
  refresh(): Promise<void> {
    return this.#writer.refresh();
  }

  /**
   * From now on forwards writes to `successor`: a request that began before this actor was evicted must not write past
   * the actor that readers use by then. Call only when the actor is not busy.
   */
  retire(successor: () => Promise<ShopActor>): void {
    invariant(!this.isBusy, 'only an idle actor is retired');
    this.#successor = successor;
    this.close({ ...UNWATCHED, simulated: (request, nowMs) => this.#pass(successor, request, nowMs) });
  }

  /**
   * A live simulation may end after this actor was evicted. It still counts for its changeset if that is still active.
   */
  #pass(successor: () => Promise<ShopActor>, request: WatchedRequest, nowMs: number): void {
    const stagingId = this.state.staging?.id;
    if (stagingId === undefined) return;
    successor().then(
      (actor) => {
        // By now rules may read more personal fields than a stripped request still holds.
        if (actor.state.staging?.id === stagingId) actor.note(request, nowMs);
      },
      () => {
        // The shop cannot be loaded, so no client can ask for the results either.
      },
    );
  }

  /** Resolves when no write waits and nothing is being written. */
  idle(): Promise<void> {
    return this.#writer.idle();
  }
}
