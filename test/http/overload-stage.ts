/** The overload gate on an event loop whose time passes only when a test advances it. */
import assert from 'node:assert/strict';
import { OverloadGate } from '../../src/http/overload-gate.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';

export const LIMIT_MS = 250;

/** A lap of more requests fails the test: the gate refuses too few, and the queue would grow until memory ends. */
const REQUESTS_MAX = 1_000_000;

export class Stage {
  readonly metrics = createMetrics();
  readonly gate: OverloadGate;
  #nowMs = 1_000;
  #idleMs = 0;
  #atTurnEnd: (() => void)[] = [];

  constructor() {
    const loop = {
      nowMs: () => this.#nowMs,
      idleMs: () => this.#idleMs,
      atLapEnd: (task: () => void) => {
        this.#atTurnEnd.push(task);
      },
    };
    this.gate = new OverloadGate({ overloadMs: LIMIT_MS }, this.metrics, loop);
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  rest(ms: number): void {
    this.#nowMs += ms;
    this.#idleMs += ms;
  }

  /** Other work blocks the loop. */
  work(ms: number): void {
    this.#nowMs += ms;
  }

  /** Other work keeps the loop busy, in turns of a millisecond without a request. */
  workInTurns(ms: number): void {
    for (let turn = 0; turn < ms; turn++) {
      this.#endTurn();
      this.work(1);
    }
  }

  #endTurn(): void {
    const tasks = this.#atTurnEnd;
    this.#atTurnEnd = [];
    for (const task of tasks) task();
  }

  /**
   * One lap with these requests: one that passes takes `costMs`, a refused one `refusalMs`. Returns which were refused.
   * `beforeEach` is called before each request.
   */
  lap(
    shops: readonly string[],
    costMs: number,
    refusalMs = 0.01,
    beforeEach: () => void = () => {},
  ): readonly boolean[] {
    assert.ok(shops.length <= REQUESTS_MAX, 'the queue grows without bound');
    const refused = shops.map((shopId) => {
      beforeEach();
      this.gate.arrive(this.#nowMs);
      const startMs = this.#nowMs;
      const isRefused = this.gate.refuse(shopId, startMs) !== null;
      this.#nowMs += isRefused ? refusalMs : costMs;
      this.gate.end(startMs, this.#nowMs);
      return isRefused;
    });
    this.#endTurn();
    return refused;
  }

  /** A lap of one request, which is answered after the loop has been idle for this time. Returns whether it was refused. */
  waitingLap(shopId: string, costMs: number, restMs: number): boolean {
    const startMs = this.#nowMs;
    this.gate.arrive(startMs);
    const isRefused = this.gate.refuse(shopId, startMs) !== null;
    this.#nowMs += costMs;
    this.#endTurn();
    this.rest(restMs);
    this.gate.end(startMs, this.#nowMs);
    return isRefused;
  }

  /** Laps of one shop at this multiple of the capacity of the loop, for about this time. */
  overload(times: number, ms: number, costMs = 1, refusalMs = 0.01): { passed: number; tookMs: number } {
    const startMs = this.#nowMs;
    let passed = 0;
    let arrived = 1;
    while (this.#nowMs - startMs < ms) {
      const lapMs = this.#nowMs;
      const refused = this.lap(Array<string>(Math.max(1, Math.round(arrived))).fill('a'), costMs, refusalMs);
      passed += refused.filter((isRefused) => !isRefused).length;
      arrived = ((this.#nowMs - lapMs) * times) / costMs;
    }
    return { passed, tookMs: this.#nowMs - startMs };
  }
}

export const refusals = (refused: readonly boolean[]): number => refused.filter(Boolean).length;
