/**
 * The rates of a plan. It limits the requests of a key per minute and the simulations of a shop per second (contract
 * section 2). The window slides and is exact: no interval of its length has more requests that passed than the limit, and
 * a refused request is not counted. It uses the monotonic clock, so setting the wall clock has no effect. Memory: one
 * number for each request that passed within the last window, on plans with a limit.
 */
import { type Failure, rateLimited } from '../../engine/domain/failure.ts';
import { limitsOf, type PlanLimits, type PlanTable } from '../../engine/domain/plan.ts';
import type { KeyGrant, ShopAccess } from '../../shop/reader/shop-access.ts';
import type { Exchange } from './exchange.ts';
import type { RateUsage, ShopRoute, ThrottleKind } from './route.ts';

/** The rates of a plan: the limit, its window, and its unit in messages. */
export const THROTTLES = {
  requests: { limit: 'requestsPerMinute', windowMs: 60_000, text: 'requests per minute and API key' },
  simulations: { limit: 'simulationsPerSecond', windowMs: 1_000, text: 'simulations per second' },
} as const satisfies Record<ThrottleKind, { limit: keyof PlanLimits; windowMs: number; text: string }>;

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
   * Lets all these requests of `owner`, a key id or a shop id, through and counts them, or refuses all; the refusal, or
   * null, as where no limit applies.
   */
  judge(kind: ThrottleKind, owner: string | null, plan: string, requests = 1): Failure | null {
    const limit = this.#limit(kind, plan);
    if (limit === null || owner === null) return null;
    const nowMs = this.#nowMs();
    const window = this.#windows[kind].of(owner, nowMs);
    const own = this.#share(limit);
    if (window.count(nowMs) + requests <= own) {
      for (let added = 0; added < requests; added++) window.add(nowMs);
      return null;
    }
    const { text } = THROTTLES[kind];
    const waitSeconds = Math.max(1, Math.ceil(window.untilNextMs(nowMs, own - requests + 1) / 1000));
    // A batch above the share of this process passes only if the share grows, one above the limit never.
    const advice = own > 0 && requests > own ? `send at most ${own} at once` : '';
    const wait = requests > limit && advice !== '' ? '' : `try again in ${waitSeconds} s`;
    const hints = [advice, wait].filter((hint) => hint !== '').join(' to this server, or ');
    return rateLimited(`the plan ${plan} allows ${limit} ${text}: ${hints}`, waitSeconds);
  }

  /** Judges the request as this number of requests against the plan of its shop. */
  count(exchange: Exchange, { kind, owner }: Rate, shop: ShopAccess, requests = 1): Failure | null {
    exchange.isCounted = true;
    return this.judge(kind, owner, shop.state.settings.plan, requests);
  }

  readonly usage: RateUsage = (kind, owner, plan) => {
    if (this.#limit(kind, plan) === null || owner === null) return null;
    return this.#windows[kind].find(owner)?.count(this.#nowMs()) ?? 0;
  };

  /** The limit; null without one, and for a plan that the operator removed: its shops keep working. */
  #limit(kind: ThrottleKind, plan: string): number | null {
    return limitsOf(this.#plans, plan)?.[THROTTLES[kind].limit] ?? null;
  }
}

/** The requests that are counted together: those of a key, or the simulations of a shop. */
interface Rate {
  readonly kind: ThrottleKind;
  /** Null for the requests of operators, which have no limit. */
  readonly owner: string | null;
}

export const simulationsOf = (shopId: string): Rate => ({ kind: 'simulations', owner: shopId });

export const rateOf = ({ counts }: Pick<ShopRoute, 'counts'>, { keyId, shopId }: KeyGrant): Rate =>
  counts === 'simulations' ? simulationsOf(shopId) : { kind: counts, owner: keyId };

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
    // In this order no rounding of the sum makes it longer than the window.
    return next === undefined ? this.#windowMs : next - nowMs + this.#windowMs;
  }
}
