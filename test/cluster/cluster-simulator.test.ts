/**
 * Whole runs of nodes on a simulated authority, network and clock. The long form:
 * `RATEWRIGHT_CLUSTER_SEEDS=100000 npm test -- cluster-simulator`; a seed that fails is printed with its command.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type ClusterSeedsReport, runClusterSeeds } from './run-cluster-seeds.ts';

const SEEDS = Number(process.env['RATEWRIGHT_CLUSTER_SEEDS'] ?? 30);
const FIRST_SEED = Number(process.env['RATEWRIGHT_FIRST_SEED'] ?? 1);
const RUN_MS_MAX = Math.max(600_000, 2_000 * SEEDS);
const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

/** What the program below `folder` prints; in a process of its own, as node:test follows every promise of a test. */
function reportOf(folder: string, first: number, count: number, env: NodeJS.ProcessEnv): ClusterSeedsReport {
  const args = [join(folder, 'dist/test/cluster/run-cluster-seeds.js'), String(first), String(count)];
  const options = { encoding: 'utf8', timeout: RUN_MS_MAX, env } as const;
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, args, options);
  const report = stdout === '' ? null : (JSON.parse(stdout) as ClusterSeedsReport);
  const isReported = report !== null && status === (report.failed === null ? 0 : 1);
  assert.ok(isReported, `ended with ${status ?? signal} ${stdout} ${stderr}`);
  return report;
}

test(`${SEEDS} seeds of a cluster keep every promise after every step`, (context) => {
  const { failed, seeds, steps, acknowledgements, failovers, answers } = reportOf(
    PROJECT,
    FIRST_SEED,
    SEEDS,
    process.env,
  );
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
