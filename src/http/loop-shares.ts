/**
 * The event-loop time that each shop used recently. Older use counts for less, and a shop that used almost nothing
 * is forgotten, so there are as many entries as shops with requests within a second or two.
 */

/** A measurement of this age counts for 1/e. */
const MEMORY_MS = 250;
/** Interval of ageing: a lap may take a millisecond, and there may be thousands of shops. */
const FADE_MS = 25;
/** A shop that used less is forgotten. */
const USED_MS_MIN = 0.001;
/** Share of the loop's time that all requests must have used for a shop to be greedy. */
const USED_SHARE_MIN = 0.5;
/** A shop that used this share of the busiest shop's time is greedy too. */
const GREEDY_SHARE_MIN = 0.75;

/** Weight of no refusal in `refusedShare`: fewer refusals than this say little. */
const REFUSED_COUNT_MIN = 64;

/** Requests and the time they took. */
export interface Cost {
  count: number;
  ms: number;
}

export class LoopShares {
  /** Requests that were let through, and refused. */
  readonly passed: Cost = { count: 0, ms: 0 };
  readonly refused: Cost = { count: 0, ms: 0 };
  readonly #used = new Map<string, { ms: number }>();
  /** The shop of the last request: consecutive requests mostly come from one shop. */
  #lastShopId = '';
  #last = { ms: 0 };
  #mostMs = 0;
  /** Of all shops, and of the loop, within the same memory. */
  #totalMs = 0;
  #watchedMs = 0;
  #fadedMs = 0;

  /** A lap of `lapMs` has ended. */
  lap(nowMs: number, lapMs: number): void {
    this.#watchedMs += lapMs;
    if (nowMs - this.#fadedMs >= FADE_MS) this.#fade(nowMs);
  }

  /** Adds the time of one request of a shop; `cost` is `passed` or `refused`. */
  add(shopId: string, tookMs: number, cost: Cost): void {
    if (shopId !== this.#lastShopId) this.#turnTo(shopId);
    this.#last.ms += tookMs;
    if (this.#last.ms > this.#mostMs) this.#mostMs = this.#last.ms;
    this.#totalMs += tookMs;
    const { count, ms } = this.passed;
    // A refusal that takes longer than an answer was interrupted: it is charged as an answer.
    const isPlausible = cost === this.passed || count === 0 || tookMs * count <= ms;
    cost.count++;
    cost.ms += isPlausible ? tookMs : ms / count;
  }

  /** Share of the recent requests that were refused, 0 to 1. */
  get refusedShare(): number {
    const { passed, refused } = this;
    return refused.count === 0 ? 0 : refused.count / (refused.count + passed.count + REFUSED_COUNT_MIN);
  }

  /** Forgets the recent refusals. */
  forgetRefusals(): void {
    this.refused.count = 0;
    this.refused.ms = 0;
  }

  /**
   * Whether the shop used about as much as the busiest shop. No shop did when requests are not what keeps the loop busy:
   * writes are carried out later. `ageMs` is how long this lap has lasted.
   */
  isGreedy(shopId: string, ageMs: number): boolean {
    if (this.#totalMs < (this.#watchedMs + ageMs) * USED_SHARE_MIN) return false;
    return (this.#used.get(shopId)?.ms ?? 0) >= this.#mostMs * GREEDY_SHARE_MIN;
  }

  #turnTo(shopId: string): void {
    let used = this.#used.get(shopId);
    if (used === undefined) {
      used = { ms: 0 };
      this.#used.set(shopId, used);
    }
    this.#lastShopId = shopId;
    this.#last = used;
  }

  #fade(nowMs: number): void {
    const kept = Math.exp((this.#fadedMs - nowMs) / MEMORY_MS);
    this.#fadedMs = nowMs;
    this.#mostMs = 0;
    this.#totalMs = 0;
    this.#watchedMs *= kept;
    for (const [shopId, one] of this.#used) {
      one.ms *= kept;
      if (one.ms < USED_MS_MIN) this.#used.delete(shopId);
      if (one.ms > this.#mostMs) this.#mostMs = one.ms;
      this.#totalMs += one.ms;
    }
    this.#lastShopId = '';
    for (const cost of [this.passed, this.refused]) {
      cost.count *= kept;
      cost.ms *= kept;
    }
  }
}
