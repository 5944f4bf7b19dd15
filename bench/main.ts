/** `npm run bench`: measures, prints, and leaves no process and no folder behind, however it ends. */
import { writeFileSync } from 'node:fs';
import {
  assertWritable,
  BENCH_USAGE,
  type BenchOptions,
  EXIT_USAGE,
  readBenchOptions,
  UsageError,
} from './command-line.ts';
import { FULL_EFFORT, QUICK_EFFORT } from './effort.ts';
import type { Part } from './part.ts';
import { arePeersInstalled, installPeers } from './peer-install.ts';
import { ChildProcesses } from './process/child-processes.ts';
import { TemporaryFolders } from './process/temporary-folders.ts';
import { readOwnShop } from './profiles/own-shop.ts';
import type { Profile } from './profiles/profile.ts';
import { PROJECT_FOLDER, projectPath } from './project-paths.ts';
import { writeCharts } from './report/charts.ts';
import { describeMachine, formatMachine } from './report/machine.ts';
import { Measurements, REPORT_FORMAT, type Report } from './report/measurement.ts';
import { Progress } from './report/progress.ts';
import { formatSection, formatTargets } from './report/text-report.ts';
import { runParts } from './runner.ts';
import { measureServices } from './service/measure-services.ts';
import { chooseParts, formatPartList } from './suite.ts';
import { judge, TARGETS } from './targets.ts';

const EXIT_INTERRUPTED = 130;

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Folders that are removed however the run ends. */
function temporaryFolders(): TemporaryFolders {
  const folders = new TemporaryFolders(projectPath('dist/bench-data'));
  process.on('exit', () => folders.removeAll());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(EXIT_INTERRUPTED));
  }
  return folders;
}

async function measure(
  parts: readonly Part[],
  options: BenchOptions,
  ownShop: Profile | null,
): Promise<Report> {
  const children = new ChildProcesses();
  process.on('exit', () => children.killAll());
  const folders = temporaryFolders();
  const startedAt = new Date();
  const machine = describeMachine(PROJECT_FOLDER);
  print(`${formatMachine(machine)}\n${children.cores.description}`);
  const sections = await runParts(parts, {
    effort: options.isQuick ? QUICK_EFFORT : FULL_EFFORT,
    options,
    ownShop,
    children,
    folders,
    progress: new Progress(),
    show: (section) => print(formatSection(section)),
  });
  const measurements = new Measurements(sections);
  return {
    format: REPORT_FORMAT,
    startedAt: startedAt.toISOString(),
    tookMs: Date.now() - startedAt.getTime(),
    isQuick: options.isQuick,
    machine,
    sections,
    targets: TARGETS.map((target) => judge(target, measurements)),
  };
}

function keep(report: Report, { jsonFile, chartsFolder }: BenchOptions): void {
  if (jsonFile !== null) {
    writeFileSync(jsonFile, `${JSON.stringify(report, null, 1)}\n`);
    print(`written: ${jsonFile}`);
  }
  if (chartsFolder === null) return;
  for (const file of writeCharts(report, chartsFolder)) print(`written: ${file}`);
}

async function main(): Promise<number> {
  const options = readBenchOptions(process.argv.slice(2), projectPath('bench/charts'));
  if (options === null) {
    process.stdout.write(BENCH_USAGE);
    return 0;
  }
  if (options.service !== null) return measureServices(options.service, temporaryFolders(), print);
  const parts = chooseParts(options);
  if (options.listsParts) {
    process.stdout.write(formatPartList(parts));
    return 0;
  }
  // Before anything is measured: a run takes minutes.
  if (options.jsonFile !== null) assertWritable(options.jsonFile);
  const ownShop = options.ownShop === null ? null : readOwnShop(options.ownShop);
  if (ownShop !== null) print(`own: ${ownShop.description}`);
  if (options.withPeers && !arePeersInstalled()) {
    print('installing the peers of the comparison (bench/peers)');
    installPeers();
  }
  const report = await measure(parts, options, ownShop);
  const isWhole = options.words.length === 0 && ownShop === null && !options.recordsProfile;
  const targets = report.targets.filter(({ measured }) => isWhole || measured !== null);
  if (targets.length > 0) print(formatTargets(targets));
  if (options.isQuick) print('A quick run: these figures are rough.');
  keep(report, options);
  return report.sections.some(({ failure }) => failure !== undefined) ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (cause) {
  if (!(cause instanceof UsageError)) throw cause;
  process.stderr.write(`bench: ${cause.message}\n`);
  process.exitCode = EXIT_USAGE;
}
