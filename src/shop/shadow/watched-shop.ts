/**
 * One shop in memory whose live simulations are watched: its kept carts, its changeset if there is one, and the comparison of a
 * cart with it.
 */
import type { SimulateRequest } from '../../engine/domain/cart.ts';
import type { ShopState } from '../../engine/domain/shop-event.ts';
import type { ShopWatch, WatchedReader } from '../reader/simulation-watch.ts';
import { CartComparer, type CartComparison } from './cart-comparer.ts';
import { type KeptCarts, ShopCarts } from './kept-carts.ts';
import { costOf, emptyPart } from './shadow-budget.ts';
import type { ShadowTally } from './shadow-tally.ts';

/** The results of a changeset in memory. */
export interface Trial {
  readonly tally: ShadowTally;
  /** Changed since they were stored. */
  isDirty: boolean;
  /** They are being stored. */
  isWriting: boolean;
  /** The changeset has ended: nothing is counted or stored any more. */
  hasEnded: boolean;
}

/** A live simulation, with the state that answered it and its changeset. */
export interface WatchedCart {
  readonly shop: WatchedShop;
  readonly request: SimulateRequest;
  /** The clock of its time conditions, ms since the epoch. */
  readonly nowMs: number;
  readonly state: ShopState;
  readonly trial: Trial;
}

/** What the watched shops of a process share. */
export interface ShadowQueue {
  readonly kept: KeptCarts;
  /** The shop has a changeset from now on: its results, from memory or from the log. */
  begin(shop: WatchedShop, stagingId: string): Trial;
  /** Compares the cart soon, or drops it. */
  add(cart: WatchedCart): void;
  /** The changeset of the shop has ended. */
  end(shop: WatchedShop, trial: Trial): void;
  /** The shop was evicted. */
  leave(shop: WatchedShop): void;
}

export class WatchedShop implements ShopWatch {
  readonly shopId: string;
  readonly carts: ShopCarts;
  /** The part of the budget that is kept for this shop. */
  readonly share = emptyPart();
  readonly #reader: WatchedReader;
  readonly #queue: ShadowQueue;
  /** Null while no changeset is active. */
  #trial: Trial | null = null;
  #comparer: CartComparer | null = null;

  constructor(queue: ShadowQueue, reader: WatchedReader) {
    this.shopId = reader.shopId;
    this.#queue = queue;
    this.#reader = reader;
    this.carts = new ShopCarts(queue.kept, reader.state);
    this.#watch(reader.state);
  }

  simulated(request: SimulateRequest, nowMs: number): void {
    this.carts.offer(request, nowMs);
    if (this.#trial === null) return;
    this.#queue.add({ shop: this, request, nowMs, state: this.#reader.state, trial: this.#trial });
  }

  /** What the cart takes of the budget. */
  costOf({ request, state }: WatchedCart): number {
    const live = this.#reader.compiledAt('live', state);
    const place = live.ok ? live.value.placeOf(request.destination) : null;
    return costOf(request.items.length, place?.zone.records.methods.length ?? 0);
  }

  /** Null for a cart that live refuses: it is no simulation. */
  compare({ request, nowMs, state }: WatchedCart): CartComparison | null {
    const live = this.#reader.compiledAt('live', state);
    const staged = this.#reader.compiledAt('staged', state);
    if (!live.ok || !staged.ok) return null;
    if (this.#comparer?.live !== live.value || this.#comparer.staged !== staged.value) {
      this.#comparer = new CartComparer(live.value, staged.value);
    }
    return this.#comparer.compare(request, nowMs);
  }

  published(state: ShopState): void {
    this.carts.changed(state);
    const trial = this.#trial;
    if (trial !== null && trial.tally.stagingId !== state.staging?.id) {
      this.#trial = null;
      this.#comparer = null;
      this.#queue.end(this, trial);
    }
    this.#watch(state);
  }

  #watch({ staging }: ShopState): void {
    if (staging === null) return;
    this.#trial ??= this.#queue.begin(this, staging.id);
    this.#trial.tally.edited(staging.writes.length);
  }

  /** Removes results of deleted records. */
  prune(): void {
    const { config, staging } = this.#reader.state;
    if (staging !== null) this.#trial?.tally.prune(config, staging.config);
  }

  closed(): void {
    this.#queue.leave(this);
    this.carts.close();
  }
}
