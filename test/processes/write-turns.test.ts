import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WriteTurns } from '../../src/processes/write-turns.ts';

/** A process whose sibling answers in this order whether it should append next. */
function openTurns(...answers: readonly boolean[]): WriteTurns {
  const left = [...answers];
  return new WriteTurns({ written: async () => left.shift() ?? false });
}

test('a process that lost three races in a row asks to append next, until it has appended', async () => {
  const turns = openTurns();
  const told = [];
  for (let lost = 0; lost < 4; lost++) {
    told.push(turns.heardOf('shop_a'));
    turns.lost('shop_a');
  }
  assert.deepEqual(told, [false, false, false, true]);
  assert.equal(turns.heardOf('shop_b'), false);
  await turns.written('shop_a', 1, false);
  assert.equal(turns.heardOf('shop_a'), false);
});

test('after its append a process waits for a process that asked to append next, in that shop only', async () => {
  const turns = openTurns(false, true);
  await turns.written('shop_a', 1, false);
  assert.equal(turns.beforeAppend('shop_a'), null);
  await turns.written('shop_a', 2, false);
  assert.equal(turns.beforeAppend('shop_b'), null);
  const turn = turns.beforeAppend('shop_a');
  assert.notEqual(turn, null);
  turns.heardOf('shop_a');
  await turn;
  assert.equal(turns.beforeAppend('shop_a'), null);
});

test('a turn that is not taken ends after a time limit', async () => {
  const turns = openTurns(true, true);
  await turns.written('shop_a', 1, false);
  const first = turns.beforeAppend('shop_a');
  await turns.written('shop_a', 2, false);
  await first;
  await turns.beforeAppend('shop_a');
  assert.equal(turns.beforeAppend('shop_a'), null);
});
