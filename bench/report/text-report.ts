/** The report as text for a terminal. */
import { formatMeasured } from '../targets.ts';
import type { Section, TargetOutcome } from './measurement.ts';
import { formatShare, formatValue } from './number-format.ts';
import { spread } from './statistics.ts';
import { formatTable, left, right } from './text-table.ts';

const COLUMNS = [left(''), right('median'), right('lowest'), right('highest'), right('+-')];

export function formatSection({ id, title, measurements, notes, failure }: Section): string {
  const rows = measurements.map(({ label, unit, samples }) => {
    const { median, low, high, share } = spread(samples);
    return [
      label,
      formatValue(median, unit),
      ...(samples.length > 1 ? [formatValue(low, unit), formatValue(high, unit), formatShare(share)] : []),
    ];
  });
  return [
    `\n${id}: ${title}`,
    ...(rows.length === 0 ? [] : [formatTable(COLUMNS, rows)]),
    ...notes.map((note) => `  ${note}`),
    ...(failure === undefined ? [] : [`  NOT MEASURED: ${failure}`]),
    '',
  ].join('\n');
}

const verdict = ({ isReached }: TargetOutcome): string =>
  isReached === null ? 'not measured' : isReached ? 'reached' : 'NOT REACHED';

export const formatTargets = (targets: readonly TargetOutcome[]): string =>
  `\nTargets\n${formatTable(
    [left('what'), right('wanted'), right('measured'), left('')],
    targets.map((target) => [target.what, target.bound, formatMeasured(target), verdict(target)]),
  )}\n`;
