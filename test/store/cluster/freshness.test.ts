/** How a node marks its answers with a lease, after it, and without one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshnessWithoutLease } from '../../../src/store/cluster/lease.ts';
import { at } from './manual-clock.ts';

const STALE_MS_MAX = 3_600_000;

test('an answer without a lease carries its age, in whole seconds, rounded up', () => {
  const ages = [0, 1, 1_000, 1_001, STALE_MS_MAX].map((ageMs) =>
    freshnessWithoutLease(at(500), at(500 + ageMs), STALE_MS_MAX),
  );
  assert.deepEqual(
    ages,
    [1, 1, 1, 2, 3_600].map((ageSeconds) => ({ kind: 'old', ageSeconds })),
  );
});

test('the age is that of the clock that advanced more: the machine was suspended, or the wall clock set back', () => {
  const age = (now: ReturnType<typeof at>) => freshnessWithoutLease(at(500), now, STALE_MS_MAX);
  assert.deepEqual(age(at(1_500, 7_500)), { kind: 'old', ageSeconds: 7 });
  assert.deepEqual(age(at(7_500, 0)), { kind: 'old', ageSeconds: 7 });
  assert.equal(age(at(1_500, 501 + STALE_MS_MAX)).kind, 'refused');
});

test('an answer that is older than allowed, or of unknown age, is refused', () => {
  assert.equal(freshnessWithoutLease(at(500), at(501 + STALE_MS_MAX), STALE_MS_MAX).kind, 'refused');
  assert.equal(freshnessWithoutLease(null, at(500), STALE_MS_MAX).kind, 'refused');
});

test('a greatest age of 0 allows no answer without a lease', () => {
  for (const ageMs of [0, 1, 10_000])
    assert.equal(freshnessWithoutLease(at(500), at(500 + ageMs), 0).kind, 'refused');
});
