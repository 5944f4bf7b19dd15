/** Loads shops in a process of its own (run with --expose-gc) and tells what they take. */
import type { SimulateRequest } from '../../src/engine/domain/cart.ts';
import { makeTypical } from '../profiles/typical.ts';
import { openLocalShops } from './local-shops.ts';

export interface MemoryPlan {
  readonly dataFolder: string;
  readonly shopIds: readonly string[];
  /** Carts that each shop answers after it is loaded. */
  readonly answers: number;
}

/** Bytes per shop, after garbage collection. */
export interface MemoryResult {
  readonly heapBytes: number;
  readonly residentBytes: number;
}

const plan = JSON.parse(process.argv[2] ?? '') as MemoryPlan;

function measure(): { readonly heap: number; readonly resident: number } {
  for (let i = 0; i < 4; i++) globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, resident: rss };
}

const [first, ...others] = plan.shopIds;
const shops = openLocalShops(plan.dataFolder, plan.shopIds.length + 1);
const { requests } = makeTypical();

async function use(shopId: string): Promise<void> {
  const shop = await shops.directory.load(shopId);
  for (let i = 0; i < plan.answers; i++) {
    const outcome = shop.simulate(requests[i % requests.length] as SimulateRequest, Date.now());
    if (!outcome.ok) throw new Error(outcome.message);
  }
}

// The first shop also brings in code and tables that all share.
if (first !== undefined) await use(first);
const before = measure();
for (const shopId of others) await use(shopId);
const after = measure();
await shops.close();
const result: MemoryResult = {
  heapBytes: (after.heap - before.heap) / others.length,
  residentBytes: (after.resident - before.resident) / others.length,
};
process.send?.(result, () => process.exit(0));
