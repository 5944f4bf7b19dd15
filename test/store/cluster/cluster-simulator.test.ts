/**
 * Whole runs of nodes on a simulated authority, network and clock. The long form:
 * `RATEWRIGHT_CLUSTER_SEEDS=100000 npm test -- cluster-simulator`; a seed that fails is printed with its command.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputOf, PROJECT } from './program-output.ts';
import { type ClusterSeedsReport, runClusterSeeds } from './run-cluster-seeds.ts';

const SEEDS = Number(process.env['RATEWRIGHT_CLUSTER_SEEDS'] ?? 12);
const FIRST_SEED = Number(process.env['RATEWRIGHT_FIRST_SEED'] ?? 1);
const RUN_MS_MAX = Math.max(600_000, 2_000 * SEEDS);
test(`${SEEDS} seeds of a cluster keep every promise after every step`, (context) => {
  const report = outputOf<ClusterSeedsReport>(PROJECT, 'run-cluster-seeds', [FIRST_SEED, SEEDS], {
    runMsMax: RUN_MS_MAX,
  });
  const { failed, seeds, steps, acknowledgements, failovers, answers } = report;
  assert.equal(failed, null, failed === null ? '' : `${failed.promise}\nagain: ${failed.command}`);
  const { current, old, refused } = answers;
  context.diagnostic(
    `${seeds} seeds, ${steps} steps, ${failovers} failovers, ${acknowledgements} acknowledged`,
  );
  context.diagnostic(`${current} answers current, ${old} marked, ${refused} refused, 0 broken`);
});

test('a seed of a cluster does the same each time it runs', async () => {
  assert.deepEqual(await runClusterSeeds(5, 1), await runClusterSeeds(5, 1));
});
