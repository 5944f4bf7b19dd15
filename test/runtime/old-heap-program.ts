/**
 * A process of its own that fills its old heap with garbage, 4 MB at a time, and says how often it was looked through:
 * with `delayed` as a service does, else as the engine does by itself. Run with --expose-gc.
 */
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { settleNursery } from '../../src/runtime/nursery.ts';
import { delayOldHeap } from '../../src/runtime/old-heap.ts';

/** Of which the types of Node know less. */
interface CollectionEntry {
  readonly detail: { readonly kind: number };
}

const ROUNDS = 8;
const HELD_PER_ROUND = 40_000;

if (process.argv[2] === 'delayed') delayOldHeap();
let looks = 0;
const observer = new PerformanceObserver((list) => {
  for (const entry of list.getEntries() as unknown as readonly CollectionEntry[]) {
    if (entry.detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) looks++;
  }
});
// From the second on the engine counts from what is in use.
globalThis.gc?.();
observer.observe({ entryTypes: ['gc'] });
for (let round = 0; round < ROUNDS; round++) {
  const held = Array.from({ length: HELD_PER_ROUND }, (_, at) => ({ round, at: [at] }));
  settleNursery();
  // Time for what the engine does beside other work.
  await wait(held.length > 0 ? 20 : 0);
}
await wait(100);
process.stdout.write(`${looks}\n`);
