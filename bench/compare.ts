/** `npm run bench:compare`: measures two commits twice each, or reads four such runs, and says what differs. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { EXIT_USAGE, UsageError } from './command-line.ts';
import { COMPARE_USAGE, type CompareOptions, readCompareOptions } from './compare-options.ts';
import { checkOut, forgetCheckouts, resolveCommit } from './process/commit-checkout.ts';
import { TemporaryFolders } from './process/temporary-folders.ts';
import { PROJECT_FOLDER, projectPath } from './project-paths.ts';
import { compareRuns, formatComparison, type Twice } from './report/comparison.ts';
import { formatMachine } from './report/machine.ts';
import { REPORT_FORMAT, type Report } from './report/measurement.ts';

const EXIT_INTERRUPTED = 130;

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

type Runs = Pick<Extract<CompareOptions, { kind: 'files' }>, 'before' | 'after'>;

/** Throws `UsageError`. */
function readReport(file: string): Report {
  let report: Partial<Report> | null;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Partial<Report> | null;
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}`);
  }
  if (report?.format !== REPORT_FORMAT)
    throw new UsageError(`${file} was not written by npm run bench -- --json`);
  return report as Report;
}

/** Runs the suite of a checkout; its tables are not shown. Rejects when it could not run. */
async function runSuite(folder: string, given: readonly string[], jsonFile: string): Promise<void> {
  // The charts of the project show whole runs; a run of some parts must not replace them.
  const out = ['--json', jsonFile, '--charts', join(dirname(jsonFile), 'charts')];
  const suite = spawn(process.execPath, [join(folder, 'dist/bench/main.js'), ...given, ...out], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const end = (): void => void suite.kill();
  process.on('exit', end);
  const code = await new Promise((resolve, reject) => suite.once('error', reject).once('close', resolve));
  process.off('exit', end);
  // A part that failed is missing from the comparison; the suite says so in its file.
  if (code !== 0 && code !== 1) throw new Error(`the suite in ${folder} ended with ${code}`);
}

/** In the order before, after, after, before: a drift of the machine's speed affects both commits alike. */
async function measureTwiceEach({
  commit,
  benchArguments,
}: Extract<CompareOptions, { kind: 'measure' }>): Promise<Runs> {
  const name = resolveCommit(commit);
  const results = projectPath('dist/comparison');
  print(`building ${name}`);
  // A killed comparison leaves its checkout behind; the next one removes it.
  const folders = new TemporaryFolders(projectPath('dist/commits'));
  process.on('exit', () => {
    folders.removeAll();
    forgetCheckouts();
  });
  const earlier = checkOut(name, folders.make('before'));
  mkdirSync(results, { recursive: true });
  const file = (run: string): string => join(results, `${run}.json`);
  for (const [run, folder] of [
    ['before-1', earlier],
    ['after-1', PROJECT_FOLDER],
    ['after-2', PROJECT_FOLDER],
    ['before-2', earlier],
  ] as const) {
    print(`measuring ${run}`);
    await runSuite(folder, benchArguments, file(run));
  }
  print(`written: ${relative(PROJECT_FOLDER, results)}`);
  return { before: [file('before-1'), file('before-2')], after: [file('after-1'), file('after-2')] };
}

const machineOf = (report: Report): string => formatMachine(report.machine).split('\n')[0] as string;

function describe(before: Twice<Report>, after: Twice<Report>): string {
  const all = [...before, ...after];
  const commits = (pair: Twice<Report>): string =>
    [...new Set(pair.map(({ machine }) => machine.commit))].join(' and ');
  const failures = new Set(
    all
      .flatMap(({ sections }) => sections)
      .flatMap(({ id, failure }) =>
        failure === undefined ? [] : [`${id} was not measured in every run: ${failure}`],
      ),
  );
  return [
    machineOf(after[1]),
    `before: ${commits(before)}; after: ${commits(after)}\n`,
    formatComparison(compareRuns(before, after)),
    ...failures,
    ...([before, after].some(([one, two]) => one.machine.commit !== two.machine.commit)
      ? ['Two runs taken for one program are of different commits.']
      : []),
    ...(new Set(all.map(machineOf)).size > 1
      ? ['These runs are of different machines: only ratios within a run can be compared.']
      : []),
    ...(all.some(({ isQuick }) => isQuick) ? ['A quick run is among them: its figures are rough.'] : []),
  ].join('\n');
}

async function main(): Promise<void> {
  const options = readCompareOptions(process.argv.slice(2));
  if (options === null) {
    process.stdout.write(COMPARE_USAGE);
    return;
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(EXIT_INTERRUPTED));
  }
  const { before, after } = options.kind === 'files' ? options : await measureTwiceEach(options);
  const read = ([one, two]: Twice<string>): Twice<Report> => [readReport(one), readReport(two)];
  print(describe(read(before), read(after)));
}

try {
  await main();
} catch (cause) {
  process.stderr.write(`bench:compare: ${cause instanceof Error ? cause.message : String(cause)}\n`);
  process.exitCode = cause instanceof UsageError ? EXIT_USAGE : 1;
}
