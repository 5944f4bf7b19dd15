import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom } from '../../bench/profiles/seeded-random.ts';
import {
  compareRuns,
  formatComparison,
  judgeDifference,
  type Twice,
  type Verdict,
} from '../../bench/report/comparison.ts';
import type { Unit } from '../../bench/report/measurement.ts';
import { measurementOf, reportOf } from './sample-report.ts';

type Runs = Twice<readonly number[]>;

const CASES: readonly (readonly [what: string, unit: Unit, before: Runs, after: Runs, verdict: Verdict])[] = [
  ['less time', 'ns', [[10], [11]], [[6], [7]], 'better'],
  ['more time', 'ns', [[10], [11]], [[14], [15]], 'worse'],
  ['more answers per second', 'perSecond', [[10], [11]], [[14], [15]], 'better'],
  ['fewer answers per second', 'perSecond', [[10], [11]], [[6], [7]], 'worse'],
  ['fewer bytes', 'bytes', [[10], [10]], [[9], [9]], 'better'],
  ['another count', 'count', [[10], [10]], [[9], [9]], 'differs'],
  ['another ratio', 'ratio', [[0.5], [0.5]], [[0.7], [0.7]], 'differs'],
  ['a count that was zero', 'count', [[0], [0]], [[5], [6]], 'differs'],
  ['equal runs', 'ns', [[10], [10]], [[10], [10]], 'no difference shown'],
  [
    'a difference of exactly twice what two runs differ by',
    'ns',
    [[10], [11]],
    [[12], [13]],
    'no difference shown',
  ],
  [
    'a difference within what the runs before differ by',
    'ns',
    [[10], [14]],
    [[19], [19]],
    'no difference shown',
  ],
  [
    'a difference within what the runs after differ by',
    'ns',
    [[10], [10]],
    [[12], [19]],
    'no difference shown',
  ],
  [
    'rounds whose middle halves overlap',
    'ns',
    [
      [6, 8, 10, 12, 14],
      [6, 8, 10, 12, 14],
    ],
    [
      [9, 11, 13, 15, 17],
      [9, 11, 13, 15, 17],
    ],
    'no difference shown',
  ],
  [
    'one round that something disturbed',
    'ns',
    [
      [10, 10, 10, 10, 90],
      [10, 10, 10, 10, 10],
    ],
    [
      [8, 8, 8, 8, 8],
      [8, 8, 90, 8, 8],
    ],
    'better',
  ],
  ['a figure that is no number', 'ns', [[Number.NaN], [10]], [[90], [90]], 'no difference shown'],
];

for (const [what, unit, before, after, expected] of CASES) {
  test(`the verdict on ${what} in ${unit} is "${expected}"`, () => {
    assert.equal(judgeDifference(unit, before, after).verdict, expected);
  });
}

/** About normal: mean 0, deviation 1. */
const scatter = (random: SeededRandom): number => {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += random.next();
  return sum;
};

const FIGURES_OF_A_PART = 9;

/** Share of simulated figures that are called different; `shift` is in deviations from run to run. */
function calledShare(shift: number): number {
  const random = new SeededRandom(17);
  const comparisons = 500;
  const runAt = (mean: number) =>
    reportOf(
      Array.from({ length: FIGURES_OF_A_PART }, (_, at) => {
        const ofRun = mean + scatter(random);
        return measurementOf(
          `figure ${at}`,
          'ns',
          Array.from({ length: 7 }, () => ofRun + 0.2 * scatter(random)),
        );
      }),
    );
  let called = 0;
  for (let i = 0; i < comparisons; i++) {
    const compared = compareRuns([runAt(100), runAt(100)], [runAt(100 + shift), runAt(100 + shift)]);
    called += compared.filter(({ verdict }) => verdict !== 'no difference shown').length;
  }
  return called / comparisons / FIGURES_OF_A_PART;
}

test('of equal programs at most one figure in a hundred is called different, of very different ones most', () => {
  const equal = calledShare(0);
  assert.ok(equal < 0.01, `${equal}`);
  const different = calledShare(8);
  assert.ok(different > 0.9, `${different}`);
});

test('a figure whose two runs agree by chance has at least the noise of its part in that unit', () => {
  const report = (lucky: number, noisy: number, other: number) =>
    reportOf([
      measurementOf('lucky', 'ns', [lucky]),
      measurementOf('noisy', 'ns', [noisy]),
      measurementOf('noisier', 'ns', [noisy * 2]),
      measurementOf('bytes', 'bytes', [other]),
    ]);
  const compared = compareRuns(
    [report(100, 100, 50), report(100, 105, 50)],
    [report(107, 104, 51), report(107, 99, 51)],
  );
  assert.deepEqual(
    compared.map(({ id, verdict }) => [id, verdict]),
    [
      ['lucky', 'no difference shown'],
      ['noisy', 'no difference shown'],
      ['noisier', 'no difference shown'],
      ['bytes', 'worse'],
    ],
  );
});

test('only what all four runs measured is compared, and a zero before gives no ratio', () => {
  const report = (...ids: readonly string[]) => reportOf(ids.map((id) => measurementOf(id, 'ns', [10])));
  const slower = reportOf([
    measurementOf('all', 'ns', [20]),
    measurementOf('new', 'ns', [1]),
    measurementOf('some', 'ns', [1]),
  ]);
  const compared = compareRuns([report('old', 'all', 'some'), report('old', 'all')], [slower, slower]);
  assert.deepEqual(compared, [{ id: 'all', unit: 'ns', before: 10, after: 20, noise: 0, verdict: 'worse' }]);
  assert.match(formatComparison(compared), /all +10\.0 ns +20\.0 ns +2\.00x +\+-0\.0 % +WORSE/);
  const fromZero = { id: 'turns', unit: 'count', before: 0, after: 5, noise: 1, verdict: 'differs' } as const;
  assert.match(formatComparison([fromZero]), /turns +0 +5\.00 +-x? +- +differs/);
});

test('the table counts the verdicts', () => {
  const report = (value: number) =>
    reportOf([measurementOf('a', 'ns', [value]), measurementOf('b', 'ns', [1])]);
  const text = formatComparison(compareRuns([report(9), report(10)], [report(10), report(9)]));
  assert.match(text, /a +9\.50 ns +9\.50 ns +1\.00x +\+-21 % +no difference shown/);
  assert.match(text, /2 measurements: 0 better, 0 worse, 0 differs, 2 no difference shown/);
});
