/** When the overload gate watches requests, and how many refusals it makes depending on what they cost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusals, Stage } from './overload-stage.ts';

test('after a lap of at most a hundredth of the limit everything passes', () => {
  for (const { beforeMs, isWatched } of [
    { beforeMs: 2, isWatched: false },
    { beforeMs: 3, isWatched: true },
  ]) {
    const stage = new Stage();
    stage.lap(Array<string>(4).fill('a'), beforeMs / 4);
    const refused = refusals(stage.lap(Array<string>(40).fill('a'), 1));
    assert.equal(refused > 0, isWatched, `${refused} refused after a lap of ${beforeMs} ms`);
  }
});

/** A gate that has just shut: the next request of this lap may be refused. */
const shutStage = (): Stage => {
  const stage = new Stage();
  stage.lap(Array<string>(16).fill('a'), 1);
  stage.lap(Array<string>(20).fill('a'), 1);
  assert.equal(stage.metrics.values.overload_refused, 0);
  return stage;
};

test('some thirty refusals show that they cost as much as answers', () => {
  const stage = shutStage();
  const refused = refusals(stage.lap(Array<string>(1_000).fill('a'), 1, 1));
  assert.ok(refused >= 24 && refused <= 64, String(refused));
});

test('refusals go on although each of the first five was interrupted', () => {
  const stage = shutStage();
  let interrupted = 0;
  const refused = refusals(
    stage.lap(Array<string>(100).fill('a'), 1, 0.01, () => {
      const { overload_refused } = stage.metrics.values;
      if (overload_refused === interrupted || overload_refused > 5) return;
      interrupted = overload_refused;
      stage.work(5);
    }),
  );
  assert.equal(interrupted, 5);
  assert.ok(refused > 50, String(refused));
});

test('refusals take about a fifth of the time if they are costly', () => {
  const stage = new Stage();
  const [costMs, refusalMs] = [1, 0.1];
  const run = (laps: number): { passed: number; refused: number } => {
    let refused = 0;
    for (let lap = 0; lap < laps; lap++) {
      refused += refusals(stage.lap(Array<string>(400).fill('a'), costMs, refusalMs));
    }
    return { passed: laps * 400 - refused, refused };
  };
  run(20);
  const { passed, refused } = run(100);
  const share = (refused * refusalMs) / (refused * refusalMs + passed * costMs);
  assert.ok(share >= 0.1 && share <= 0.3, String(share));
});
