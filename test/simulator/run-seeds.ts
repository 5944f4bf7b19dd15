/**
 * The simulator as a program: `node dist/test/simulator/run-seeds.js FIRST [COUNT]` runs COUNT seeds (default 1) and
 * prints one line of JSON with the number of runs and the first seed that broke a promise.
 */
import { pathToFileURL } from 'node:url';
import { runSeed } from './simulated-run.ts';

export interface SeedsReport {
  readonly seeds: number;
  readonly steps: number;
  readonly records: number;
  readonly deaths: number;
  readonly failed: { readonly seed: number; readonly promise: string; readonly command: string } | null;
  /** The trace of the last seed. */
  readonly digest: string;
}

export async function runSeeds(first: number, count: number): Promise<SeedsReport> {
  const totals = { seeds: 0, steps: 0, records: 0, deaths: 0 };
  let digest = '';
  for (let seed = first; seed < first + count; seed++) {
    try {
      const report = await runSeed(seed);
      totals.seeds++;
      totals.steps += report.steps;
      totals.records += report.records;
      totals.deaths += report.deaths;
      digest = report.digest;
    } catch (error) {
      const promise = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const command = `node dist/test/simulator/run-seeds.js ${seed}`;
      return { ...totals, digest, failed: { seed, promise, command } };
    }
  }
  return { ...totals, digest, failed: null };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [first = 1, count = 1] = process.argv.slice(2).map(Number);
  const report = await runSeeds(first, count);
  process.stdout.write(`${JSON.stringify(report)}\n`);
  process.exitCode = report.failed === null ? 0 : 1;
}
