/**
 * Forwarding between threads. Where another thread owns the shops, this one answers only plain simulations of shops
 * whose plan does not limit them, from a copy of the shop, and forwards everything else.
 */
import type { ShopAccess } from '../shop/shop-access.ts';
import type { Exchange } from './exchange.ts';
import type { Throttle } from './throttle.ts';

/** Forwards requests to the thread that owns the shops. */
export interface Relay {
  /**
   * Has the request answered there. `body` is all of its body, valid during the call; null when nothing of it
   * was read yet.
   */
  forward(exchange: Exchange, body: Uint8Array | null): void;
  /** The exchange is over. True when it was forwarded. */
  ended(exchange: Exchange): boolean;
}

/** Whether a simulation of the shop may be answered in this thread: a limited rate is counted by the owner alone. */
export const isAnsweredHere = (shop: ShopAccess | undefined, throttle: Throttle): shop is ShopAccess =>
  shop !== undefined && !throttle.limits('simulations', shop.state.settings.plan);
