/**
 * Which rate a request counts against, once; what its client is told of it goes with the exchange. A request that an
 * overload refuses counts for nothing, and is told its rate like any other.
 */

import type { Failure } from '../domain/failure.ts';
import type { KeyGrant, ShopAccess } from '../shop/shop-access.ts';
import type { KeyedRoute } from './admission.ts';
import type { HttpDependencies } from './dependencies.ts';
import { type Exchange, NO_HEADERS } from './exchange.ts';
import type { OverloadGate } from './overload-gate.ts';
import type { SimulateRoute } from './route.ts';
import { Throttle, type ThrottleKind } from './throttle.ts';

/** Which window a request of a key is counted in, and whose. */
const kindOf = ({ kind }: Pick<KeyedRoute, 'kind'>): ThrottleKind =>
  kind === 'simulate' ? 'simulations' : 'requests';
const ownerOf = (kind: ThrottleKind, { keyId, shopId }: KeyGrant): string =>
  kind === 'simulations' ? shopId : keyId;

/** A route as far as its requests are counted. */
type CountedRoute = Pick<KeyedRoute, 'kind'> & Pick<SimulateRoute, 'simulationsIn'>;

export class RequestThrottle {
  /** What is used of the rates. */
  readonly rates: Throttle;

  readonly #gate: Pick<OverloadGate, 'arrive' | 'refuse'>;

  constructor(
    { plans, clock }: Pick<HttpDependencies, 'plans' | 'clock'>,
    gate: Pick<OverloadGate, 'arrive' | 'refuse'>,
  ) {
    this.#gate = gate;
    this.rates = new Throttle(plans, () => clock.monotonicMs());
  }

  /** The refusal of a request of a key that comes in an overload, else null; the plan of a shop in memory is known. */
  refuseOverloaded(
    exchange: Exchange,
    route: Pick<KeyedRoute, 'kind'>,
    grant: KeyGrant,
    shop: ShopAccess | undefined,
  ): Failure | null {
    const overloaded = this.#gate.refuse(grant.shopId, exchange.startMs);
    if (overloaded === null || shop === undefined) return overloaded;
    const kind = kindOf(route);
    this.#tell(exchange, kind, ownerOf(kind, grant), shop);
    return overloaded;
  }

  /** Counts the request of a key against the plan of its shop; the refusal of one too many, else null. */
  refuseKeyed(
    exchange: Exchange,
    route: CountedRoute,
    grant: KeyGrant,
    shop: ShopAccess,
    body?: unknown,
  ): Failure | null {
    const kind = kindOf(route);
    // How many a batch counts as is known once its body is there.
    const count = route.simulationsIn === undefined ? 1 : route.simulationsIn(body);
    return count === null ? null : this.#refuse(exchange, kind, ownerOf(kind, grant), shop, count);
  }

  /** Counts the simulation that a checkout asked for, unless an overload refuses it; `nowMs` is monotonic. */
  refuseCallback(exchange: Exchange, shop: ShopAccess, nowMs: number): Failure | null {
    this.#gate.arrive(nowMs);
    const overloaded = this.#gate.refuse(shop.shopId, nowMs);
    if (overloaded === null) return this.#refuse(exchange, 'simulations', shop.shopId, shop);
    this.#tell(exchange, 'simulations', shop.shopId, shop);
    return overloaded;
  }

  /** Where no limit holds, nothing is told, and the refusal goes the shortest way. */
  #tell(exchange: Exchange, kind: ThrottleKind, owner: string, shop: ShopAccess): void {
    exchange.rateHeaders = this.rates.headers(kind, owner, shop.state.settings.plan);
  }

  #refuse(
    exchange: Exchange,
    kind: ThrottleKind,
    owner: string,
    shop: ShopAccess,
    count = 1,
  ): Failure | null {
    if (exchange.rateHeaders !== null) return null;
    const verdict = this.rates.judge(kind, owner, shop.state.settings.plan, count);
    exchange.rateHeaders = verdict === null ? NO_HEADERS : verdict.headers;
    return verdict === null ? null : verdict.refusal;
  }
}
