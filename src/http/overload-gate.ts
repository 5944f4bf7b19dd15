/**
 * Refuses requests while the process cannot keep up, so that the others are answered in time. uWebSockets.js hands over
 * requests one by one, and the queue is in the sockets: the gate reads off the event loop how long a request may have
 * waited. A lap of the loop takes up everything that arrived during the lap before, so no request is older than that lap
 * and the time since this one began. A turn of the loop without a request is no lap and counts as a rest, even when it
 * is busy: an import in short turns makes no request wait.
 *
 * One long lap is no overload: the queue that a compilation or a collection of garbage leaves is worked off in less time
 * than that took. When working it off takes longer, the queue grows, and the gate shuts; also when laps stay late for
 * `LASTING_MS`. From then on the busiest shops are refused as soon as a lap has used up its time for answers: a
 * twentieth of the limit when few requests have to be refused, down to `TURN_MS` when most have. So laps stay short, and
 * an answer, a refusal and a request of a quiet shop wait for one or two of them. The first request of a lap is always
 * answered, so that the loop is never idle while requests wait.
 *
 * What it buys, measured at 5 times the capacity: 82 % of the capacity is answered, and a refusal takes 22 ms (p99).
 * Cost: one comparison per request, one immediate and one reading of the idle time (30 ns) per lap; while laps follow
 * each other without a rest, another immediate per lap, and 0.1 us per request to charge its shop.
 */
import { type Failure, failure } from '../domain/failure.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { HttpSettings } from './dependencies.ts';
import { standing } from './failure-answer.ts';

/** The queue grows when a lap has this many times the requests and the duration of the lap before. */
const GROWTH_MIN = 1.25;
/** A lap needs so many requests to show that, and the lap before a fourth of them: a few may be costly by chance. */
const GROWTH_REQUESTS_MIN = 16;
/** Share of the limit from which a lap is late, and how long laps must stay late where the queue does not grow. */
const LATE_SHARE = 0.2;
const LASTING_MS = 500;
/** Share of the limit from which a lap is watched: its time is charged to the shops. */
const WATCHED_SHARE = 0.01;
/**
 * After so long, and then after twice as long each time, a shut gate forgets its refusals and so becomes lenient for a
 * moment. Clients that retry at once cause many refusals, although one lap might answer them all.
 */
const PROBE_MS_MIN = 100;
const PROBE_MS_MAX = 5_000;
/** The gate stays shut for so long after the last refusal. */
const HOLD_MS = 1_000;
/** A refusal within this time after a rest belongs to a burst and does not keep the gate shut. */
const RESTLESS_MS = 50;
/** A loop that rests for this share of a lap keeps up. */
const REST_SHARE_MIN = 0.1;
/**
 * A lap answers the busiest shops for so long when half of the requests or more have to be refused: about 80 carts.
 * Clients that retry at once would otherwise keep the gate shut.
 */
const TURN_MS = 2;
/**
 * Share of the limit for which a lap answers them when few have to be refused; a longer wait in a growing queue shows an
 * overload. Measured at 1, 2 and 5 times the capacity against a tenth: refused within 40, 26 and 19 ms (p99) instead of
 * 60, 49 and 33, answered within 28, 19 and 13 ms instead of 52, 41 and 27, and as many answers.
 */
const TURN_SHARE_MAX = 0.05;
/** Refusals take at most this share of the loop's time, so that they do not crowd out the answers. */
const REFUSING_SHARE_MAX = 0.2;
/** Refusing is worthwhile when an answer costs this many times as much as a refusal. */
const WORTH_RATIO_MIN = 2;
/** Refusals before their cost is judged: a collection of garbage may fall into one. */
const SAMPLES_MIN = 32;

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
interface Cost {
  count: number;
  ms: number;
}

/**
 * The event-loop time that each shop used recently. Older use counts for less, and a shop that used almost nothing
 * is forgotten, so there are as many entries as shops with requests within a second or two.
 */
class LoopShares {
  /** Requests that were let through, and refused. */
  readonly passed: Cost = { count: 0, ms: 0 };
  readonly refused: Cost = { count: 0, ms: 0 };
  /** Milliseconds by shop, and those of the busiest one. */
  readonly #used = new Map<string, number>();
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
    const usedMs = this.#usedBy(shopId) + tookMs;
    this.#used.set(shopId, usedMs);
    this.#mostMs = Math.max(this.#mostMs, usedMs);
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
    return this.#usedBy(shopId) >= this.#mostMs * GREEDY_SHARE_MIN;
  }

  #usedBy(shopId: string): number {
    return this.#used.get(shopId) ?? 0;
  }

  #fade(nowMs: number): void {
    const kept = Math.exp((this.#fadedMs - nowMs) / MEMORY_MS);
    this.#fadedMs = nowMs;
    this.#mostMs = 0;
    this.#totalMs = 0;
    this.#watchedMs *= kept;
    for (const [shopId, usedMs] of this.#used) {
      const keptMs = usedMs * kept;
      if (keptMs < USED_MS_MIN) this.#used.delete(shopId);
      else this.#used.set(shopId, keptMs);
      this.#mostMs = Math.max(this.#mostMs, keptMs);
      this.#totalMs += keptMs;
    }
    for (const cost of [this.passed, this.refused]) {
      cost.count *= kept;
      cost.ms *= kept;
    }
  }
}

/** What the gate reads off the event loop, as a port that tests replace. */
interface EventLoop {
  /** Milliseconds of the monotonic clock. */
  nowMs(): number;
  /** Milliseconds in which the loop had nothing to do, since the process began. */
  idleMs(): number;
  /** Runs the task once everything that has arrived was handed over; a task that is given in a task runs a turn later. */
  atLapEnd(task: () => void): void;
}

const { nodeTiming } = performance;

const systemLoop: EventLoop = {
  nowMs: () => performance.now(),
  // Sound: Node has it since 14.10, its types do not.
  idleMs: () => (nodeTiming as typeof nodeTiming & { readonly idleTime: number }).idleTime,
  atLapEnd: (task) => setImmediate(task),
};

export class OverloadGate {
  readonly #limitMs: number;
  readonly #metrics: Metrics;
  readonly #loop: EventLoop;
  readonly #shares = new LoopShares();
  readonly #endLap = (): void => {
    this.#isInLap = false;
    if (!this.#hasRested) this.#loop.atLapEnd(this.#endTurn);
  };
  readonly #endTurn = (): void => {
    if (!this.#isInLap) this.#freeSinceMs = this.#loop.nowMs();
  };
  #isInLap = false;
  /** Whether the loop waited for events before this lap: then the turn after it tells nothing. */
  #hasRested = true;
  /** When the first turn without a request since the last lap was over. */
  #freeSinceMs = Number.POSITIVE_INFINITY;
  /** When the first request of this lap was handed over, and the idle time until then. */
  #lapMs = Number.POSITIVE_INFINITY;
  #idleMs = 0;
  /** How long the first request of this lap may have waited; 0 after a rest. */
  #lateMs = 0;
  #restedMs = 0;
  /** How late the first of consecutive late laps was, and when it ended; 0 when the last lap was not late. */
  #lateFirstMs = 0;
  #lateSinceMs = 0;
  /** Whether this lap is watched; its requests, and those of the lap before. */
  #isWatching = false;
  #count = 0;
  #countBefore = 0;
  /** When the gate was last open or probed; when it was last shut; and after how long it probes again. */
  #probedMs = 0;
  #shutMs = 0;
  #probeMs = PROBE_MS_MIN;
  /** The gate is shut until then: the busiest shops get their share of a lap and no more. */
  #shutUntilMs = Number.NEGATIVE_INFINITY;
  /** The request that was handed over last: its shop, whether it passed or was refused, its start and end. */
  #lastShopId = '';
  #last: Cost = this.#shares.passed;
  #lastMs = 0;
  #lastEndMs = 0;

  constructor(
    { overloadMs }: Pick<HttpSettings, 'overloadMs'>,
    metrics: Metrics,
    loop: EventLoop = systemLoop,
  ) {
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
    this.#count++;
    if (!this.#isWatching) return null;
    if (this.#lastShopId !== '') this.#charge(nowMs);
    this.#lastShopId = shopId;
    this.#lastMs = nowMs;
    this.#lastEndMs = nowMs;
    this.#last = this.#shares.passed;
    const ageMs = nowMs - this.#lapMs;
    if (!this.#isShut(nowMs, ageMs) || !this.#isTooMuch(shopId, ageMs) || !this.#isWorthwhile()) return null;
    this.#last = this.#shares.refused;
    if (nowMs - this.#restedMs >= RESTLESS_MS) this.#shutUntilMs = nowMs + HOLD_MS;
    this.#metrics.values.overload_refused++;
    return OVERLOADED;
  }

  /** A request that was handed over at `startMs` is answered, or its client gone. */
  end(startMs: number, nowMs: number): void {
    if (startMs === this.#lastMs) this.#lastEndMs = nowMs;
  }

  #beginLap(nowMs: number): void {
    this.#isInLap = true;
    this.#loop.atLapEnd(this.#endLap);
    const idleMs = this.#loop.idleMs();
    const lapMs = nowMs - this.#lapMs;
    const waitedMs = idleMs - this.#idleMs;
    this.#hasRested = waitedMs >= lapMs * REST_SHARE_MIN;
    const restMs = Math.max(waitedMs, nowMs - this.#freeSinceMs);
    this.#freeSinceMs = Number.POSITIVE_INFINITY;
    // Time after the last request of a lap belongs to no shop; idle time is not charged.
    if (this.#lastShopId !== '') this.#charge(Math.min(this.#lastEndMs, nowMs - restMs));
    this.#lastShopId = '';
    // Everything that arrived before a rest was taken up before it.
    this.#lateMs = restMs < lapMs * REST_SHARE_MIN ? Math.max(0, lapMs - restMs) : 0;
    if (this.#lateMs === 0) this.#restedMs = nowMs;
    this.#watchLateness(nowMs);
    if (this.#isWatching) this.#shares.lap(nowMs, lapMs);
    this.#isWatching = this.#lateMs > this.#limitMs * WATCHED_SHARE || nowMs < this.#shutUntilMs;
    this.#probe(nowMs);
    this.#lapMs = nowMs;
    this.#idleMs = idleMs;
    this.#countBefore = this.#lateMs === 0 ? 0 : this.#count;
    this.#count = 0;
  }

  /** Shuts the gate when laps stay late. A lap of half the lateness shows that the queue is being worked off. */
  #watchLateness(nowMs: number): void {
    if (this.#lateMs <= this.#limitMs * LATE_SHARE) this.#lateFirstMs = 0;
    else if (this.#lateMs * 2 <= this.#lateFirstMs || this.#lateFirstMs === 0) {
      this.#lateFirstMs = this.#lateMs;
      this.#lateSinceMs = nowMs;
    } else if (nowMs - this.#lateSinceMs >= LASTING_MS) this.#shutUntilMs = nowMs + HOLD_MS;
  }

  #probe(nowMs: number): void {
    if (nowMs < this.#shutUntilMs) {
      this.#shutMs = nowMs;
      if (nowMs - this.#probedMs < this.#probeMs) return;
      this.#shares.forgetRefusals();
      this.#probeMs = Math.min(PROBE_MS_MAX, this.#probeMs * 2);
    } else if (nowMs - this.#shutMs >= HOLD_MS) this.#probeMs = PROBE_MS_MIN;
    this.#probedMs = nowMs;
  }

  /** Charges the time since the last request was handed over to its shop. */
  #charge(nowMs: number): void {
    this.#shares.add(this.#lastShopId, Math.max(0, nowMs - this.#lastMs), this.#last);
  }

  /** Shuts the gate when the queue grows. */
  #isShut(nowMs: number, ageMs: number): boolean {
    if (nowMs < this.#shutUntilMs) return true;
    const isLate = this.#lateMs + ageMs > this.#limitMs * TURN_SHARE_MAX;
    const isLonger = ageMs >= this.#lateMs * GROWTH_MIN && this.#count >= this.#countBefore * GROWTH_MIN;
    const isMany = this.#count >= GROWTH_REQUESTS_MIN && this.#countBefore * 4 >= GROWTH_REQUESTS_MIN;
    if (!isLate || !isLonger || !isMany) return false;
    this.#shutUntilMs = nowMs + HOLD_MS;
    return true;
  }

  /** Whether a busy shop had its share of this lap, or any request may have waited for the limit. */
  #isTooMuch(shopId: string, ageMs: number): boolean {
    if (this.#lateMs + ageMs > this.#limitMs) return true;
    const leniency = Math.max(0, 1 - 2 * this.#shares.refusedShare);
    const turnMs = TURN_MS + leniency * this.#limitMs * TURN_SHARE_MAX;
    return ageMs > turnMs && this.#shares.isGreedy(shopId, ageMs);
  }

  /** False when refusals used up their share of the time, or cost about as much as answers. */
  #isWorthwhile(): boolean {
    const { passed, refused } = this.#shares;
    const { count, ms } = refused;
    if (count < SAMPLES_MIN) return true;
    return (
      ms <= (ms + passed.ms) * REFUSING_SHARE_MAX && passed.ms * count >= ms * passed.count * WORTH_RATIO_MIN
    );
  }
}

const OVERLOADED = standing(failure('RATE_LIMITED', 'the server is overloaded: try again in 1 s'));
