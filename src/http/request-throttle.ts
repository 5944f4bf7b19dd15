/** Which rate a request counts against, once; what its client is told goes with the exchange. */
import type { KeyGrant, ShopAccess } from '../actor/shop-access.ts';
import type { Failure } from '../domain/failure.ts';
import type { KeyedRoute } from './admission.ts';
import type { HttpDependencies } from './dependencies.ts';
import { type Exchange, NO_HEADERS } from './exchange.ts';
import { Throttle, type ThrottleKind } from './throttle.ts';

export class RequestThrottle {
  /** What is used of the rates. */
  readonly rates: Throttle;

  constructor({ plans, clock }: HttpDependencies) {
    this.rates = new Throttle(plans, () => clock.monotonicMs());
  }

  /** Counts the request of a key against the plan of its shop; the refusal of one too many, else null. */
  refuseKeyed(
    exchange: Exchange,
    { kind }: KeyedRoute,
    { keyId, shopId }: KeyGrant,
    shop: ShopAccess,
  ): Failure | null {
    return kind === 'simulate'
      ? this.#refuse(exchange, 'simulations', shopId, shop)
      : this.#refuse(exchange, 'requests', keyId, shop);
  }

  /** Counts the simulation that a checkout asked for. */
  refuseCallback(exchange: Exchange, shop: ShopAccess): Failure | null {
    return this.#refuse(exchange, 'simulations', shop.shopId, shop);
  }

  #refuse(exchange: Exchange, kind: ThrottleKind, owner: string, shop: ShopAccess): Failure | null {
    if (exchange.rateHeaders !== null) return null;
    const verdict = this.rates.judge(kind, owner, shop.state.settings.plan);
    exchange.rateHeaders = verdict === null ? NO_HEADERS : verdict.headers;
    return verdict === null ? null : verdict.refusal;
  }
}
