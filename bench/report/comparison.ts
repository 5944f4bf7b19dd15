/** Two runs side by side: what got faster, what got slower, and what lies within the scatter of the rounds. */
import type { Report, Unit } from './measurement.ts';
import { Measurements } from './measurement.ts';
import { formatNumber, formatValue } from './number-format.ts';
import { spread } from './statistics.ts';
import { formatTable, left, right } from './text-table.ts';

export type Verdict = 'better' | 'worse' | 'same' | 'differs';

export interface ComparedMeasurement {
  readonly id: string;
  readonly label: string;
  readonly unit: Unit;
  readonly before: number;
  readonly after: number;
  /** After divided by before. */
  readonly ratio: number;
  readonly verdict: Verdict;
}

/** `differs` where neither way is better. */
function verdictOf(unit: Unit, ratio: number, overlap: boolean): Verdict {
  if (overlap) return 'same';
  if (unit === 'count' || unit === 'ratio') return 'differs';
  const isMore = ratio > 1;
  return (unit === 'perSecond') === isMore ? 'better' : 'worse';
}

/** The measurements that both runs have, in the order of the second. */
export function compareRuns(before: Report, after: Report): readonly ComparedMeasurement[] {
  const known = new Measurements(before.sections);
  return after.sections
    .flatMap(({ measurements }) => measurements)
    .flatMap(({ id, label, unit, samples }) => {
      const old = known.spread(id);
      if (old === null || samples.length === 0) return [];
      const now = spread(samples);
      const ratio = now.median / old.median;
      const overlap = now.low <= old.high && old.low <= now.high;
      const verdict = verdictOf(unit, ratio, overlap);
      return [{ id, label, unit, before: old.median, after: now.median, ratio, verdict }];
    });
}

const WORDS: Readonly<Record<Verdict, string>> = {
  better: 'better',
  worse: 'WORSE',
  same: '',
  differs: 'differs',
};

export function formatComparison(compared: readonly ComparedMeasurement[]): string {
  const table = formatTable(
    [left('measurement'), right('before'), right('after'), right('after/before'), left('')],
    compared.map(({ id, unit, before, after, ratio, verdict }) => [
      id,
      formatValue(before, unit),
      formatValue(after, unit),
      `${formatNumber(ratio)}x`,
      WORDS[verdict],
    ]),
  );
  const count = (wanted: Verdict): number => compared.filter(({ verdict }) => verdict === wanted).length;
  const summary =
    `${compared.length} measurements: ${count('better')} better, ${count('worse')} worse, ` +
    `${count('same')} with rounds that overlap`;
  return `${table}\n\n${summary}`;
}
