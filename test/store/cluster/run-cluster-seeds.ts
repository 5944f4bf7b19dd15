/**
 * The simulator of clusters as a program: `node dist/test/store/cluster/run-cluster-seeds.js FIRST [COUNT]` runs that many
 * seeds (default 1) and prints, as one line of JSON, how many ran and the first that broke a promise.
 */
import { pathToFileURL } from 'node:url';
import { type ClusterRunReport, runClusterSeed } from './simulated-cluster.ts';

export interface ClusterSeedsReport extends ClusterRunReport {
  readonly seeds: number;
  readonly failed: { readonly seed: number; readonly promise: string; readonly command: string } | null;
}

export async function runClusterSeeds(first: number, count: number): Promise<ClusterSeedsReport> {
  const answers = { current: 0, old: 0, refused: 0 };
  const totals = { seeds: 0, steps: 0, acknowledgements: 0, failovers: 0, answers };
  for (let seed = first; seed < first + count; seed++) {
    try {
      const report = await runClusterSeed(seed);
      totals.seeds++;
      totals.steps += report.steps;
      totals.acknowledgements += report.acknowledgements;
      totals.failovers += report.failovers;
      answers.current += report.answers.current;
      answers.old += report.answers.old;
      answers.refused += report.answers.refused;
    } catch (error) {
      const promise = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const command = `node dist/test/store/cluster/run-cluster-seeds.js ${seed}`;
      return { ...totals, failed: { seed, promise, command } };
    }
  }
  return { ...totals, failed: null };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [first = 1, count = 1] = process.argv.slice(2).map(Number);
  const report = await runClusterSeeds(first, count);
  process.stdout.write(`${JSON.stringify(report)}\n`);
  process.exitCode = report.failed === null ? 0 : 1;
}
