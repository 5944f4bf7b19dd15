/**
 * Refuses requests while the event loop cannot keep up, so that the others are answered in time.
 *
 * uWebSockets.js passes on the requests that wait in the sockets one after another, all in one turn of the event loop. So
 * the requests of a turn are those in flight, and the duration of turns is how long they wait. As in CoDel, one late turn
 * is no overload, because the queue after a compilation or a garbage collection is worked off: an overload is that turns
 * stay late for an interval. In an overload a turn takes every request until it is late, and from then on refuses those of
 * shops that have at least an equal share of its requests, and more than a few.
 */

import type { Metrics } from '../../base/metrics/metrics.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { type Failure, rateLimited } from '../../engine/domain/failure.ts';
import { standing } from './failure-answer.ts';

/** A turn is late from this duration on. Turns that follow within this time are one load. */
const TARGET_MS = 15;
/** Turns that are late for this long are an overload. */
const INTERVAL_MS = 50;
/** One shop alone may always have this many requests in flight (contract section 12.8), n shops an nth each. */
const FREE_REQUESTS = 64;
const RETRY_AFTER_SECONDS = 1;

const OVERLOADED = standing(
  rateLimited(`the server is overloaded: try again in ${RETRY_AFTER_SECONDS} s`, RETRY_AFTER_SECONDS),
);

export class OverloadGate {
  readonly #metrics: Metrics;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** Runs a task once all requests of this turn were passed on. */
  readonly #atTurnEnd: (task: () => void) => void;
  /** The requests of this turn, by shop and in all; none between turns. */
  readonly #byShop = new Map<string, number>();
  #requests = 0;
  #beganMs = 0;
  #endedMs = 0;
  /** When the first of the late turns in a row began; infinite when the last turn was in time. */
  #lateSinceMs = Number.POSITIVE_INFINITY;

  readonly #endTurn = (): void => {
    this.#endedMs = this.#clock.monotonicMs();
    if (this.#endedMs - this.#beganMs < TARGET_MS) this.#lateSinceMs = Number.POSITIVE_INFINITY;
    else this.#lateSinceMs = Math.min(this.#lateSinceMs, this.#beganMs);
    this.#requests = 0;
    this.#byShop.clear();
  };

  constructor(
    metrics: Metrics,
    clock: Pick<Clock, 'monotonicMs'>,
    atTurnEnd: (task: () => void) => void = setImmediate,
  ) {
    this.#metrics = metrics;
    this.#clock = clock;
    this.#atTurnEnd = atTurnEnd;
  }

  /** The refusal of a request of this shop that arrived at `nowMs` of the monotonic clock, or null. */
  refuse(shopId: string, nowMs: number): Failure | null {
    if (this.#requests === 0) this.#beginTurn(nowMs);
    const ofShop = (this.#byShop.get(shopId) ?? 0) + 1;
    this.#byShop.set(shopId, ofShop);
    this.#requests++;
    if (nowMs - this.#beganMs < TARGET_MS) return null;
    if (nowMs - Math.min(this.#lateSinceMs, this.#beganMs) < INTERVAL_MS) return null;
    /** As many requests would be in flight if every shop of this turn had as many as this one. */
    const ofEqualShops = ofShop * this.#byShop.size;
    if (ofEqualShops < this.#requests || ofEqualShops <= FREE_REQUESTS) return null;
    this.#metrics.values.overload_refused++;
    return OVERLOADED;
  }

  #beginTurn(nowMs: number): void {
    this.#beganMs = nowMs;
    if (nowMs - this.#endedMs >= TARGET_MS) this.#lateSinceMs = Number.POSITIVE_INFINITY;
    this.#atTurnEnd(this.#endTurn);
  }
}
