/**
 * Refuses requests while the process cannot keep up, so that the others are answered in time.
 *
 * The queue is in the sockets, and uWebSockets.js passes on one request at a time, so the gate derives from the event
 * loop how long a request may have waited. A lap is a turn of the loop with requests. It passes on everything that
 * arrived during the lap before, so no request is older than that lap plus the time since this one began. A turn without
 * a request counts as a rest even when it is busy: an import in short turns makes no request wait.
 *
 * One long lap is no overload: the queue after a compilation or a garbage collection is worked off in less time than it
 * took to build up. If that takes longer, the queue grows and the gate shuts; also if laps stay late for `LASTING_MS`.
 * While it is shut, the busiest shops are refused once a lap has used up its time for answers: a twentieth of the limit
 * when few requests must be refused, down to `TURN_MS` when most must. So laps stay short, and answers, refusals and
 * requests of quiet shops wait for one or two of them. The first request of a lap is always answered, so that the loop is
 * never idle while requests wait.
 *
 * Measured at 5 times the capacity: 82 % of the capacity is answered, and a refusal takes 22 ms (p99). Cost: one
 * comparison per request, one immediate and one reading of the idle time (30 ns) per lap; while laps follow each other
 * without a rest, another immediate per lap, and 0.1 us per request to add its time to that of its shop.
 */
import { type Failure, failure } from '../domain/failure.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { HttpSettings } from './dependencies.ts';
import { standing } from './failure-answer.ts';

/** The queue grows when a lap has this many times the requests and the duration of the lap before. */
const GROWTH_MIN = 1.25;
/** Requests that such a lap must have, and the lap before a fourth of them: a few may be expensive by chance. */
const GROWTH_REQUESTS_MIN = 16;
/** A lap is late from this share of the limit on; this long laps must stay late if the queue does not grow. */
const LATE_SHARE = 0.2;
const LASTING_MS = 500;
/**
 * A lap after one of more than this share of the limit is watched: the time of its requests is added to that of their
 * shops. Requests of the others cost one comparison, and none is refused.
 */
const WATCHED_SHARE = 0.01;
/**
 * A shut gate forgets its refusals after this time, which doubles each time, and so is lenient for a moment: clients that
 * retry at once cause many refusals, although one lap might answer them all.
 */
const PROBE_MS_MIN = 100;
const PROBE_MS_MAX = 5_000;
/** How long the gate stays shut after the last refusal. */
const HOLD_MS = 1_000;
/** A refusal within this time after a rest belongs to a burst and does not keep the gate shut. */
const RESTLESS_MS = 50;
/** A loop that rests for this share of a lap keeps up. */
const REST_SHARE_MIN = 0.1;
/**
 * Time of a lap for answers to the busiest shops when half of the requests or more must be refused: about 80 carts.
 * Without it, clients that retry at once would keep the gate shut.
 */
const TURN_MS = 2;
/**
 * The same when few must be refused, as a share of the limit; a longer wait in a growing queue shows an overload. Measured
 * at 1, 2 and 5 times the capacity, compared with a tenth: refused within 40, 26 and 19 ms (p99) instead of 60, 49 and
 * 33, answered within 28, 19 and 13 ms instead of 52, 41 and 27, and as many answers.
 */
const TURN_SHARE_MAX = 0.05;
/** Refusals take at most this share of the loop's time, so that enough is left for answers. */
const REFUSING_SHARE_MAX = 0.2;
/** Refusing is worthwhile when an answer costs at least this many times as much as a refusal. */
const WORTH_RATIO_MIN = 2;
/** Refusals before their cost is judged: one of them may contain a garbage collection. */
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

/** Number of requests and the time they took. */
interface Cost {
  count: number;
  ms: number;
}

/**
 * The event-loop time that each shop used recently. Older use counts less, and a shop that used almost nothing is
 * forgotten, so there are as many entries as shops with requests within the last second or two.
 */
class LoopShares {
  readonly passed: Cost = { count: 0, ms: 0 };
  readonly refused: Cost = { count: 0, ms: 0 };
  /** Milliseconds by shop, and those of the busiest shop. */
  readonly #used = new Map<string, number>();
  #mostMs = 0;
  /** Milliseconds of all shops, and of the watched laps; they fade like those of a shop. */
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
    // A refusal that took longer than an answer was interrupted: it counts with the time of an answer.
    const isPlausible = cost === this.passed || count === 0 || tookMs * count <= ms;
    cost.count++;
    cost.ms += isPlausible ? tookMs : ms / count;
  }

  /** The share of recent requests that were refused, 0 to 1. */
  get refusedShare(): number {
    const { passed, refused } = this;
    return refused.count === 0 ? 0 : refused.count / (refused.count + passed.count);
  }

  forgetRefusals(): void {
    this.refused.count = 0;
    this.refused.ms = 0;
  }

  /**
   * True for a shop that used about as much as the busiest one. False for all when other work keeps the loop busy, such as
   * the execution of writes. `ageMs` is the time since this lap began.
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

/** The event loop, as a port that tests replace. */
interface EventLoop {
  /** Milliseconds of the monotonic clock. */
  nowMs(): number;
  /** Milliseconds for which the loop has been idle since the process began. */
  idleMs(): number;
  /** Runs the task after all requests that have arrived were passed on; a task of a task runs one turn later. */
  atLapEnd(task: () => void): void;
}

const { nodeTiming } = performance;

const systemLoop: EventLoop = {
  nowMs: () => performance.now(),
  // Type-safe: Node has had it since 14.10, but its types lack it.
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
  /** The loop waited for events before this lap: the turn after the lap is not needed to detect a rest. */
  #hasRested = true;
  /** When the first turn without a request since the last lap ended. */
  #freeSinceMs = Number.POSITIVE_INFINITY;
  /** When this lap began, and the idle time until then. */
  #lapMs = Number.POSITIVE_INFINITY;
  #idleMs = 0;
  /** How long the first request of this lap may have waited; 0 after a rest. */
  #lateMs = 0;
  #restedMs = 0;
  /** How late the first of consecutive late laps was, and when it ended; 0 when the last lap was not late. */
  #lateFirstMs = 0;
  #lateSinceMs = 0;
  #isWatching = false;
  /** Number of requests in this lap, and in the lap before. */
  #count = 0;
  #countBefore = 0;
  /** When the gate was last open or probed, when it was last shut, and the time between probes. */
  #probedMs = 0;
  #shutMs = 0;
  #probeMs = PROBE_MS_MIN;
  #shutUntilMs = Number.NEGATIVE_INFINITY;
  /** The last request: its shop, whether it passed or was refused, its start and end. */
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

  /** A request arrives; `nowMs` is the time on the monotonic clock. */
  arrive(nowMs: number): void {
    if (!this.#isInLap) this.#beginLap(nowMs);
  }

  /** The refusal of a request that arrived now and may have waited too long, else null. */
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

  /** A request that arrived at `startMs` is answered, or its client has disconnected. */
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
    // Everything that arrived before a rest was passed on before it.
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

  /** Shuts the gate when laps stay late. A lap that is half as late as the first one shows a shrinking queue. */
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

  /** Adds the time since the last request began to that of its shop. */
  #charge(nowMs: number): void {
    this.#shares.add(this.#lastShopId, Math.max(0, nowMs - this.#lastMs), this.#last);
  }

  /** True when the gate is shut; shuts it when the queue grows. */
  #isShut(nowMs: number, ageMs: number): boolean {
    if (nowMs < this.#shutUntilMs) return true;
    const isLate = this.#lateMs + ageMs > this.#limitMs * TURN_SHARE_MAX;
    const isLonger = ageMs >= this.#lateMs * GROWTH_MIN && this.#count >= this.#countBefore * GROWTH_MIN;
    const isMany = this.#count >= GROWTH_REQUESTS_MIN && this.#countBefore * 4 >= GROWTH_REQUESTS_MIN;
    if (!isLate || !isLonger || !isMany) return false;
    this.#shutUntilMs = nowMs + HOLD_MS;
    return true;
  }

  /** True when a busy shop has used up its share of this lap, or a request may have waited for the limit. */
  #isTooMuch(shopId: string, ageMs: number): boolean {
    if (this.#lateMs + ageMs > this.#limitMs) return true;
    const leniency = Math.max(0, 1 - 2 * this.#shares.refusedShare);
    const turnMs = TURN_MS + leniency * this.#limitMs * TURN_SHARE_MAX;
    return ageMs > turnMs && this.#shares.isGreedy(shopId, ageMs);
  }

  /** False when refusals have used up their share of the time, or cost about as much as answers. */
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
