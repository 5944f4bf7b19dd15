/** Shared memory for answers: an area is not reused while a thread may still read or write it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerAreas } from '../../src/worker/worker-pool.ts';

/** Takes all areas. */
function takeAll(areas: AnswerAreas): SharedArrayBuffer[] {
  const taken: SharedArrayBuffer[] = [];
  for (let area = areas.take(); area !== null; area = areas.take()) taken.push(area);
  return taken;
}

test('an area is used by one answer at a time, and the number of areas is bounded', () => {
  const areas = new AnswerAreas(16);
  const taken = takeAll(areas);
  assert.ok(taken.length > 1);
  assert.equal(new Set(taken).size, taken.length);
  const [first, second] = taken;
  assert.ok(first !== undefined && second !== undefined);
  for (const area of [first, first, second, first]) areas.giveBack(area);
  assert.deepEqual(new Set(takeAll(areas)), new Set([first, second]));
});

test('an abandoned area is never used again, and makes room for a new one', () => {
  const areas = new AnswerAreas(16);
  const taken = takeAll(areas);
  const [lost] = taken;
  assert.ok(lost !== undefined);
  areas.abandon(lost);
  areas.giveBack(lost);
  const again = takeAll(areas);
  assert.equal(again.length, 1);
  assert.ok(!again.some((area) => taken.includes(area)));
});
