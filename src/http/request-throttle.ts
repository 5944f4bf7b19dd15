/**
 * Refuses what is too much: requests that come in an overload, and those beyond the rate of the plan. A request is
 * counted once. One that an overload refuses counts for nothing, and is told its rate like any other.
 */
import type { Failure } from '../domain/failure.ts';
import type { KeyGrant, ShopAccess } from '../shop/shop-access.ts';
import type { HttpDependencies } from './dependencies.ts';
import type { Exchange } from './exchange.ts';
import { NO_HEADERS } from './http-answer.ts';
import type { OverloadGate } from './overload-gate.ts';
import { Throttle, type ThrottleKind } from './throttle.ts';

/** Which requests are counted together: those of a key, or the simulations of a shop. */
export interface Rate {
  readonly kind: ThrottleKind;
  readonly owner: string;
}

export const simulationsOf = (shopId: string): Rate => ({ kind: 'simulations', owner: shopId });

export const rateOf = (route: { readonly kind: 'simulate' | 'shop' }, { keyId, shopId }: KeyGrant): Rate =>
  route.kind === 'simulate' ? simulationsOf(shopId) : { kind: 'requests', owner: keyId };

export class RequestThrottle {
  /** What is used of the rates. */
  readonly rates: Throttle;
  readonly #gate: Pick<OverloadGate, 'refuse'>;

  constructor(
    { plans, clock }: Pick<HttpDependencies, 'plans' | 'clock'>,
    gate: Pick<OverloadGate, 'refuse'>,
  ) {
    this.#gate = gate;
    this.rates = new Throttle(plans, () => clock.monotonicMs());
  }

  /** The refusal of a request that was handed over at `nowMs` in an overload, else null; the plan of a shop in memory is known. */
  refuseOverload(
    exchange: Exchange,
    { kind, owner }: Rate,
    shopId: string,
    shop: ShopAccess | undefined,
    nowMs: number,
  ): Failure | null {
    const overloaded = this.#gate.refuse(shopId, nowMs);
    if (overloaded === null || shop === undefined) return overloaded;
    exchange.rateHeaders = this.rates.headers(kind, owner, shop.state.settings.plan) ?? NO_HEADERS;
    return overloaded;
  }

  /** Counts the request as so many against the plan of its shop; the refusal of one too many, else null. */
  count(exchange: Exchange, { kind, owner }: Rate, shop: ShopAccess, requests = 1): Failure | null {
    exchange.isCounted = true;
    const verdict = this.rates.judge(kind, owner, shop.state.settings.plan, requests);
    if (verdict === null) return null;
    exchange.rateHeaders = verdict.headers;
    return verdict.refusal;
  }
}
