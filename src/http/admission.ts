/**
 * Admission: the checks of a request with a valid key before its body is read. The rates of its plan (429), the
 * permission of its key (403), headers and query (400).
 *
 * A plan limits the requests of a key per minute and the simulations of a shop per second (contract section 2). The
 * window slides and is exact: no interval of its length has more requests that passed than the limit, and a refused
 * request is not counted. It uses the monotonic clock, so setting the wall clock has no effect. Memory: one number for
 * each request that passed within the last window, on plans with a limit.
 */
import { type Failure, failure, invalid, type Outcome, rateLimited, success } from '../domain/failure.ts';
import { type Permission, permits } from '../domain/permission.ts';
import { limitsOf, type PlanLimits, type PlanTable } from '../domain/plan.ts';
import { VersionReference } from '../domain/version-reference.ts';
import type { KeyGrant, ShopAccess } from '../shop/shop-access.ts';
import type { Exchange } from './exchange.ts';
import { type Headers, NO_HEADERS } from './output.ts';
import type { OverloadGate } from './overload-gate.ts';
import { parseQuery, type QueryValues } from './query-text.ts';
import { NO_GUARDS, readIsTest, readWriteGuards, type WriteGuards } from './request-head.ts';
import type { RateUsage, Route, ShopRoute, ThrottleKind } from './route.ts';

/** An admitted request: the context that all later stages receive. */
export interface Admitted {
  readonly exchange: Exchange;
  readonly route: ShopRoute;
  /** The encoded id at the end of the path, or null. */
  readonly idSegment: string | null;
  readonly grant: KeyGrant;
  readonly guards: WriteGuards;
  readonly query: QueryValues;
  /** A simulation that is counted nowhere. */
  readonly isTest: boolean;
}

const NO_TEST = success(false);

export function admit(
  exchange: Exchange,
  route: ShopRoute,
  idSegment: string | null,
  grant: KeyGrant,
): Outcome<Admitted> {
  const { head } = exchange;
  const forbidden = findMissingPermission(grant, route.permission);
  if (forbidden !== null) return forbidden;
  let guards = NO_GUARDS;
  if (route.isWrite) {
    const read = readWriteGuards(head);
    if (!read.ok) return read;
    guards = read.value;
  }
  const isTest = route.takesSource === true ? readIsTest(head) : NO_TEST;
  if (!isTest.ok) return isTest;
  const query = readQuery(head.query, route);
  if (!query.ok) return query;
  return success({ exchange, route, idSegment, grant, guards, query: query.value, isTest: isTest.value });
}

/** Replaces version numbers and `live` in the query by version ids. The name of an unknown version stays as it is. */
export function withVersionIds(admitted: Admitted, shop: ShopAccess): Admitted {
  const { route, query } = admitted;
  let named = query;
  for (const name in query) {
    const value = query[name];
    if (value === undefined || route.query[name]?.schema !== VersionReference) continue;
    named = { ...named, [name]: shop.history.idOf(value) };
  }
  return named === query ? admitted : { ...admitted, query: named };
}

function findMissingPermission(grant: KeyGrant, needed: Permission): Failure | null {
  return permits(grant.permission, needed)
    ? null
    : failure(
        'FORBIDDEN',
        `this needs an API key with the permission ${needed}; this one has ${grant.permission}`,
      );
}

/**
 * The refusal if the key lacks the permission for the body's action or its `force`, else null. Runs before other checks of
 * the body. A route without actions needs the permission that `admit` has checked.
 */
export function findMissingActionPermission({ route, grant }: Admitted, body: unknown): Failure | null {
  if (route.forceNeeds !== undefined && fieldOf(body, 'force') === true) {
    return findMissingPermission(grant, route.forceNeeds);
  }
  return route.permissionByAction === undefined
    ? null
    : findMissingPermission(grant, permissionOf(route, body));
}

/** True for a request that only reads. On a route of several actions, those with the permission `read` do. */
export const isRead = (route: ShopRoute, body: unknown): boolean =>
  !route.isWrite || permissionOf(route, body) === 'read';

/** The permission that the action of a body needs. */
function permissionOf({ permission, permissionByAction }: ShopRoute, body: unknown): Permission {
  if (permissionByAction === undefined) return permission;
  const action = fieldOf(body, 'action') ?? '';
  const isListed = typeof action === 'string' && Object.hasOwn(permissionByAction, action);
  return isListed ? (permissionByAction[action] ?? permission) : permission;
}

/** A field of an unchecked body. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const NO_QUERY = success<QueryValues>({});

/** The last query per route. Measured: reading `fields=rates` takes 1.3 of the 23 us of a simulation without traces. */
const lastQueries = new WeakMap<Route, { readonly text: string; readonly read: Outcome<QueryValues> }>();

/** Reads a query string. Refuses parameters that the route does not have (400). */
export function readQuery(text: string, route: Route): Outcome<QueryValues> {
  // Most requests have no query; most others repeat the previous query.
  if (text === '') return NO_QUERY;
  const last = lastQueries.get(route);
  if (last?.text === text) return last.read;
  const read = parseKnown(text, route);
  lastQueries.set(route, { text, read });
  return read;
}

function parseKnown(text: string, route: Route): Outcome<QueryValues> {
  const parameters: ShopRoute['query'] = route.query;
  const read = parseQuery(text, Object.keys(parameters));
  if (!read.ok) return read;
  for (const [name, value] of Object.entries(read.value)) {
    const parameter = parameters[name];
    if (parameter !== undefined && !parameter.check.check(value)) {
      return invalid(`query parameter ${name} must be ${parameter.check.accepts}`);
    }
  }
  return read;
}

/** The rates of a plan: the limit, its window, and its unit in messages. */
export const THROTTLES = {
  requests: { limit: 'requestsPerMinute', windowMs: 60_000, text: 'requests per minute and API key' },
  simulations: { limit: 'simulationsPerSecond', windowMs: 1_000, text: 'simulations per second' },
} as const satisfies Record<ThrottleKind, { limit: keyof PlanLimits; windowMs: number; text: string }>;

/** The verdict on a limited request. `judge` returns null when no limit applies. */
export interface ThrottleVerdict {
  readonly refusal: Failure | null;
  /** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). */
  readonly headers: Headers;
}

/** With more owners than this, windows of idle owners are dropped. */
const OWNERS_MAX = 10_000;

export class Throttle {
  readonly #plans: PlanTable;
  readonly #nowMs: () => number;
  readonly #share: (rate: number) => number;
  readonly #windows: Readonly<Record<ThrottleKind, Windows>>;

  /** `share` is how many requests of a plan's rate this process lets through; all of it without a database. */
  constructor(
    plans: PlanTable,
    monotonicMs: () => number,
    share: (rate: number) => number = (rate) => rate,
    ownersMax = OWNERS_MAX,
  ) {
    this.#share = share;
    this.#plans = plans;
    this.#nowMs = monotonicMs;
    this.#windows = {
      requests: new Windows(THROTTLES.requests.windowMs, ownersMax),
      simulations: new Windows(THROTTLES.simulations.windowMs, ownersMax),
    };
  }

  /**
   * Lets all these requests of `owner`, a key id or a shop id, through and counts them, or refuses all. With 0 requests it
   * only makes the headers.
   */
  judge(kind: ThrottleKind, owner: string, plan: string, requests = 1): ThrottleVerdict | null {
    const limit = this.#limit(kind, plan);
    if (limit === null) return null;
    const nowMs = this.#nowMs();
    const window = this.#windows[kind].of(owner, nowMs);
    const own = this.#share(limit);
    const isFree = window.count(nowMs) + requests <= own;
    if (isFree) for (let added = 0; added < requests; added++) window.add(nowMs);
    const headers = rateHeaders(kind, window, nowMs, { limit, own });
    if (isFree) return { refusal: null, headers };
    const { text } = THROTTLES[kind];
    const waitSeconds = secondsUntilNext(window, nowMs, own - requests + 1);
    // A batch above the share of this process passes only if the share grows, one above the limit never.
    const advice = own > 0 && requests > own ? `send at most ${own} at once` : '';
    const wait = requests > limit && advice !== '' ? '' : `try again in ${waitSeconds} s`;
    const hints = [advice, wait].filter((hint) => hint !== '').join(' to this server, or ');
    return {
      refusal: rateLimited(`the plan ${plan} allows ${limit} ${text}: ${hints}`, waitSeconds),
      headers,
    };
  }

  readonly usage: RateUsage = (kind, owner, plan) => {
    if (this.#limit(kind, plan) === null) return null;
    return this.#windows[kind].find(owner)?.count(this.#nowMs()) ?? 0;
  };

  /** The limit; null without one, and for a plan that the operator removed: its shops keep working. */
  #limit(kind: ThrottleKind, plan: string): number | null {
    return limitsOf(this.#plans, plan)?.[THROTTLES[kind].limit] ?? null;
  }
}

/** The requests that are counted together: those of a key, or the simulations of a shop. */
export interface Rate {
  readonly kind: ThrottleKind;
  readonly owner: string;
}

export const simulationsOf = (shopId: string): Rate => ({ kind: 'simulations', owner: shopId });

export const rateOf = ({ counts }: Pick<ShopRoute, 'counts'>, { keyId, shopId }: KeyGrant): Rate =>
  counts === 'simulations' ? simulationsOf(shopId) : { kind: counts, owner: keyId };

/**
 * Refuses requests in an overload and beyond the rate of the plan. A request that is refused in an overload is not
 * counted; its answer has the rate headers nevertheless.
 */
export class RequestThrottle {
  readonly rates: Throttle;
  readonly #gate: Pick<OverloadGate, 'refuse'>;

  constructor(rates: Throttle, gate: Pick<OverloadGate, 'refuse'>) {
    this.rates = rates;
    this.#gate = gate;
  }

  /** The refusal in an overload, else null. Without `shop`, which is then not in memory, there are no rate headers. */
  refuseOverload(
    exchange: Exchange,
    { kind, owner }: Rate,
    shopId: string,
    shop: ShopAccess | undefined,
    nowMs: number,
  ): Failure | null {
    const overloaded = this.#gate.refuse(shopId, nowMs);
    if (overloaded === null || shop === undefined) return overloaded;
    exchange.rateHeaders = this.rates.judge(kind, owner, shop.state.settings.plan, 0)?.headers ?? NO_HEADERS;
    return overloaded;
  }

  /** Counts the request as this number of requests against the plan of its shop; the refusal, or null. */
  count(exchange: Exchange, { kind, owner }: Rate, shop: ShopAccess, requests = 1): Failure | null {
    exchange.isCounted = true;
    const verdict = this.rates.judge(kind, owner, shop.state.settings.plan, requests);
    if (verdict === null) return null;
    exchange.rateHeaders = verdict.headers;
    return verdict.refusal;
  }
}

const secondsUntilNext = (window: SlidingWindow, nowMs: number, limit: number): number =>
  Math.max(1, Math.ceil(window.untilNextMs(nowMs, limit) / 1000));

/** `own` is the part of `limit` that this process lets through. */
function rateHeaders(
  kind: ThrottleKind,
  window: SlidingWindow,
  nowMs: number,
  { limit, own }: { readonly limit: number; readonly own: number },
): Headers {
  const remaining = Math.max(0, own - window.count(nowMs));
  return [
    ['RateLimit-Policy', `"${kind}";q=${limit};w=${THROTTLES[kind].windowMs / 1000}`],
    ['RateLimit', `"${kind}";r=${remaining};t=${secondsUntilNext(window, nowMs, own)}`],
  ];
}

class Windows {
  readonly #windowMs: number;
  readonly #byOwner = new Map<string, SlidingWindow>();
  #sweepAt: number;
  readonly #ownersMax: number;

  constructor(windowMs: number, ownersMax: number) {
    this.#windowMs = windowMs;
    this.#ownersMax = ownersMax;
    this.#sweepAt = ownersMax;
  }

  find(owner: string): SlidingWindow | undefined {
    return this.#byOwner.get(owner);
  }

  of(owner: string, nowMs: number): SlidingWindow {
    const known = this.#byOwner.get(owner);
    if (known !== undefined) return known;
    if (this.#byOwner.size >= this.#sweepAt) this.#dropIdle(nowMs);
    const window = new SlidingWindow(this.#windowMs);
    this.#byOwner.set(owner, window);
    return window;
  }

  /** Busy owners stay: a new window would let them exceed the rate. There are no more of them than valid keys. */
  #dropIdle(nowMs: number): void {
    for (const [owner, window] of this.#byOwner) if (window.count(nowMs) === 0) this.#byOwner.delete(owner);
    this.#sweepAt = Math.max(this.#ownersMax, 2 * this.#byOwner.size);
  }
}

/** The times of the requests that passed within the last window, oldest first. */
class SlidingWindow {
  readonly #windowMs: number;
  #moments: number[] = [];
  /** How many of the times are older than the window. */
  #gone = 0;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  count(nowMs: number): number {
    while ((this.#moments[this.#gone] ?? nowMs) <= nowMs - this.#windowMs) this.#gone++;
    // They are dropped many at a time, because removing the first element of an array moves all others.
    if (this.#gone * 2 > this.#moments.length) {
      this.#moments = this.#moments.slice(this.#gone);
      this.#gone = 0;
    }
    return this.#moments.length - this.#gone;
  }

  add(nowMs: number): void {
    this.#moments.push(nowMs);
  }

  /** Milliseconds until one more request fits than now; a whole window when no request can ever fit. */
  untilNextMs(nowMs: number, limit: number): number {
    // After the limit was lowered, several requests may have to leave the window before the next fits.
    const next = this.#moments[Math.max(this.#gone, this.#moments.length - limit)];
    return next === undefined ? this.#windowMs : next + this.#windowMs - nowMs;
  }
}
