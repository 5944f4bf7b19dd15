import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restMs } from '../../src/pace/thread-pace.ts';

test('a thread that hardly waited for the CPU does not rest', () => {
  assert.equal(restMs({ ranMs: 100, waitedMs: 0 }), 0);
  assert.equal(restMs({ ranMs: 100, waitedMs: 100 }), 0);
});

test('a thread that waited longer than it ran rests until it has used a fiftieth of the time', () => {
  assert.equal(restMs({ ranMs: 2, waitedMs: 10 }), 100 - 2 - 10);
  assert.equal(restMs({ ranMs: 2, waitedMs: 98 }), 0);
  assert.equal(restMs({ ranMs: 2, waitedMs: 500 }), 0);
});

test('no rest is longer than a second', () => {
  assert.equal(restMs({ ranMs: 10_000, waitedMs: 20_000 }), 1_000);
});
