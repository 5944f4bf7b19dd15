/**
 * Two commits, measured twice each: what differs between them by more than the runs of one commit differ.
 *
 * The noise of a figure is twice what the two runs of one commit differ by, of the commit whose runs differ more. It is
 * no less than the middle halves of the rounds of both commits are wide, and, since two runs may agree by chance, no
 * less than the median noise of its part in the same unit. A smaller difference is not called one.
 */
import type { Report, Unit } from './measurement.ts';
import { Measurements } from './measurement.ts';
import { formatNumber, formatShare, formatValue } from './number-format.ts';
import { median, quantile } from './statistics.ts';
import { formatTable, left, right } from './text-table.ts';

export type Verdict = 'better' | 'worse' | 'differs' | 'no difference shown';

/** Two of one commit. */
export type Twice<T> = readonly [T, T];

export interface Difference {
  /** Means of the medians of two runs. */
  readonly before: number;
  readonly after: number;
  /** In the unit of the measurement. */
  readonly noise: number;
  readonly verdict: Verdict;
}

interface ComparedMeasurement extends Difference {
  readonly id: string;
  readonly unit: Unit;
}

/** Half the width of the middle half of the rounds. */
const scatterOf = (rounds: readonly number[]): number =>
  (quantile(rounds, 0.75) - quantile(rounds, 0.25)) / 2;

/**
 * `before` and `after` are the rounds of the two runs of a commit; each run has at least one. `noiseShareMin` is the
 * least noise as a share of `before`.
 */
export function judgeDifference(
  unit: Unit,
  before: Twice<readonly number[]>,
  after: Twice<readonly number[]>,
  noiseShareMin = 0,
): Difference {
  const commits = [before, after].map((runs) => {
    const [first, second] = runs.map(median) as [number, number];
    return { mean: (first + second) / 2, apart: Math.abs(first - second), scatter: scatterOf(runs.flat()) };
  }) as [CommitFigure, CommitFigure];
  const [a, b] = commits;
  const noise = Math.max(2 * a.apart, 2 * b.apart, a.scatter + b.scatter, noiseShareMin * Math.abs(a.mean));
  const verdict = verdictOf(unit, b.mean - a.mean, noise);
  return { before: a.mean, after: b.mean, noise, verdict };
}

interface CommitFigure {
  readonly mean: number;
  readonly apart: number;
  readonly scatter: number;
}

function verdictOf(unit: Unit, difference: number, noise: number): Verdict {
  // Negated, so that what is not a number shows no difference.
  if (!(Math.abs(difference) > noise)) return 'no difference shown';
  // More or less of these is neither better nor worse.
  if (unit === 'count' || unit === 'ratio') return 'differs';
  return (unit === 'perSecond') === difference > 0 ? 'better' : 'worse';
}

interface FourRuns {
  readonly id: string;
  readonly unit: Unit;
  readonly before: Twice<readonly number[]>;
  readonly after: Twice<readonly number[]>;
}

/** The measurements that all four runs have, in the order of the last. */
export function compareRuns(before: Twice<Report>, after: Twice<Report>): readonly ComparedMeasurement[] {
  const [a1, a2, b1] = [...before, after[0]].map(({ sections }) => new Measurements(sections)) as [
    Measurements,
    Measurements,
    Measurements,
  ];
  return after[1].sections.flatMap(({ measurements }) =>
    comparePart(
      measurements.flatMap(({ id, unit, samples }): readonly FourRuns[] => {
        const runs = [a1, a2, b1].map((run) => run.samples(id)) as [number[], number[], number[]];
        const isComplete = [...runs, samples].every((rounds) => rounds.length > 0);
        const [first, second, third] = runs;
        return isComplete ? [{ id, unit, before: [first, second], after: [third, samples] }] : [];
      }),
    ),
  );
}

/** Judges the measurements of one part: their noise comes from the same hours of the same machine. */
function comparePart(measured: readonly FourRuns[]): readonly ComparedMeasurement[] {
  const shares = new Map<Unit, number[]>();
  for (const { unit, before, after } of measured) {
    const alone = judgeDifference(unit, before, after);
    const share = alone.noise / Math.abs(alone.before);
    if (Number.isFinite(share)) shares.set(unit, [...(shares.get(unit) ?? []), share]);
  }
  return measured.map(({ id, unit, before, after }) => {
    const shareMin = median(shares.get(unit) ?? [0]);
    return { id, unit, ...judgeDifference(unit, before, after, shareMin) };
  });
}

export function formatComparison(compared: readonly ComparedMeasurement[]): string {
  const table = formatTable(
    [
      left('measurement'),
      right('before'),
      right('after'),
      right('after/before'),
      right('noise'),
      left('verdict'),
    ],
    compared.map(({ id, unit, before, after, noise, verdict }) => [
      id,
      formatValue(before, unit),
      formatValue(after, unit),
      `${formatNumber(after / before)}x`,
      before === 0 ? '-' : `+-${formatShare(noise / before)}`,
      verdict === 'worse' ? 'WORSE' : verdict,
    ]),
  );
  const counts = (['better', 'worse', 'differs', 'no difference shown'] as const)
    .map((wanted) => `${compared.filter(({ verdict }) => verdict === wanted).length} ${wanted}`)
    .join(', ');
  return `${table}\n\n${compared.length} measurements: ${counts}`;
}
