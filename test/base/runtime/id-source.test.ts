import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createIdSource } from '../../../src/base/runtime/id-source.ts';

test('a seed is 26 characters of A-Z and 0-9, its first ten the time', () => {
  const ids = createIdSource({ nowMs: () => 1_700_000_000_000 }, () => new Uint8Array(10));
  assert.equal(ids.next(), '01HF7YAT000000000000000000');
  assert.match(createIdSource({ nowMs: Date.now }).next(), /^[0-9A-HJKMNP-TV-Z]{26}$/);
});

test('seeds always grow, even when the clock jumps', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 2 ** 47 }), { minLength: 2, maxLength: 50 }),
      fc.constantFrom(0, 7, 255),
      (times, digit) => {
        let turn = 0;
        const ids = createIdSource({ nowMs: () => times[turn++] ?? 0 }, () => new Uint8Array(10).fill(digit));
        const seeds = times.map(() => ids.next());
        assert.deepEqual(seeds, [...new Set(seeds)].sort());
      },
    ),
  );
});

test('a full random part carries into the next millisecond', () => {
  const ids = createIdSource({ nowMs: () => 5 }, () => new Uint8Array(10).fill(255));
  assert.equal(ids.next().slice(0, 10), '0000000005');
  assert.equal(ids.next().slice(0, 10), '0000000006');
});

test('the end of a random part carries into the parts before it', () => {
  const ids = createIdSource({ nowMs: () => 5 }, () => new Uint8Array(10).fill(255, 5));
  assert.equal(ids.next(), '000000000500000000ZZZZZZZZ');
  assert.equal(ids.next(), '00000000050000000100000000');
  assert.equal(ids.next(), '00000000050000000100000001');
});
