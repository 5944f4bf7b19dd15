/**
 * Open loop: requests are due at times that do not depend on the answers, as shoppers are, at random
 * intervals around the wanted rate. Latency counts from when a request was due, so that a server which
 * stalls is charged for everything that would have been sent meanwhile.
 */
import { SeededRandom } from '../profiles/seeded-random.ts';
import { LatencyHistogram } from '../report/latency-histogram.ts';
import {
  type AnswerDetail,
  type Carrier,
  type Connection,
  type EndedRequest,
  type LoadTarget,
  NO_ANSWER,
  type OpenLoopPlan,
  type OpenLoopResult,
  type StreamPlan,
  type StreamResult,
} from './load-target.ts';
import { isSuccess, wireCarrier } from './wire-connection.ts';

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

interface OpenLoopTools {
  readonly carrierOf: (target: LoadTarget, connections: number) => Carrier;
  /** Told of every request that counts, once it has ended. */
  readonly observe?: (request: EndedRequest) => void;
}

/** Milliseconds from the begin. */
interface InFlight {
  readonly due: number;
  readonly sent: number;
}

class Stream {
  readonly #plan: StreamPlan;
  readonly #carrier: Carrier;
  readonly #observe: OpenLoopTools['observe'];
  readonly #due: Float64Array;
  readonly #countFromMs: number;
  readonly #idle: Connection[] = [];
  readonly #inFlight = new Map<Connection, InFlight>();
  readonly #latencies = new LatencyHistogram();
  /** Of the warm-up: recorded too, so that the code for it is compiled before latencies count. */
  readonly #warmup = new LatencyHistogram();
  readonly #lags: LatencyHistogram;
  readonly #connections: Connection[] = [];
  /** Next request that is not yet due. */
  #next = 0;
  /** Next request to send: behind `#next` when no connection was free. */
  #unsent = 0;
  #answered = 0;
  #failures = 0;
  #startMs = 0;
  #isOver = false;

  constructor(
    plan: StreamPlan,
    { warmupSeconds, seconds }: OpenLoopPlan,
    seed: number,
    lags: LatencyHistogram,
    { carrierOf, observe }: OpenLoopTools,
  ) {
    this.#plan = plan;
    this.#carrier = carrierOf(plan.target, plan.connections);
    this.#observe = observe;
    this.#due = dueTimes(plan.perSecond, warmupSeconds + seconds, new SeededRandom(seed));
    this.#countFromMs = warmupSeconds * 1_000;
    this.#lags = lags;
  }

  async connect(): Promise<void> {
    const opening = Array.from({ length: this.#plan.connections }, () =>
      this.#carrier.open(
        (connection, status, detail = {}) => this.#end(connection, status, detail),
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
      (due < this.#countFromMs ? this.#warmup : this.#lags).record((this.#nowMs - due) * 1_000);
    }
  }

  get #nowMs(): number {
    return performance.now() - this.#startMs;
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
    const { requests } = this.#carrier;
    this.#inFlight.set(connection, { due: this.#due[this.#unsent] as number, sent: this.#nowMs });
    connection.send(requests[this.#unsent % requests.length] as Buffer);
    this.#unsent++;
    return true;
  }

  #end(connection: Connection, status: number, detail: AnswerDetail): void {
    const request = this.#inFlight.get(connection);
    if (this.#isOver || request === undefined) return;
    this.#inFlight.delete(connection);
    this.#answered++;
    if (!isSuccess(status)) this.#failures++;
    this.#record(request.due, request.sent, status, detail);
    this.#idle.push(connection);
    if (this.#unsent < this.#next) this.#sendNext();
  }

  #record(due: number, sent: number | null, status: number, detail: AnswerDetail): void {
    const now = this.#nowMs;
    const from = this.#countFromMs;
    (due < from ? this.#warmup : this.#latencies).record((now - due) * 1_000);
    if (due < from) return;
    const sentMs = sent === null ? null : sent - from;
    this.#observe?.({ dueMs: due - from, sentMs, endMs: now - from, status, detail });
  }

  /** Ends the stream: what has no answer by now has waited for it in vain. */
  result(): StreamResult {
    this.#isOver = true;
    const lost: AnswerDetail = { code: NO_ANSWER };
    for (const { due, sent } of this.#inFlight.values()) this.#record(due, sent, 0, lost);
    for (const due of this.#due.subarray(this.#unsent)) this.#record(due, null, 0, lost);
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

export async function runOpenLoop(
  plan: OpenLoopPlan,
  tools: OpenLoopTools = { carrierOf: wireCarrier },
): Promise<OpenLoopResult> {
  const lags = new LatencyHistogram();
  const { seed = 100 } = plan;
  const streams = plan.streams.map((stream, at) => new Stream(stream, plan, seed + at, lags, tools));
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
