/**
 * The interleavings as a program: `node dist/test/store/cluster/run-interleavings.js [orders seed]` explores every
 * scenario, all orders or that many, and prints the results as JSON.
 */
import { pathToFileURL } from 'node:url';
import { SeededRandom } from '../../simulator/seeded-random.ts';
import { type Exploration, explore, SCENARIOS } from './interleavings.ts';

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // Each order makes expected errors: capturing their stacks took a tenth of the time.
  Error.stackTraceLimit = 0;
  const [ordersMax = Number.POSITIVE_INFINITY, seed = 1] = process.argv.slice(2).map(Number);
  const random = new SeededRandom(seed);
  const explorations: Exploration[] = [];
  for (const scenario of SCENARIOS) {
    explorations.push(await explore(scenario, ordersMax, random));
    if (explorations.at(-1)?.failed) break;
  }
  process.stdout.write(`${JSON.stringify(explorations)}\n`);
}
