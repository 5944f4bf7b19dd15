/**
 * Carts of live simulations that are kept in memory for replays, without what is personal: for each shop a random sample, in
 * which recent carts are more likely. Most answers only draw a number.
 *
 * Bounds: `KEPT_CARTS_MAX` carts of a shop, and about `KEPT_BYTES_MAX` bytes over all shops; beyond it the shop that kept
 * none for the longest time loses its carts first.
 */
import type { SimulateRequest } from '../../engine/domain/cart.ts';
import type { PlacedConfig, ShopState } from '../../engine/domain/shop-event.ts';
import { KEPT_CARTS_MAX } from '../../engine/wire/shadow-results.ts';
import type { KeptCart } from '../reader/live-traffic.ts';
import { keptRequest, personalFieldsRead } from './kept-request.ts';

/** The sample is one of about this many newest carts: older ones are replaced one after another. */
const SAMPLED_FROM = 10_000;

/** Approximate bytes of all kept carts. */
export const KEPT_BYTES_MAX = 32 * 1024 * 1024;

/** Approximate size of a kept cart without its text. */
const CART_BYTES = 48;
const bytesOf = ({ text }: KeptCart): number => text.length + CART_BYTES;

/** The kept carts of all shops. */
export class KeptCarts {
  readonly random: () => number;
  readonly #bytesMax: number;
  /** Shops with carts; the one that kept none for the longest time first. */
  readonly #shops = new Set<ShopCarts>();
  #bytes = 0;

  constructor(bytesMax: number, random: () => number = Math.random) {
    this.#bytesMax = bytesMax;
    this.random = random;
  }

  /** Approximate size of all carts. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The carts of a shop have grown by this many bytes. */
  grown(shop: ShopCarts, bytes: number): void {
    this.#bytes += bytes;
    this.#shops.delete(shop);
    this.#shops.add(shop);
    for (const idlest of this.#shops) {
      while (this.#bytes > this.#bytesMax && idlest.drop());
      if (this.#bytes <= this.#bytesMax) return;
    }
  }

  /** The carts of a shop have shrunk by this many bytes, or none is left of them. */
  shrunk(shop: ShopCarts, bytes: number, isEmpty: boolean): void {
    this.#bytes -= bytes;
    if (isEmpty) this.#shops.delete(shop);
  }
}

/** The configurations whose rules decide what is kept: the live one, and that of the changeset if there is one. */
const configsOf = ({ config, staging }: ShopState): readonly PlacedConfig[] =>
  staging === null ? [config] : [config, staging.config];

/** The carts of one shop. */
export class ShopCarts {
  readonly #all: KeptCarts;
  readonly #carts: KeptCart[] = [];
  #configs: readonly PlacedConfig[];
  /** The personal fields that the rules read; null until they are needed. */
  #fields: number | null = null;
  /** Personal fields that kept carts may have. */
  #keptFields = 0;
  #offered = 0;

  constructor(all: KeptCarts, state: ShopState) {
    this.#all = all;
    this.#configs = configsOf(state);
  }

  /** Keeps the cart with a probability; `nowMs` is the clock of its time conditions. */
  offer(request: SimulateRequest, nowMs: number): void {
    this.#offered = Math.min(this.#offered + 1, SAMPLED_FROM);
    const { length } = this.#carts;
    const at =
      length < KEPT_CARTS_MAX && this.#offered <= KEPT_CARTS_MAX
        ? length
        : Math.floor(this.#all.random() * this.#offered);
    if (at >= KEPT_CARTS_MAX) return;
    const fields = this.#fieldsRead();
    this.#keptFields |= fields;
    this.#put(Math.min(at, length), { text: JSON.stringify(keptRequest(request, fields)), nowMs });
  }

  #put(at: number, cart: KeptCart): void {
    const replaced = this.#carts[at];
    this.#carts[at] = cart;
    this.#all.grown(this, bytesOf(cart) - (replaced === undefined ? 0 : bytesOf(replaced)));
  }

  #fieldsRead(): number {
    this.#fields ??= personalFieldsRead(...this.#configs);
    return this.#fields;
  }

  /** The rules may read other fields from now on. What none reads any more is removed from kept carts at once. */
  changed(state: ShopState): void {
    const [live, staged] = this.#configs;
    if (state.config === live && state.staging?.config === staged) return;
    this.#configs = configsOf(state);
    this.#fields = null;
    if (this.#keptFields === 0 || (this.#keptFields & ~this.#fieldsRead()) === 0) return;
    const fields = this.#fieldsRead();
    this.#keptFields = fields;
    for (const [at, { text, nowMs }] of this.#carts.entries()) {
      const request = JSON.parse(text) as SimulateRequest;
      this.#put(at, { text: JSON.stringify(keptRequest(request, fields)), nowMs });
    }
  }

  /** The carts in the order of their clocks. */
  list(): readonly KeptCart[] {
    return [...this.#carts].sort((a, b) => a.nowMs - b.nowMs);
  }

  /** Removes a cart; false when there is none. */
  drop(): boolean {
    const cart = this.#carts.pop();
    if (cart === undefined) return false;
    this.#all.shrunk(this, bytesOf(cart), this.#carts.length === 0);
    return true;
  }

  close(): void {
    while (this.drop());
  }
}
