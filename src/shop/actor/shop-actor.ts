/** Shop actor: a shop in memory. Reads are answered from the newest state that is on disk; the writer changes it. */

import { invariant } from '../../base/runtime/invariant.ts';
import type { SimulateRequest } from '../../engine/domain/cart.ts';
import type { Outcome } from '../../engine/domain/failure.ts';
import type { RecoveredShop } from '../reader/recovery.ts';
import type { ShopAccess, WriteAnswer, WriteRequest } from '../reader/shop-access.ts';
import { type ReaderPorts, ShopReader } from '../reader/shop-reader.ts';
import { UNWATCHED } from '../reader/simulation-watch.ts';
import { Writer, type WriterPorts } from './writer.ts';

export type ActorLimits = WriterPorts['limits'] & ReaderPorts['limits'];

export type ActorPorts = WriterPorts & ReaderPorts & { readonly limits: ActorLimits };

export class ShopActor extends ShopReader implements ShopAccess {
  readonly #writer: Writer;
  /** Set when the actor is evicted. */
  #successor: (() => Promise<ShopActor>) | null = null;

  constructor(ports: ActorPorts, recovered: RecoveredShop) {
    super(ports, recovered);
    this.#writer = new Writer(ports, this, recovered);
  }

  /** True while a write waits, a group is being flushed or a checkpoint is being written. */
  get isBusy(): boolean {
    return this.#writer.isBusy;
  }

  write(request: WriteRequest): Promise<Outcome<WriteAnswer>> {
    if (this.#successor !== null) return this.#successor().then((actor) => actor.write(request));
    this.#readAhead(request);
    return this.#writer.write(request);
  }

  /** Reads the version of a rollback: the next turn of the event loop, in which the write is decided, finds it kept. */
  #readAhead({ command }: WriteRequest): void {
    if (command.kind !== 'rollback') return;
    try {
      this.history.configOf(command.targetVersionId);
    } catch {
      // The decision meets the same, and refuses the write.
    }
  }

  /** Resolves when readers see what others appended. Rejects with `DamagedLogError`. */
  refresh(): Promise<void> {
    return this.#writer.refresh();
  }

  /** Resolves when no write waits and nothing is being written. */
  idle(): Promise<void> {
    return this.#writer.idle();
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

  /** A live simulation may end after the eviction. It still counts for its changeset if that is still active. */
  #pass(successor: () => Promise<ShopActor>, request: SimulateRequest, nowMs: number): void {
    const stagingId = this.state.staging?.id;
    if (stagingId === undefined) return;
    successor().then(
      (actor) => {
        if (actor.state.staging?.id === stagingId) actor.note(request, nowMs);
      },
      () => {
        // The shop cannot be loaded, so no client can ask for the results either.
      },
    );
  }
}
