/**
 * Open loop: requests are due at times that do not depend on the answers, as shoppers are, at random
 * intervals around the wanted rate. Latency counts from when a request was due, so that a server which
 * stalls is charged for everything that would have been sent meanwhile.
 */

import { SeededRandom } from '../profiles/seeded-random.ts';
import { LatencyHistogram } from '../report/latency-histogram.ts';
import {
  type OpenLoopPlan,
  type OpenLoopResult,
  type StreamPlan,
  type StreamResult,
  wireRequests,
} from './load-target.ts';
import { isSuccess, WireConnection } from './wire-connection.ts';

/** Longest sleep of a generator that sleeps: it must notice the end of its run. */
const SLEEP_MS_MAX = 20;

/** How long answers may take after the last request. */
const DRAIN_MS = 5_000;

/** Due times in milliseconds from the start: gaps are exponential, as those of independent clients. */
export function dueTimes(perSecond: number, seconds: number, random: SeededRandom): Float64Array {
  const times: number[] = [];
  for (let at = 0; ; ) {
    at -= (Math.log(1 - random.next()) * 1_000) / perSecond;
    if (at >= seconds * 1_000) return Float64Array.from(times);
    times.push(at);
  }
}

class Stream {
  readonly #plan: StreamPlan;
  readonly #requests: readonly Buffer[];
  readonly #due: Float64Array;
  readonly #countFromMs: number;
  readonly #idle: WireConnection[] = [];
  readonly #dueOf = new Map<WireConnection, number>();
  readonly #latencies = new LatencyHistogram();
  /** Of the warm-up: recorded too, so that the code for it is compiled before latencies count. */
  readonly #warmup = new LatencyHistogram();
  readonly #lags: LatencyHistogram;
  readonly #connections: WireConnection[] = [];
  /** Next request that is not yet due. */
  #next = 0;
  /** Next request to send: behind `#next` when no connection was free. */
  #unsent = 0;
  #answered = 0;
  #failures = 0;
  #startMs = 0;

  constructor(
    plan: StreamPlan,
    { warmupSeconds, seconds }: OpenLoopPlan,
    seed: number,
    lags: LatencyHistogram,
  ) {
    this.#plan = plan;
    this.#requests = wireRequests(plan.target);
    this.#due = dueTimes(plan.perSecond, warmupSeconds + seconds, new SeededRandom(seed));
    this.#countFromMs = warmupSeconds * 1_000;
    this.#lags = lags;
  }

  async connect(): Promise<void> {
    const { host, port } = this.#plan.target;
    const opening = Array.from({ length: this.#plan.connections }, () =>
      WireConnection.open(
        host,
        port,
        (connection, status) => this.#end(connection, status),
        () => {
          this.#failures++;
        },
      ),
    );
    this.#connections.push(...(await Promise.all(opening)));
    this.#idle.push(...this.#connections);
  }

  begin(startMs: number): void {
    this.#startMs = startMs;
  }

  /** Sends what is due by now; `nowMs` is of the clock of `begin`. */
  tick(nowMs: number): void {
    const elapsed = nowMs - this.#startMs;
    while (this.#next < this.#due.length && (this.#due[this.#next] as number) <= elapsed) {
      const due = this.#due[this.#next++] as number;
      if (this.#unsent < this.#next - 1) continue;
      if (!this.#sendNext()) continue;
      (due < this.#countFromMs ? this.#warmup : this.#lags).record(this.#sinceUs(due));
    }
  }

  #sinceUs(due: number): number {
    return (performance.now() - this.#startMs - due) * 1_000;
  }

  /** When the next request is due, on the clock of `begin`. */
  get nextMs(): number {
    return this.#startMs + (this.#due[this.#next] ?? Number.POSITIVE_INFINITY);
  }

  get isDone(): boolean {
    return this.#answered === this.#due.length;
  }

  /** Sends the first unsent request if a connection is free. */
  #sendNext(): boolean {
    // Takes the connection that was idle longest, because the service closes idle connections.
    const connection = this.#idle.shift();
    if (connection === undefined) return false;
    this.#dueOf.set(connection, this.#due[this.#unsent] as number);
    connection.send(this.#requests[this.#unsent % this.#requests.length] as Buffer);
    this.#unsent++;
    return true;
  }

  #end(connection: WireConnection, status: number): void {
    const due = this.#dueOf.get(connection) ?? 0;
    this.#answered++;
    if (!isSuccess(status)) this.#failures++;
    (due < this.#countFromMs ? this.#warmup : this.#latencies).record(this.#sinceUs(due));
    this.#idle.push(connection);
    if (this.#unsent < this.#next) this.#sendNext();
  }

  result(): StreamResult {
    for (const connection of this.#connections) connection.close();
    return {
      name: this.#plan.name,
      answers: this.#latencies.count,
      failures: this.#failures + this.#due.length - this.#answered,
      p50Us: this.#latencies.quantileUs(0.5),
      p99Us: this.#latencies.quantileUs(0.99),
      p999Us: this.#latencies.quantileUs(0.999),
      maxUs: this.#latencies.maxUs,
    };
  }
}

export async function runOpenLoop(plan: OpenLoopPlan): Promise<OpenLoopResult> {
  const lags = new LatencyHistogram();
  const streams = plan.streams.map((stream, at) => new Stream(stream, plan, 100 + at, lags));
  await Promise.all(streams.map((stream) => stream.connect()));
  const startMs = performance.now();
  for (const stream of streams) stream.begin(startMs);
  const endMs = startMs + (plan.warmupSeconds + plan.seconds) * 1_000 + DRAIN_MS;
  await new Promise<void>((resolve) => {
    const turn = (): void => {
      const nowMs = performance.now();
      for (const stream of streams) stream.tick(nowMs);
      if (streams.every((stream) => stream.isDone) || nowMs > endMs) resolve();
      else if (plan.sleeps === true) {
        const dueMs = Math.min(...streams.map(({ nextMs }) => nextMs));
        setTimeout(turn, Math.min(SLEEP_MS_MAX, Math.max(1, dueMs - nowMs)));
      }
      // Spins on purpose: a timer's millisecond is a hundred times what is measured.
      else setImmediate(turn);
    };
    turn();
  });
  return {
    streams: streams.map((stream) => stream.result()),
    generatorLagP99Us: lags.quantileUs(0.99),
  };
}
