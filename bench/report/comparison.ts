/**
 * Two commits, measured twice each: what differs between them by more than the runs of one commit differ.
 *
 * The noise of a measurement is twice what the two runs of one commit differ by, of the commit whose runs differ more,
 * and no less than the middle halves of the rounds of both commits are wide. A smaller difference is not called one.
 * Of measurements that do not differ up to one in twelve is called different nevertheless (simulated: see the test).
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

export interface ComparedMeasurement extends Difference {
  readonly id: string;
  readonly unit: Unit;
}

/** Half the width of the middle half of the rounds. */
const scatterOf = (rounds: readonly number[]): number =>
  (quantile(rounds, 0.75) - quantile(rounds, 0.25)) / 2;

/** `before` and `after` are the rounds of the two runs of a commit; each run has at least one. */
export function judgeDifference(
  unit: Unit,
  before: Twice<readonly number[]>,
  after: Twice<readonly number[]>,
): Difference {
  const commits = [before, after].map((runs) => {
    const [first, second] = runs.map(median) as [number, number];
    return { mean: (first + second) / 2, apart: Math.abs(first - second), scatter: scatterOf(runs.flat()) };
  }) as [CommitFigure, CommitFigure];
  const [a, b] = commits;
  const noise = Math.max(2 * a.apart, 2 * b.apart, a.scatter + b.scatter);
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

/** The measurements that all four runs have, in the order of the last. */
export function compareRuns(before: Twice<Report>, after: Twice<Report>): readonly ComparedMeasurement[] {
  const [a1, a2, b1, b2] = [...before, ...after].map(({ sections }) => new Measurements(sections)) as [
    Measurements,
    Measurements,
    Measurements,
    Measurements,
  ];
  return b2.ids().flatMap((id): readonly ComparedMeasurement[] => {
    const rounds = [a1, a2, b1, b2].map((run) => run.samples(id));
    const unit = b2.find(id)?.unit;
    if (unit === undefined || rounds.some((samples) => samples.length === 0)) return [];
    const [first, second, third, fourth] = rounds as [number[], number[], number[], number[]];
    return [{ id, unit, ...judgeDifference(unit, [first, second], [third, fourth]) }];
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
