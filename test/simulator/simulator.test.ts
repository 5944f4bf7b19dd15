/**
 * Whole runs of actors, key ring and recovery on a simulated log, clock and event loop. The long form:
 * `RATEWRIGHT_SEEDS=100000 npm test -- simulator`; a seed that fails is printed with its command.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts';
import { runSeeds, type SeedsReport } from './run-seeds.ts';

const SEEDS = Number(process.env['RATEWRIGHT_SEEDS'] ?? 2_000);
const FIRST_SEED = Number(process.env['RATEWRIGHT_FIRST_SEED'] ?? 1);
const SEEDS_RERUN = 20;
/** By this one each planted bug has shown. */
const SEEDS_FOR_BUGS = 400;
const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

test(`${SEEDS} seeds keep every promise after every step`, async (context) => {
  const report = await runSeeds(FIRST_SEED, SEEDS);
  const { failed, seeds, steps, records, deaths } = report;
  assert.equal(failed, null, failed === null ? '' : `${failed.promise}\nagain: ${failed.command}`);
  context.diagnostic(`${seeds} seeds, ${steps} steps, ${records} records, ${deaths} deaths, 0 broken`);
});

test('a seed does the same each time it runs', async () => {
  for (let seed = 1; seed <= SEEDS_RERUN; seed++) {
    const [first, second] = [await runSeeds(seed, 1), await runSeeds(seed, 1)];
    assert.deepEqual(first, second);
  }
});

/** The compiled program with one piece of code replaced, in a folder of its own. */
function plant(bug: PlantedBug, folder: string): void {
  cpSync(join(PROJECT, 'dist/src'), join(folder, 'dist/src'), { recursive: true });
  cpSync(join(PROJECT, 'dist/test/simulator'), join(folder, 'dist/test/simulator'), { recursive: true });
  cpSync(join(PROJECT, 'dist/test/support'), join(folder, 'dist/test/support'), { recursive: true });
  cpSync(join(PROJECT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  const path = join(folder, 'dist/src', `${bug.file}.js`);
  const code = readFileSync(path, 'utf8');
  assert.equal(code.split(bug.from).length, 2, `${bug.file} has ${bug.from} once`);
  writeFileSync(
    path,
    code.replace(bug.from, () => bug.to),
  );
}

for (const bug of PLANTED_BUGS) {
  test(`the simulator finds it when ${bug.what}`, (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'ratewright-planted-'));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    plant(bug, folder);
    const program = join(folder, 'dist/test/simulator/run-seeds.js');
    const { stdout, stderr, status } = spawnSync(process.execPath, [program, '1', String(SEEDS_FOR_BUGS)], {
      encoding: 'utf8',
      timeout: 120_000,
      // A copy is no part of the measured program.
      env: { ...process.env, NODE_V8_COVERAGE: '' },
    });
    assert.equal(status, 1, stderr);
    const { failed, seeds } = JSON.parse(stdout) as SeedsReport;
    context.diagnostic(`after ${seeds} seeds: ${failed?.promise.split('\n')[0]}`);
    assert.match(failed?.promise ?? '', /^Violation: /);
  });
}
