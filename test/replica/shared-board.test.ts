import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGone, SharedBoard, sequenceNumberOf, wordOf } from '../../src/replica/shared-board.ts';

test('a number is read back from its word by whoever is less than 2^30 records away', () => {
  const near = fc.integer({ min: -(2 ** 30) + 1, max: 2 ** 30 - 1 });
  const number = fc.oneof(fc.nat(1_000), fc.maxSafeNat(), fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 32));
  fc.assert(
    fc.property(number, near, (known, distance) => {
      const published = known + distance;
      fc.pre(Number.isSafeInteger(published) && published >= 0);
      assert.equal(sequenceNumberOf(wordOf(published), known), published);
      assert.equal(isGone(wordOf(published)), false);
    }),
  );
});

test('what one thread stores on the board the others load', () => {
  const owner = new SharedBoard(4);
  const replica = new SharedBoard(owner.memory);
  assert.equal(replica.slots, 4);
  owner.publish(3, 2 ** 31 + 5);
  assert.equal(replica.word(3), wordOf(2 ** 31 + 5));
  owner.markGone(3);
  assert.equal(isGone(replica.word(3)), true);
  assert.equal(replica.word(2), 0);
  const epoch = replica.keyEpoch;
  owner.forgetKeys();
  assert.notEqual(replica.keyEpoch, epoch);
});
