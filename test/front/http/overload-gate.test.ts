import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createMetrics } from '../../../src/base/metrics/metrics.ts';
import { OverloadGate } from '../../../src/front/http/overload-gate.ts';

/** The gate on an event loop whose time passes only when a test advances it. */
class Stage {
  readonly metrics = createMetrics();
  #nowMs = 1_000;
  #endTurn: () => void = () => {};
  readonly #gate = new OverloadGate(this.metrics, { monotonicMs: () => this.#nowMs }, (task) => {
    this.#endTurn = task;
  });

  get nowMs(): number {
    return this.#nowMs;
  }

  rest(ms: number): void {
    this.#nowMs += ms;
  }

  /** One turn with these requests, each of which takes `costMs` unless it is refused; the number of refusals by shop. */
  turn(shops: readonly string[], costMs: number, refusalMs = 0.01): Readonly<Record<string, number>> {
    const refused: Record<string, number> = {};
    for (const shop of shops) {
      const isRefused = this.#gate.refuse(shop, this.#nowMs) !== null;
      if (isRefused) refused[shop] = (refused[shop] ?? 0) + 1;
      this.#nowMs += isRefused ? refusalMs : costMs;
    }
    this.#endTurn();
    return refused;
  }

  /** Turns of 1,000 requests of the shop `flood` until they have been late for longer than any interval. */
  flood(): void {
    for (let turn = 0; turn < 10; turn++) this.turn(many('flood', 1_000), 0.2);
  }
}

const many = (shop: string, count: number): readonly string[] => Array<string>(count).fill(shop);

/** The requests of several shops as they arrive: mixed evenly. */
function mixed(counts: Readonly<Record<string, number>>): readonly string[] {
  const at = Object.entries(counts).flatMap(([shop, count]) =>
    Array.from({ length: count }, (_, index) => ({ shop, place: (index + 0.5) / count })),
  );
  return at.sort((left, right) => left.place - right.place).map(({ shop }) => shop);
}

describe('the gate against overload', () => {
  test('one shop alone has 64 requests in flight in any overload, however long they take', () => {
    const stage = new Stage();
    for (let turn = 0; turn < 50; turn++) assert.deepEqual(stage.turn(many('a', 64), 40), {});
    stage.flood();
    for (let turn = 0; turn < 50; turn++) assert.deepEqual(stage.turn(many('a', 64), 40), {});
    assert.deepEqual(stage.turn(many('a', 65), 40), { a: 1 });
  });

  test('nothing is refused before turns are late for an interval', () => {
    const stage = new Stage();
    assert.deepEqual(stage.turn(many('a', 320), 0.125), {});
    // In time, which ends the row of late turns.
    assert.deepEqual(stage.turn(many('a', 100), 0.125), {});
    assert.deepEqual(stage.turn(many('a', 320), 0.125), {});
    assert.deepEqual(stage.turn(many('a', 320), 0.125), { a: 320 - 15 / 0.125 });
  });

  test('nothing is refused in bursts with rests between them', () => {
    const stage = new Stage();
    for (let burst = 0; burst < 100; burst++) {
      assert.deepEqual(stage.turn(many('a', 400), 0.1), {});
      stage.rest(20);
    }
  });

  test('nothing is refused in turns in time, however many requests they have', () => {
    const stage = new Stage();
    for (let turn = 0; turn < 1_000; turn++) assert.deepEqual(stage.turn(many('a', 1_000), 0.01), {});
  });

  test('a single turn that lasts longer than the interval refuses the rest of its requests', () => {
    const { a = 0 } = new Stage().turn(many('a', 1_000), 0.25);
    assert.equal(a, 1_000 - 50 / 0.25);
  });

  test('in an overload a turn answers requests until it is late, and refuses the others', () => {
    const stage = new Stage();
    stage.flood();
    for (let turn = 0; turn < 20; turn++) {
      assert.deepEqual(stage.turn(many('flood', 1_000), 0.125), { flood: 1_000 - 15 / 0.125 });
    }
  });

  test('refusals count, and name the time after which to try again', () => {
    const gate = new OverloadGate(createMetrics(), { monotonicMs: () => 0 }, () => {});
    for (let request = 0; request < 64; request++) assert.equal(gate.refuse('a', request), null);
    const { code, message, retryAfterSeconds } = gate.refuse('a', 64) ?? {};
    assert.deepEqual([code, retryAfterSeconds], ['RATE_LIMITED', 1]);
    assert.equal(message, 'the server is overloaded: try again in 1 s');
    const stage = new Stage();
    const { a } = stage.turn(many('a', 1_000), 0.2);
    assert.equal(stage.metrics.values.overload_refused, a);
  });

  test('beside a flood, shops with less than an equal share are not refused', () => {
    const stage = new Stage();
    stage.flood();
    for (let turn = 0; turn < 50; turn++) {
      const refused = stage.turn(mixed({ flood: 900, half: 300, light: 20, least: 1 }), 0.1);
      assert.deepEqual(Object.keys(refused), ['flood']);
      assert.ok((refused['flood'] ?? 0) > 600, `${refused['flood']}`);
    }
  });

  test('shops with equally many requests share the free ones', () => {
    const stage = new Stage();
    stage.flood();
    const refused = stage.turn(mixed({ a: 50, b: 50 }), 10);
    assert.equal((refused['a'] ?? 0) + (refused['b'] ?? 0), 100 - 64);
    const shops = Array.from({ length: 200 }, (_, index) => `shop_${index}`);
    stage.flood();
    assert.equal(Object.keys(stage.turn(shops, 10)).length, 200 - 64);
  });

  test('once a turn is in time, or the loop has rested, everything passes again', () => {
    const endings: readonly ((stage: Stage) => void)[] = [
      (stage) => assert.deepEqual(stage.turn(many('flood', 100), 0.1), {}),
      (stage) => stage.rest(20),
    ];
    for (const end of endings) {
      const stage = new Stage();
      stage.flood();
      end(stage);
      assert.deepEqual(stage.turn(many('flood', 400), 0.1), {});
    }
  });

  for (const times of [2, 5]) {
    test(`at ${times} times the capacity most of the time stays for answers, and no request waits for 100 ms`, () => {
      const stage = new Stage();
      const costMs = 0.2;
      let arrived = 1;
      let answered = 0;
      const startMs = stage.nowMs;
      while (stage.nowMs - startMs < 5_000) {
        const beganMs = stage.nowMs;
        const { a = 0 } = stage.turn(many('a', arrived), costMs, 0.015);
        answered += arrived - a;
        const tookMs = stage.nowMs - beganMs;
        // A request waits at most for the turn in which it arrives and the one in which it is refused.
        if (beganMs - startMs > 500) assert.ok(tookMs < 50, `a turn took ${tookMs} ms`);
        arrived = Math.min(2_000, Math.max(1, Math.round((tookMs * times) / costMs)));
      }
      assert.ok(answered * costMs > 0.6 * (stage.nowMs - startMs), `${answered}`);
    });
  }
});
