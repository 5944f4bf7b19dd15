/**
 * Turns requests away while the process cannot keep up, so that the rest is answered in time. The library
 * hands over requests one by one, and what waits, waits in the sockets: how long it may have waited is read
 * off the event loop. A lap of the loop takes up all that came during the lap before, so nothing is older
 * than that lap and what has passed of this one. Turns of the loop that bring no request are no lap and count as
 * a rest, although they may be busy: an import in short turns makes nobody wait.
 *
 * One long lap is no overload: what came during a compilation or a collection of garbage is worked off in less
 * time than that took. When it takes longer, the queue grows, and the gate shuts; also when laps stay late for
 * `LASTING_MS`. From then on the busiest shops are refused as soon as a lap has served for its turn: a twentieth
 * of the limit when few have to be, down to `TURN_MS` when most have. So laps stay short, an answer and a refusal
 * wait for one or two of them, and so does a shop that asks for little. The first of a lap is served, so that the
 * loop is never idle for want of leave, however long a request takes.
 *
 * Cost: one comparison per request, one immediate and one reading of the idle time (30 ns) per lap; while laps
 * follow each other without a rest, another immediate per lap, and 0.1 us per request for whose it was.
 */
import { type Failure, failure } from '../domain/failure.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { standing } from './failure-answer.ts';
import { type Cost, LoopShares } from './loop-shares.ts';

/** The queue grows when a lap has so many times the requests of the one before it, and takes as much longer. */
const GROWTH_MIN = 1.25;
/** So many requests of one lap must show it, and a fourth of the one before: a few may be costly by chance. */
const GROWTH_REQUESTS_MIN = 16;
/** Share of the limit from which a lap is late, and for how long laps must be so where the queue does not grow. */
const LATE_SHARE = 0.2;
const LASTING_MS = 500;
/** Share of the limit from which a lap is watched: whose requests take its time. */
const WATCHED_SHARE = 0.01;
/**
 * After so long the gate looks whether few would have to be refused if it were lenient, and then after twice as long
 * each time. Clients that ask again at once make a crowd of refusals, and yet might all be served within a turn.
 */
const PROBE_MS_MIN = 100;
const PROBE_MS_MAX = 5_000;
/** For so long after the last refusal the gate stays shut. */
const HOLD_MS = 1_000;
/** A refusal within this time after a rest was of a burst: it keeps nothing shut. */
const RESTLESS_MS = 50;
/** A loop that rested for this share of a lap keeps up. */
const REST_SHARE_MIN = 0.1;
/**
 * For so long a lap serves the busiest shops in any case, and when half of all or more have to be refused: 80 carts of
 * clients that ask again at once, who would otherwise keep it so.
 */
const TURN_MS = 2;
/**
 * Share of the limit for which it serves them when few have to be; who waits longer in a growing queue shows an overload.
 * Measured at 1, 2 and 5 times the capacity, against a tenth: refused within 40, 26 and 19 ms (p99) instead of 60, 49
 * and 33, answered within 28, 19 and 13 instead of 52, 41 and 27, and as much of it.
 */
const TURN_SHARE_MAX = 0.05;
/** At most this share of the loop's time goes into refusals: they must not crowd out the answers. */
const REFUSING_SHARE_MAX = 0.2;
/** An answer must cost so many times as much as a refusal: else refusing saves nothing. */
const WORTH_RATIO_MIN = 2;
/** So many refusals are made before their cost is judged: a collection of garbage may fall into one. */
const SAMPLES_MIN = 32;

export interface OverloadLimits {
  /** Milliseconds for which a request may have waited for the event loop. */
  readonly overloadMs: number;
}

/** What the gate reads off the event loop, as a port that tests replace. */
export interface EventLoop {
  /** Milliseconds of the monotonic clock. */
  nowMs(): number;
  /** Milliseconds in which the loop had nothing to do, since the process began. */
  idleMs(): number;
  /** Runs the task once all that has arrived was handed over; what is asked for in a task runs a turn later. */
  atLapEnd(task: () => void): void;
}

const { nodeTiming } = performance;

export const systemLoop: EventLoop = {
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
  /** Whether the loop waited for events before this lap: then the turn behind it tells nothing. */
  #hasRested = true;
  /** When the first turn without a request was over, since the last lap. */
  #freeSinceMs = Number.POSITIVE_INFINITY;
  /** When the first request of this lap was handed over, and the idle time until then. None was yet. */
  #lapMs = Number.POSITIVE_INFINITY;
  #idleMs = 0;
  /** How long the first request of this lap may have waited; 0 after a rest. */
  #lateMs = 0;
  #restedMs = 0;
  /** How late the first of a row of late laps was, and when it was over; 0 when the last lap was not late. */
  #lateFirstMs = 0;
  #lateSinceMs = 0;
  /** Whether this lap is watched; its requests, and those of the lap before. */
  #isWatching = false;
  #count = 0;
  #countBefore = 0;
  /** When the gate was open last, or looked whether it might be; when it was shut last; and after how long it looks again. */
  #probedMs = 0;
  #shutMs = 0;
  #probeMs = PROBE_MS_MIN;
  /** Until then the gate is shut: the busiest shops get their turn of a lap and no more. */
  #shutUntilMs = Number.NEGATIVE_INFINITY;
  /** What was handed over last: whose it was, what became of it, and when it began and ended. */
  #lastShopId = '';
  #last: Cost = this.#shares.passed;
  #lastMs = 0;
  #lastEndMs = 0;

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
    // What the loop did behind the last request of the lap was for nobody known; while it rested, for nobody at all.
    if (this.#lastShopId !== '') this.#charge(Math.min(this.#lastEndMs, nowMs - restMs));
    this.#lastShopId = '';
    // Whatever came before a rest was taken up before it.
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

  /** Shuts the gate when laps stay late: a queue of half the length is being worked off. */
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

  /** What has passed since the last request was handed over goes to its shop. */
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

  /** The busiest shops had their turn of this lap; or anybody may have waited for the limit. */
  #isTooMuch(shopId: string, ageMs: number): boolean {
    if (this.#lateMs + ageMs > this.#limitMs) return true;
    const leniency = Math.max(0, 1 - 2 * this.#shares.refusedShare);
    const turnMs = TURN_MS + leniency * this.#limitMs * TURN_SHARE_MAX;
    return ageMs > turnMs && this.#shares.isGreedy(shopId, ageMs);
  }

  /** False when refusals took their share of the time, or cost about what answers do. */
  #isWorthwhile(): boolean {
    const { passed, refused } = this.#shares;
    const { count, ms } = refused;
    if (count < SAMPLES_MIN) return true;
    return (
      ms <= (ms + passed.ms) * REFUSING_SHARE_MAX && passed.ms * count >= ms * passed.count * WORTH_RATIO_MIN
    );
  }
}

const RETRY_AFTER_SECONDS = 1;

const OVERLOADED = standing({
  ...failure('RATE_LIMITED', `the server is overloaded: try again in ${RETRY_AFTER_SECONDS} s`),
  retryAfterSeconds: RETRY_AFTER_SECONDS,
});
