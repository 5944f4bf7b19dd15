/** The steps that tiers draw. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsOf } from '../../../src/front/console/methods/step-points.ts';

test('tiers are steps in their order; one without an end is drawn beyond the last bound', () => {
  const steps = stepsOf([
    [1_000, null, 900],
    [0, 1_000, 495],
  ]);
  assert.deepEqual(steps, {
    steps: [
      { from: 0, to: 1_000, price: 495, isOpen: false },
      { from: 1_000, to: 1_200, price: 900, isOpen: true },
    ],
    end: 1_200,
    most: 900,
  });
});

test('tiers that lack a number, end before they begin or have no bound draw nothing', () => {
  assert.equal(stepsOf([[0, null, 495]]), null);
  assert.equal(stepsOf([[0, 500, null]]), null);
  assert.equal(stepsOf([[500, 400, 1]]), null);
});
