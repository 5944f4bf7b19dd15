/**
 * The owner's side of the shared board: watches the shops in memory, publishes the number of each record in the
 * step in which its state becomes visible, and keeps account of which replica was lent which slot.
 *
 * Promises: a slot is given to another shop only when every replica has let go of it; a shop that leaves memory
 * is marked as gone in the same step.
 */

import type { ShopState } from '../domain/shop-event.ts';
import { invariant } from '../runtime/invariant.ts';
import type { ShopWatch, SimulationWatch } from '../shop/simulation-watch.ts';
import type { SharedBoard } from './shared-board.ts';

/** A slot and what a copy has to start from. */
export interface Loan {
  readonly slot: number;
  /** Published when it was lent. */
  readonly sequenceNumber: number;
}

/** Told that a shop which it holds is gone. */
export interface Holder {
  gone(shopId: string, slot: number): void;
}

class PublishedShop {
  sequenceNumber: number;
  slot: number | null = null;

  constructor(sequenceNumber: number) {
    this.sequenceNumber = sequenceNumber;
  }
}

export class PublishedShops implements SimulationWatch {
  readonly #board: SharedBoard;
  readonly #inner: SimulationWatch;
  readonly #shops = new Map<string, PublishedShop>();
  readonly #holders = new Map<number, Set<Holder>>();
  readonly #free: number[];

  /** What is watched is told to `inner` as well. */
  constructor(board: SharedBoard, inner: SimulationWatch) {
    this.#board = board;
    this.#inner = inner;
    this.#free = Array.from({ length: board.slots }, (_, index) => board.slots - 1 - index);
  }

  /** Slots that replicas hold. */
  get lent(): number {
    return this.#holders.size;
  }

  open(state: ShopState, sequenceNumber: number): ShopWatch {
    const shopId = state.settings.id;
    const shop = new PublishedShop(sequenceNumber);
    this.#shops.set(shopId, shop);
    const inner = this.#inner.open(state, sequenceNumber);
    return {
      simulated: (request, nowMs, isStripped) => inner.simulated(request, nowMs, isStripped),
      published: (next, number) => {
        shop.sequenceNumber = number;
        if (shop.slot !== null) this.#board.publish(shop.slot, number);
        inner.published(next, number);
      },
      closed: () => {
        this.#close(shopId, shop);
        inner.closed();
      },
    };
  }

  /** Lends the slot of a shop; null when it is not in memory. */
  lend(shopId: string, holder: Holder): Loan | null {
    const shop = this.#shops.get(shopId);
    if (shop === undefined) return null;
    const { sequenceNumber } = shop;
    if (shop.slot === null) {
      const slot = this.#free.pop();
      invariant(slot !== undefined, 'there is a slot for each copy that replicas may hold');
      shop.slot = slot;
      this.#holders.set(slot, new Set());
      this.#board.publish(slot, sequenceNumber);
    }
    this.#holders.get(shop.slot)?.add(holder);
    return { slot: shop.slot, sequenceNumber };
  }

  /** The holder has no copy under this slot any more. */
  release(shopId: string, slot: number, holder: Holder): void {
    const holders = this.#holders.get(slot);
    if (holders?.delete(holder) !== true || holders.size > 0) return;
    this.#holders.delete(slot);
    const shop = this.#shops.get(shopId);
    if (shop?.slot === slot) shop.slot = null;
    this.#free.push(slot);
  }

  #close(shopId: string, shop: PublishedShop): void {
    if (this.#shops.get(shopId) === shop) this.#shops.delete(shopId);
    const { slot } = shop;
    if (slot === null) return;
    this.#board.markGone(slot);
    for (const holder of this.#holders.get(slot) ?? []) holder.gone(shopId, slot);
  }
}
