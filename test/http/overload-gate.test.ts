import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LIMIT_MS, refusals, Stage } from './overload-stage.ts';

describe('the gate against overload', () => {
  test('lets everything pass while the loop rests, however long its laps are', () => {
    const stage = new Stage();
    for (let lap = 0; lap < 100; lap++) {
      assert.equal(refusals(stage.lap(['a', 'b', 'a'], 100)), 0);
      stage.rest(50);
    }
    assert.equal(stage.metrics.values.overload_refused, 0);
  });

  test('lets everything pass after one long lap, whatever the cause', () => {
    const stage = new Stage();
    stage.lap(['a'], 1);
    stage.lap(['a'], 3_000);
    assert.equal(refusals(stage.lap(Array<string>(200).fill('a'), 0.1)), 0);
    assert.equal(refusals(stage.lap(Array<string>(200).fill('a'), 0.1)), 0);
  });

  test('lets occasional requests pass while the loop is busy with other work in short turns', () => {
    for (const pauseMs of [10, 60, 320, 1_000]) {
      const stage = new Stage();
      for (let askedMs = 0; askedMs < 10_000; askedMs += pauseMs) {
        stage.workInTurns(pauseMs);
        assert.equal(refusals(stage.lap(['a'], 0.1)), 0, `each ${pauseMs} ms`);
      }
    }
  });

  test('a turn without a request between laps of a flood is no rest, because its clients are about to retry', () => {
    const stage = new Stage();
    let refused = 0;
    for (let lap = 0; lap < 20; lap++) {
      refused += refusals(stage.lap(Array<string>(1_000).fill('a'), 0.3));
      stage.workInTurns(1);
    }
    assert.ok(refused > 5_000, String(refused));
  });

  test('lets everything pass in the first lap, although the process was never idle before', () => {
    assert.equal(refusals(new Stage().lap(Array<string>(10).fill('a'), 1_000)), 0);
  });

  for (const times of [2, 5]) {
    test(`at ${times} times the capacity it refuses the excess, and four fifths of the time stay for answers`, () => {
      const stage = new Stage();
      stage.overload(times, 2_000);
      const { passed, tookMs } = stage.overload(times, 5_000);
      assert.ok(passed >= 0.8 * tookMs, `${passed} passed in ${tookMs} ms`);
      assert.ok(stage.metrics.values.overload_refused > passed * (times - 1) * 0.8);
    });
  }

  test('a request that passes has waited at most for the limit', () => {
    const stage = new Stage();
    stage.overload(3, 2_000);
    for (let lap = 0; lap < 50; lap++) {
      const arrivals = Array<string>(150).fill('a');
      const passed = arrivals.length - refusals(stage.lap(arrivals, 1));
      assert.ok(passed <= LIMIT_MS, `${passed} requests of 1 ms in one lap`);
    }
  });

  test('refuses only a sample if a refusal costs as much as an answer', () => {
    const stage = new Stage();
    stage.overload(3, 2_000, 0.03, 0.02);
    const before = stage.metrics.values.overload_refused;
    const { passed } = stage.overload(3, 5_000, 0.03, 0.02);
    assert.ok(stage.metrics.values.overload_refused - before < passed / 20);
  });

  test('a growing queue is detected within a third of the limit, and laps are short from then on', () => {
    for (const times of [2, 3, 5]) {
      const stage = new Stage();
      stage.lap(['a'], 1);
      stage.rest(100);
      const startMs = stage.nowMs;
      let arrived = 1;
      let firstMs = 0;
      let longestMs = 0;
      for (let lap = 0; lap < 200; lap++) {
        const lapMs = stage.nowMs;
        const refused = stage.lap(Array<string>(arrived).fill('a'), 1, 0.03);
        if (firstMs === 0 && refusals(refused) > 0) firstMs = stage.nowMs - startMs;
        if (lap >= 50) longestMs = Math.max(longestMs, stage.nowMs - lapMs);
        arrived = Math.max(1, Math.round((stage.nowMs - lapMs) * times));
      }
      assert.ok(firstMs > 0 && firstMs <= LIMIT_MS / 3, `${times} times: refused after ${firstMs} ms`);
      assert.ok(longestMs <= LIMIT_MS / 4, `${times} times: a lap took ${longestMs} ms`);
    }
  });

  test('a queue from a blocked loop is worked off, without refusals at three quarters of the capacity', () => {
    const stage = new Stage();
    let arrived = 1;
    for (let lap = 0; lap < 40; lap++) {
      const lapMs = stage.nowMs;
      assert.equal(refusals(stage.lap(Array<string>(arrived).fill('a'), 1)), 0);
      if (lap === 3) stage.work(300);
      arrived = Math.max(1, Math.floor((stage.nowMs - lapMs) * 0.75));
    }
  });

  test('the first request of a lap is answered, however long it takes', () => {
    const stage = new Stage();
    stage.overload(5, 2_000, 40);
    for (let lap = 0; lap < 50; lap++) {
      const refused = stage.lap(Array<string>(20).fill('a'), 40);
      assert.equal(refused[0], false);
    }
  });

  test('clients that each wait for their answer are served, although they were slow at first', () => {
    for (const { clients, coldMs } of [
      { clients: 64, coldMs: 0.5 },
      { clients: 256, coldMs: 0.2 },
    ]) {
      const stage = new Stage();
      stage.lap(['a'], coldMs);
      for (let lap = 0; lap < 4; lap++) stage.lap(Array<string>(clients).fill('a'), coldMs, 0.01);
      // A refused client retries at once.
      const warmLap = () => refusals(stage.lap(Array<string>(clients).fill('a'), 0.035, 0.01));
      for (let lap = 0; lap < 5_000; lap++) warmLap();
      for (let lap = 0; lap < 100; lap++) assert.equal(warmLap(), 0, `${clients} clients`);
    }
  });

  test('clients that each wait for their answer are served, although other processes use half of the core', () => {
    for (const clients of [64, 256]) {
      const stage = new Stage();
      let asked = 0;
      let refused = 0;
      let heldUpMs = stage.nowMs;
      // The system runs the other processes every few milliseconds, in the middle of a lap.
      const run = (costMs: number): void => {
        asked += clients;
        const shops = Array<string>(clients).fill('a');
        refused += refusals(
          stage.lap(shops, costMs, 0.01, () => {
            if (stage.nowMs - heldUpMs < 4) return;
            stage.work(4);
            heldUpMs = stage.nowMs;
          }),
        );
      };
      for (let lap = 0; lap < 10; lap++) run(0.3);
      for (let lap = 0; lap < 20_000; lap++) run(0.025);
      assert.ok(refused < asked / 100, `${clients} clients: ${refused} of ${asked} refused`);
    }
  });

  test('a shop that uses half as much as the busiest one is not refused', () => {
    const stage = new Stage();
    const arrivals = { flood: 0, half: 0, light: 0 };
    const perMs = { flood: 3, half: 0.3, light: 0.05 };
    const refused = { flood: 0, half: 0, light: 0 };
    for (let lapMs = 1, startMs = stage.nowMs; stage.nowMs - startMs < 4_000; ) {
      const mixed: string[] = [];
      for (const shop of ['flood', 'half', 'light'] as const) {
        arrivals[shop] += lapMs * perMs[shop];
        mixed.push(...Array<string>(Math.floor(arrivals[shop])).fill(shop));
        arrivals[shop] %= 1;
      }
      // The last request has waited longest.
      const beganMs = stage.nowMs;
      const outcome = stage.lap(mixed, 1, 0.02);
      for (const [index, isRefused] of outcome.entries()) {
        if (isRefused) refused[mixed[index] as keyof typeof refused]++;
      }
      lapMs = stage.nowMs - beganMs;
    }
    assert.deepEqual([refused.half, refused.light], [0, 0]);
    assert.ok(refused.flood > 5_000, String(refused.flood));
  });

  test('time in which the loop waits for the flush of a write is not added to its shop', () => {
    const stage = new Stage();
    stage.overload(5, 2_000);
    for (let write = 0; write < 10; write++) assert.ok(!stage.waitingLap('writer', 0.1, 80));
    const refused = stage.lap([...Array<string>(60).fill('a'), 'writer'], 1);
    assert.equal(refused.at(-1), false);
  });

  test('bursts between rests are served again a second after an overload', () => {
    const stage = new Stage();
    stage.overload(5, 2_000);
    stage.rest(1_100);
    for (let burst = 0; burst < 20; burst++) {
      assert.equal(refusals(stage.lap(Array<string>(60).fill('a'), 1)), 0);
      stage.rest(200);
    }
  });

  test('bursts between rests are served again although some of them were refused after the overload', () => {
    const stage = new Stage();
    stage.overload(5, 2_000);
    const burst = (): number => {
      const refused = refusals(stage.lap(Array<string>(40).fill('a'), 1));
      stage.rest(20);
      return refused;
    };
    let refused = 0;
    for (const endMs = stage.nowMs + 1_100; stage.nowMs < endMs; ) refused += burst();
    assert.ok(refused > 0);
    for (let count = 0; count < 10; count++) assert.equal(burst(), 0);
  });

  test('no shop is refused while other work keeps the loop busy', () => {
    const stage = new Stage();
    for (let lap = 0; lap < 100; lap++) {
      assert.equal(refusals(stage.lap(Array<string>(20).fill('a'), 1)), 0);
      stage.work(45);
    }
  });

  test('a few expensive requests after a lap of fewer are no growing queue', () => {
    const stage = new Stage();
    stage.lap(['a'], 1);
    stage.lap(['a', 'a'], 10);
    assert.equal(refusals(stage.lap(Array<string>(4).fill('a'), 20)), 0);
  });

  test('a growing queue of short laps does not shut the gate', () => {
    const stage = new Stage();
    for (const count of [1, 20, 70, 140]) stage.lap(Array<string>(count).fill('a'), 0.05);
    assert.equal(refusals(stage.lap(Array<string>(140).fill('a'), 0.25)), 0);
  });

  test('in a flood, the shop that sends it is refused and other shops are not', () => {
    const stage = new Stage();
    const mixed = Array.from({ length: 150 }, (_, index) => (index % 75 === 74 ? 'light' : 'flood'));
    for (let lap = 0; lap < 20; lap++) stage.lap(mixed, 1);
    let ofLight = 0;
    let ofFlood = 0;
    for (let lap = 0; lap < 100; lap++) {
      const refused = stage.lap(mixed, 1);
      ofLight += refusals(refused.filter((_, index) => mixed[index] === 'light'));
      ofFlood += refusals(refused.filter((_, index) => mixed[index] === 'flood'));
    }
    assert.equal(ofLight, 0);
    assert.ok(ofFlood > 5_000, String(ofFlood));
  });

  test('once the load is gone it lets everything pass within two laps', () => {
    const stage = new Stage();
    stage.overload(5, 3_000);
    stage.lap(['a'], 1);
    stage.rest(10);
    for (let lap = 0; lap < 20; lap++) {
      assert.equal(refusals(stage.lap(['a', 'b'], 1)), 0);
      stage.rest(3);
    }
  });
});
