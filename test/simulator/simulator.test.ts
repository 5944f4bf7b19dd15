/**
 * Complete runs of actors, key ring and recovery on a simulated log, clock and event loop. The long form:
 * `RATEWRIGHT_SEEDS=100000 npm test -- simulator`; a failed seed is printed with the command that repeats it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runSeeds } from './run-seeds.ts';
import { reportOf } from './seeds-report.ts';

const SEEDS = Number(process.env['RATEWRIGHT_SEEDS'] ?? 120);
const FIRST_SEED = Number(process.env['RATEWRIGHT_FIRST_SEED'] ?? 1);
const SEEDS_RERUN = 20;
const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

test(`${SEEDS} seeds keep every promise after every step`, (context) => {
  const { failed, seeds, steps, records, deaths } = reportOf(PROJECT, FIRST_SEED, SEEDS);
  assert.equal(failed, null, failed === null ? '' : `${failed.promise}\nagain: ${failed.command}`);
  context.diagnostic(`${seeds} seeds, ${steps} steps, ${records} records, ${deaths} deaths, 0 broken`);
});

test('a seed gives the same run each time', async () => {
  for (let seed = 1; seed <= SEEDS_RERUN; seed++) {
    const [first, second] = [await runSeeds(seed, 1), await runSeeds(seed, 1)];
    assert.deepEqual(first, second);
  }
});
