/** How a node marks its answers with a lease, after it, and without one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshnessWithoutLease } from '../../src/cluster/lease.ts';

const STALE_MS_MAX = 3_600_000;

test('an answer without a lease carries its age, in whole seconds, rounded up', () => {
  const ages = [0, 1, 1_000, 1_001, STALE_MS_MAX].map((ageMs) =>
    freshnessWithoutLease(500, 500 + ageMs, STALE_MS_MAX),
  );
  assert.deepEqual(
    ages,
    [1, 1, 1, 2, 3_600].map((ageSeconds) => ({ kind: 'old', ageSeconds })),
  );
});

test('an answer that is older than allowed, or of unknown age, is refused', () => {
  assert.equal(freshnessWithoutLease(500, 501 + STALE_MS_MAX, STALE_MS_MAX).kind, 'refused');
  assert.equal(freshnessWithoutLease(null, 500, STALE_MS_MAX).kind, 'refused');
});

test('a greatest age of 0 allows no answer without a lease', () => {
  for (const ageMs of [0, 1, 10_000])
    assert.equal(freshnessWithoutLease(500, 500 + ageMs, 0).kind, 'refused');
});
