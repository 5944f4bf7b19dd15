import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WriteTurns } from '../../src/processes/write-turns.ts';

/** A process whose sibling says in turn whether it is to append next. */
function openTurns(...answers: readonly boolean[]): WriteTurns {
  const left = [...answers];
  return new WriteTurns({ written: async () => left.shift() ?? false });
}

test('a process that lost three races in a row is to go first, until it has appended', async () => {
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

test('after its append a process waits for the one that is to go first, for that shop alone', async () => {
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

test('a turn that nobody takes ends by itself', async () => {
  const turns = openTurns(true, true);
  await turns.written('shop_a', 1, false);
  const first = turns.beforeAppend('shop_a');
  await turns.written('shop_a', 2, false);
  await first;
  await turns.beforeAppend('shop_a');
  assert.equal(turns.beforeAppend('shop_a'), null);
});
