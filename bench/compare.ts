/** `npm run bench:compare BEFORE AFTER`: reads two files that `--json` wrote and says what changed. */
import { readFileSync } from 'node:fs';
import { compareRuns, formatComparison } from './report/comparison.ts';
import { formatMachine } from './report/machine.ts';
import { REPORT_FORMAT, type Report } from './report/measurement.ts';

const USAGE = 'Usage: npm run bench:compare BEFORE.json AFTER.json';
const EXIT_USAGE = 64;

/** Throws with one line for a person. */
function readReport(file: string): Report {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Partial<Report>;
  if (report.format !== REPORT_FORMAT) throw new Error(`${file} was not written by npm run bench -- --json`);
  return report as Report;
}

function compare(files: readonly string[]): string {
  const [before, after] = files.map(readReport) as [Report, Report];
  const warnings = [
    ...(formatMachine(before.machine).split('\n')[0] === formatMachine(after.machine).split('\n')[0]
      ? []
      : ['These runs are of different machines: only ratios within a run can be compared.']),
    ...(before.isQuick || after.isQuick ? ['A quick run is among them: its figures are rough.'] : []),
  ];
  return [
    `before: ${before.startedAt}\n${formatMachine(before.machine)}`,
    `after: ${after.startedAt}\n${formatMachine(after.machine)}\n`,
    formatComparison(compareRuns(before, after)),
    ...warnings,
  ].join('\n');
}

const files = process.argv.slice(2);
if (files.length !== 2) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = EXIT_USAGE;
} else {
  try {
    process.stdout.write(`${compare(files)}\n`);
  } catch (cause) {
    process.stderr.write(`bench:compare: ${cause instanceof Error ? cause.message : String(cause)}\n`);
    process.exitCode = 1;
  }
}
