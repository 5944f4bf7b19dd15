// Runs every test below dist/test with node:test. Arguments narrow the run to files whose path holds one of them:
// `npm test -- postal actor`. A run of everything also measures the coverage of what answers, and fails when a branch
// of it was not taken.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const wanted = process.argv.slice(2);

/** Folders that are a group by themselves. */
const ONE_FOLDER = [
  ...['bench', 'change', 'cli', 'client', 'cluster', 'console', 'end-to-end'],
  ...['house', 'http', 'lint', 'log', 'pool', 'shadow'],
];
/**
 * Groups of folders; a run of everything loads all files of a group into one process, because to start a process and to
 * load what is tested costs more than most of these files. A file that changes its process runs alone all the same.
 */
const TOGETHER = {
  covering: ['compile', 'coverage', 'evaluate', 'explain'],
  parts: [
    ...['actor', 'bytes', 'carriers', 'cases', 'command-line', 'data', 'domain', 'tracing'],
    ...['import', 'metrics', 'pace', 'reader', 'runtime', 'secrets', 'settings', 'support', 'wire'],
  ],
  ...Object.fromEntries(ONE_FOLDER.map((name) => [name, [name]])),
};
const CHANGES_ITS_PROCESS =
  /(?<![.\w])process\.(?:env\b[^=\n]*[^=!<>]=(?![=>])|chdir|exitCode *=(?!=)|on\()/m;
/** Files of those folders that run alone, because they take long or most of their time they wait. */
const ALONE = [
  ...['cli/serve', 'cluster/cluster-simulator', 'cluster/interleavings'],
  ...['end-to-end/package', 'end-to-end/shadow', 'end-to-end/stop'],
  ...['http/slow-clients', 'http/fuzz', 'http/body/body-flood', 'http/framing'],
  ...['log/lmdb/processes', 'log/postgres/', 'pool/questions', 'pool/answer-pool'],
];
/** What takes a machine long, which only `npm run test:long` and a run that names it start. */
const LONG_ONLY = [
  'load/',
  ...[
    'cluster/planted-bugs',
    'simulator/planted-bugs',
    'node/mirror-of-postgres',
    'node/node-failovers',
    'node/node-deaths',
  ],
  ...['end-to-end/deploy', 'end-to-end/shadow-deaths', 'docs/site-build'],
];
/** Folders of which the tests of `covering` take every branch; the same with Node 20, 22 and 24. */
const COVERED = ['engine/compile', 'engine/evaluate'];
/** What takes longest starts first, so that no core is without work at the end. */
const FIRST = [
  ...['together/console', 'node/three-nodes', 'together/end-to-end', 'together/http', 'cli/serve'],
  ...['fault/failpoint', 'end-to-end/package', 'together/parts', 'log/postgres/', 'pool/questions'],
  ...['together/change', 'together/client', 'together/lint', 'fault/io-error', 'end-to-end/shadow'],
  ...['http/slow-clients', 'together/cli', 'model/', 'simulator/'],
];
/** Files at a time: together three more than the cores of a small machine, because some tests mostly wait. */
const CONCURRENCY = { covering: 1, others: 4 };

const files = readdirSync(join(root, 'dist/test'), { recursive: true })
  .map((path) => join('dist/test', String(path)))
  .filter((path) => path.endsWith('.test.js'))
  // A compiled test whose source is gone is not a test any more.
  .filter((path) => existsSync(join(root, path.replace(/^dist\//, '').replace(/\.js$/, '.ts'))))
  .filter((path) =>
    wanted.length === 0
      ? !LONG_ONLY.some((part) => path.includes(part))
      : wanted.some((word) => path.includes(word)),
  )
  .sort();
if (files.length === 0) {
  process.stderr.write(`no test matches ${wanted.join(', ')}\n`);
  process.exit(1);
}

const DOORS = ['engine', 'shop', 'store', 'front', 'base'];

/** The folder of a test, below its door if it has one. */
function folderOf(path) {
  const [, , first, second] = path.split('/');
  return DOORS.includes(first) ? second : first;
}

/** A file that has a process of its own. */
const isAlone = (path) =>
  ALONE.some((part) => path.includes(part)) ||
  CHANGES_ITS_PROCESS.test(readFileSync(join(root, path), 'utf8'));

/** Programs that load all files of a group, and the files that run alone, in the order in which they start. */
function plan() {
  const groups = Object.keys(TOGETHER);
  const folder = join(root, 'dist/together');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const groupOf = (path) =>
    isAlone(path) ? undefined : groups.find((name) => TOGETHER[name].includes(folderOf(path)));
  const together = groups.map((name) => {
    // Each in a suite of its own, so that a hook of the whole file is one of the suite.
    const suites = files
      .filter((path) => groupOf(path) === name)
      .map((path) => [path, pathToFileURL(join(root, path)).href].map((text) => JSON.stringify(text)))
      .map(([path, address]) => `describe(${path}, async () => void (await import(${address})));\n`);
    const program = join('dist/together', `${name}.js`);
    writeFileSync(join(root, program), ["import { describe } from 'node:test';\n", ...suites].join(''));
    return program;
  });
  const rank = (path) => {
    const place = FIRST.findIndex((part) => path.includes(part));
    return place < 0 ? FIRST.length : place;
  };
  const alone = files.filter((path) => groupOf(path) === undefined);
  return [...together, ...alone].sort((a, b) => rank(a) - rank(b));
}

const c8 = createRequire(import.meta.url).resolve('c8/bin/c8.js');
const COVERAGE = [
  c8,
  // Fails below 100 % of lines, functions and branches.
  '--100',
  ...COVERED.flatMap((name) => [`--include=dist/src/${name}/**`, `--include=src/${name}/**`]),
  '--exclude=test/**',
  '--exclude-after-remap',
  process.execPath,
];

/**
 * Resolves with the exit code of a run of these programs. `c8` and its options come before Node where coverage is
 * measured; what such a run prints comes at its end, since another run prints meanwhile.
 */
function run(programs, concurrency, coverage = []) {
  const given = [join(root, '.ci/run-programs.mjs'), String(concurrency), ...programs];
  const [command, ...args] = [process.execPath, ...coverage, ...given];
  const isHeldBack = coverage.length > 0;
  const output = isHeldBack ? 'pipe' : 'inherit';
  const child = spawn(command, args, { cwd: root, stdio: ['inherit', output, output] });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => printed.push(part));
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ status: code ?? 1, text: Buffer.concat(printed) }));
  });
}

if (wanted.length > 0) process.exit((await run(files, CONCURRENCY.covering + CONCURRENCY.others)).status);
const programs = plan();
const isCovering = (path) => path === 'dist/together/covering.js';
const [covering, others] = await Promise.all([
  run(programs.filter(isCovering), CONCURRENCY.covering, COVERAGE),
  run(
    programs.filter((path) => !isCovering(path)),
    CONCURRENCY.others,
  ),
]);
process.stdout.write(covering.text, () => process.exit(Math.max(covering.status, others.status)));
