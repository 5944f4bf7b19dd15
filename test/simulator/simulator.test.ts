/**
 * Whole runs of actors, key ring and recovery on a simulated log, clock and event loop. The long form:
 * `RATEWRIGHT_SEEDS=100000 npm test -- simulator`; a seed that fails is printed with its command.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { plantedProgram } from '../support/planted-program.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';
import { runSeeds, type SeedsReport } from './run-seeds.ts';

const SEEDS = Number(process.env['RATEWRIGHT_SEEDS'] ?? 300);
const FIRST_SEED = Number(process.env['RATEWRIGHT_FIRST_SEED'] ?? 1);
const SEEDS_RERUN = 20;
/** By this one each planted bug has shown. */
const SEEDS_FOR_BUGS = 400;
/** A machine may be busy elsewhere, and a long run is long. */
const RUN_MS_MAX = Math.max(600_000, 100 * SEEDS);
const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * What `run-seeds` of the program below `folder` prints. In a process of its own, as node:test follows every promise
 * of a test, which doubles the time of a run.
 */
function reportOf(folder: string, first: number, count: number, env: NodeJS.ProcessEnv): SeedsReport {
  const args = [join(folder, 'dist/test/simulator/run-seeds.js'), String(first), String(count)];
  const options = { encoding: 'utf8', timeout: RUN_MS_MAX, env } as const;
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, args, options);
  const report = stdout === '' ? null : (JSON.parse(stdout) as SeedsReport);
  const isReported = report !== null && status === (report.failed === null ? 0 : 1);
  assert.ok(isReported, `ended with ${status ?? signal} ${stdout} ${stderr}`);
  return report;
}

test(`${SEEDS} seeds keep every promise after every step`, (context) => {
  const { failed, seeds, steps, records, deaths } = reportOf(PROJECT, FIRST_SEED, SEEDS, process.env);
  assert.equal(failed, null, failed === null ? '' : `${failed.promise}\nagain: ${failed.command}`);
  context.diagnostic(`${seeds} seeds, ${steps} steps, ${records} records, ${deaths} deaths, 0 broken`);
});

test('a seed does the same each time it runs', async () => {
  for (let seed = 1; seed <= SEEDS_RERUN; seed++) {
    const [first, second] = [await runSeeds(seed, 1), await runSeeds(seed, 1)];
    assert.deepEqual(first, second);
  }
});

const program = plantedProgram(['src', 'test/simulator', 'test/support']);

for (const bug of PLANTED_BUGS) {
  test(`the simulator finds it when ${bug.what}`, (context) => {
    program.plant({ ...bug, file: `src/${bug.file}` }, context);
    // A copy is no part of the measured program.
    const env = { ...process.env, NODE_V8_COVERAGE: '' };
    const { failed, seeds } = reportOf(program.folder, 1, SEEDS_FOR_BUGS, env);
    context.diagnostic(`after ${seeds} seeds: ${failed?.promise.split('\n')[0]}`);
    assert.match(failed?.promise ?? '', /^Violation: /);
  });
}
