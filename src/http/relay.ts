/**
 * Requests that this thread does not answer: where another one owns the shops, it gets all but the plain
 * simulations of shops without a limit on them, which are answered here, from a copy.
 */
import type { ShopAccess } from '../shop/shop-access.ts';
import type { Exchange } from './exchange.ts';
import type { Throttle } from './throttle.ts';

/** The way to the thread that owns the shops. */
export interface Relay {
  /**
   * Has the request answered there. `body` is all of its body, valid during the call; null when nothing of it
   * was read yet.
   */
  forward(exchange: Exchange, body: Uint8Array | null): void;
  /** The exchange is over. True when it was forwarded. */
  ended(exchange: Exchange): boolean;
}

/** Whether a simulation of the shop may be answered here; limits on a rate are counted in one place. */
export const isAnsweredHere = (shop: ShopAccess | undefined, throttle: Throttle): shop is ShopAccess =>
  shop !== undefined && !throttle.limits('simulations', shop.state.settings.plan);
