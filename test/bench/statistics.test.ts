import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LatencyHistogram } from '../../bench/report/latency-histogram.ts';
import { median, pairedRatios, quantile, spread } from '../../bench/report/statistics.ts';

const samples = fc.array(fc.double({ min: 0.001, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 50 });

test('the median is the middle sample, or half-way between the two in the middle', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.ok(Number.isNaN(median([])));
});

test('a quantile lies between its neighbours and never leaves the range of the samples', () => {
  assert.equal(quantile([10, 20, 30, 40, 50], 0.25), 20);
  assert.equal(quantile([10, 20], 0.9), 19);
  fc.assert(
    fc.property(samples, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
      const found = quantile(values, share);
      assert.ok(found >= Math.min(...values) && found <= Math.max(...values));
    }),
  );
});

test('statistics do not depend on the order of the samples and leave them as they are', () => {
  fc.assert(
    fc.property(samples, (values) => {
      const before = [...values];
      assert.deepEqual(spread(values), spread([...values].reverse()));
      assert.deepEqual(values, before);
    }),
  );
});

test('a spread names the median, the range and half of the range as a share', () => {
  assert.deepEqual(spread([90, 100, 120]), { median: 100, low: 90, high: 120, share: 0.15 });
  assert.equal(spread([7]).share, 0);
});

test('ratios pair the samples of one round, as far as both series go', () => {
  assert.deepEqual(pairedRatios([10, 20, 30], [5, 10]), [2, 2]);
  assert.deepEqual(pairedRatios([], [1]), []);
});

test('a machine that slows down for a while leaves paired ratios as they are', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.1, max: 10, noNaN: true }), { minLength: 1 }),
      fc.double({ min: 0.1, max: 10, noNaN: true }),
      (slowness, ratio) => {
        const ratios = pairedRatios(
          slowness.map((slow) => slow * ratio),
          slowness,
        );
        for (const found of ratios) assert.ok(Math.abs(found / ratio - 1) < 1e-9);
      },
    ),
  );
});

test('a latency histogram reads quantiles to two percent', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 1, max: 60_000_000, noNaN: true }), { minLength: 1, maxLength: 500 }),
      fc.constantFrom(0.5, 0.9, 0.99, 0.999, 1),
      (latencies, share) => {
        const histogram = new LatencyHistogram();
        for (const latency of latencies) histogram.record(latency);
        const sorted = [...latencies].sort((a, b) => a - b);
        const exact = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] as number;
        assert.ok(Math.abs(histogram.quantileUs(share) / exact - 1) < 0.02);
        assert.equal(histogram.maxUs, sorted.at(-1));
        assert.equal(histogram.count, latencies.length);
      },
    ),
  );
});

test('a histogram without latencies has no quantiles', () => {
  assert.ok(Number.isNaN(new LatencyHistogram().quantileUs(0.5)));
});
