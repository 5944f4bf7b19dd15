/**
 * Turns requests away while the process cannot keep up, so that the rest is answered in time. The library
 * hands over requests one by one, and what waits, waits in the sockets: how long it may have waited is read
 * off the event loop. A lap of the loop takes up all that came during the lap before, so nothing is older
 * than that lap and what has passed of this one.
 *
 * One long lap is no overload: a compilation or a collection of garbage is over with it. Only when two
 * laps or more came late, without a rest and for `LASTING_MS`, are requests refused, those first whose shop
 * uses more than its share of the loop, while it has no rest, and until none had to be for `HOLD_MS`.
 *
 * Cost: one comparison per request, one immediate and one reading of the idle time (30 ns) per lap. In nine
 * alternating runs with 64 connections throughput and processor time per request differed by less than 3 %
 * with and without it, which is what equal runs differed by.
 */
import { type Failure, failure } from '../domain/failure.ts';
import type { Metrics } from '../runtime/metrics.ts';

/** For so long the loop must have been late before anyone is refused. */
const LASTING_MS = 500;
/** For so long after the last refusal the gate stays watchful. */
const HOLD_MS = 1_000;
/** A loop that waited for events for this share of a lap keeps up. */
const REST_SHARE_MIN = 0.1;
/** A loop that rested within this time may be late for once. */
const RESTLESS_MS = 100;
/** Share of the limit from which a shop that uses more than its part of the loop is refused. */
const GREEDY_SHARE = 0.05;
/** Share of the limit from which a lap is late. */
const LATE_SHARE = 0.2;
/** At most this share of the loop's time goes into refusals: they must not crowd out the answers. */
const REFUSING_SHARE_MAX = 0.2;
/** An answer must cost so many times as much as a refusal: else refusing saves nothing. */
const WORTH_RATIO_MIN = 2;
/** So many refusals are made before their cost is judged: a collection of garbage may fall into one. */
const SAMPLES_MIN = 32;
/** What was measured so long ago counts for 1/e. */
const MEMORY_MS = 250;
/** Share of the loop's time that the requests must have used for a shop to be called greedy. */
const USED_SHARE_MIN = 0.5;
/** A shop that used less of the last laps is forgotten. */
const USED_MS_MIN = 0.001;

export interface OverloadLimits {
  /** Milliseconds for which a request may have waited for the event loop. */
  readonly overloadMs: number;
}

/** What the gate reads off the event loop, as a port that tests replace. */
export interface EventLoop {
  /** Milliseconds in which the loop had nothing to do, since the process began. */
  idleMs(): number;
  /** Runs the task once all that has arrived was handed over. */
  atLapEnd(task: () => void): void;
}

/** Requests and the time they took. */
interface Cost {
  count: number;
  ms: number;
}

const { nodeTiming } = performance;

export const systemLoop: EventLoop = {
  // Sound: Node has it since 14.10, its types do not.
  idleMs: () => (nodeTiming as typeof nodeTiming & { readonly idleTime: number }).idleTime,
  atLapEnd: (task) => setImmediate(task),
};

export class OverloadGate {
  readonly #limitMs: number;
  readonly #metrics: Metrics;
  readonly #loop: EventLoop;
  readonly #endLap = (): void => {
    this.#isInLap = false;
  };
  #isInLap = false;
  /** When the first request of this lap was handed over, and the idle time until then. None was yet. */
  #lapMs = Number.POSITIVE_INFINITY;
  #idleMs = 0;
  /** How long the first request of this lap may have waited. */
  #lateMs = 0;
  /** Since when every lap was late; null when the last one was not. */
  #lateSinceMs: number | null = null;
  #watchesUntilMs = Number.NEGATIVE_INFINITY;
  #restedMs = 0;
  /** Milliseconds of the last laps by shop, and of all at the begin of this one; kept while the gate is watchful. */
  readonly #used = new Map<string, number>();
  #usedTotal = 0;
  readonly #passed: Cost = { count: 0, ms: 0 };
  readonly #refused: Cost = { count: 0, ms: 0 };
  /** What was handed over last: whose it was, what became of it, and when. */
  #lastShopId = '';
  #last: Cost = this.#passed;
  #lastMs = 0;

  constructor({ overloadMs }: OverloadLimits, metrics: Metrics, loop: EventLoop = systemLoop) {
    this.#limitMs = overloadMs;
    this.#metrics = metrics;
    this.#loop = loop;
  }

  /** A request is handed over; `nowMs` is of the monotonic clock. */
  arrive(nowMs: number): void {
    if (!this.#isInLap) this.#beginLap(nowMs);
  }

  /** The refusal of a request that arrived now and waited too long, else null. */
  refuse(shopId: string, nowMs: number): Failure | null {
    if (nowMs >= this.#watchesUntilMs) return null;
    this.#charge(nowMs);
    this.#lastShopId = shopId;
    const waitedMs = this.#lateMs + nowMs - this.#lapMs;
    const limitMs = this.#isGreedy(shopId) ? this.#limitMs * GREEDY_SHARE : this.#limitMs;
    this.#last = this.#passed;
    if (waitedMs <= limitMs || nowMs - this.#restedMs < RESTLESS_MS || !this.#isWorthwhile()) return null;
    this.#last = this.#refused;
    this.#watchesUntilMs = nowMs + HOLD_MS;
    this.#metrics.values.overload_refused++;
    return OVERLOADED;
  }

  #beginLap(nowMs: number): void {
    this.#isInLap = true;
    this.#loop.atLapEnd(this.#endLap);
    const idleMs = this.#loop.idleMs();
    const lapMs = nowMs - this.#lapMs;
    const restMs = idleMs - this.#idleMs;
    // Whatever came before a rest was taken up before it.
    this.#lateMs = restMs < lapMs * REST_SHARE_MIN ? lapMs - restMs : 0;
    if (this.#lateMs === 0) this.#restedMs = nowMs;
    if (this.#lateMs <= this.#limitMs * LATE_SHARE) this.#lateSinceMs = null;
    else {
      const isSecond = this.#lateSinceMs !== null;
      this.#lateSinceMs ??= this.#lapMs;
      if (isSecond && nowMs - this.#lateSinceMs >= LASTING_MS) this.#watchesUntilMs = nowMs + HOLD_MS;
    }
    if (nowMs < this.#watchesUntilMs) this.#fade(lapMs);
    this.#lapMs = nowMs;
    this.#idleMs = idleMs;
    this.#lastShopId = '';
    this.#lastMs = nowMs;
  }

  /** Older laps count for less. */
  #fade(lapMs: number): void {
    const kept = Math.exp(-lapMs / MEMORY_MS);
    this.#usedTotal = 0;
    for (const [shopId, ms] of this.#used) {
      const left = ms * kept;
      if (left < USED_MS_MIN) this.#used.delete(shopId);
      else this.#used.set(shopId, left);
      this.#usedTotal += left;
    }
    for (const cost of [this.#passed, this.#refused]) {
      cost.count *= kept;
      cost.ms *= kept;
    }
  }

  /** What passed since the last request of this lap was handed over goes to its shop. */
  #charge(nowMs: number): void {
    if (this.#lastShopId !== '') {
      const tookMs = Math.max(0, nowMs - this.#lastMs);
      this.#used.set(this.#lastShopId, (this.#used.get(this.#lastShopId) ?? 0) + tookMs);
      const { count, ms } = this.#passed;
      // Else the process was held up meanwhile: no refusal takes longer than an answer.
      const isPlausible = this.#last === this.#passed || count === 0 || tookMs * count <= ms;
      this.#last.count++;
      this.#last.ms += isPlausible ? tookMs : ms / count;
    }
    this.#lastMs = nowMs;
  }

  /** False when refusals took their share of the time, or cost about what answers do. */
  #isWorthwhile(): boolean {
    const { count, ms } = this.#refused;
    if (count < SAMPLES_MIN) return true;
    const passed = this.#passed;
    return (
      ms <= (ms + passed.ms) * REFUSING_SHARE_MAX && passed.ms * count >= ms * passed.count * WORTH_RATIO_MIN
    );
  }

  /**
   * Used as much of the loop as the shops did on average, or more. None did when it is not what is handed
   * over that keeps the loop busy: writes are carried out later.
   */
  #isGreedy(shopId: string): boolean {
    if (this.#usedTotal < MEMORY_MS * USED_SHARE_MIN) return false;
    return (this.#used.get(shopId) ?? 0) * this.#used.size >= this.#usedTotal;
  }
}

const RETRY_AFTER_SECONDS = 1;

const OVERLOADED: Failure = {
  ...failure('RATE_LIMITED', `the server is overloaded: try again in ${RETRY_AFTER_SECONDS} s`),
  retryAfterSeconds: RETRY_AFTER_SECONDS,
};
