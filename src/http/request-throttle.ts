/** Which rate a request counts against, once; what its client is told goes with the exchange. */
import type { KeyGrant, ShopAccess } from '../actor/shop-access.ts';
import type { Failure } from '../domain/failure.ts';
import type { KeyedRoute } from './admission.ts';
import type { HttpDependencies } from './dependencies.ts';
import { type Exchange, NO_HEADERS } from './exchange.ts';
import type { OverloadGate } from './overload-gate.ts';
import { Throttle, type ThrottleKind } from './throttle.ts';

export class RequestThrottle {
  /** What is used of the rates. */
  readonly rates: Throttle;

  readonly #gate: OverloadGate;

  constructor({ plans, clock }: HttpDependencies, gate: OverloadGate) {
    this.#gate = gate;
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

  /** Counts the simulation that a checkout asked for, unless an overload refuses it; `nowMs` is monotonic. */
  refuseCallback(exchange: Exchange, shop: ShopAccess, nowMs: number): Failure | null {
    this.#gate.arrive(nowMs);
    const overloaded = this.#gate.refuse(shop.shopId, nowMs);
    if (overloaded !== null) return overloaded;
    return this.#refuse(exchange, 'simulations', shop.shopId, shop);
  }

  #refuse(exchange: Exchange, kind: ThrottleKind, owner: string, shop: ShopAccess): Failure | null {
    if (exchange.rateHeaders !== null) return null;
    const verdict = this.rates.judge(kind, owner, shop.state.settings.plan);
    exchange.rateHeaders = verdict === null ? NO_HEADERS : verdict.headers;
    return verdict === null ? null : verdict.refusal;
  }
}
