import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPromQl } from './promql.ts';

test('an expression is read as Prometheus reads it', () => {
  const text = 'histogram_quantile(0.99, sum by (le) (rate(a_bucket{route="x",job=~"y"}[5m]))) > 2 * (b + c)';
  assert.deepEqual(readPromQl(text), [
    { name: 'a_bucket', labels: ['route', 'job'], isCounted: true },
    { name: 'b', labels: [], isCounted: false },
    { name: 'c', labels: [], isCounted: false },
  ]);
  assert.deepEqual(readPromQl('changes(a[15m]) > 0'), [{ name: 'a', labels: [], isCounted: false }]);
});

test('what Prometheus refuses, or what shows nothing, is refused', () => {
  for (const text of [
    'rate(a)',
    'changes(a)',
    'rate(a[5])',
    'rate(a[5m]',
    'a[5m]',
    'a{b=c}',
    'a{b="c"',
    'a b',
    'a >',
    'sum by le (a)',
    'rat(a[5m])',
    'a[5m] > 1',
    'sum(1)',
    'histogram_quantile(0.9, sum(rate(a_bucket[5m])))',
    'a = 1',
  ]) {
    assert.throws(() => readPromQl(text), SyntaxError, text);
  }
});
