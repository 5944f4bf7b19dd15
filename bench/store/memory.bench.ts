/** Memory of a loaded shop: after its first answer, and after many answers have filled its caches. */
import { type Part, Rounds } from '../part.ts';
import { makeTypical } from '../profiles/typical.ts';
import { scriptPath } from '../project-paths.ts';
import { makeShop, openLocalShops } from './local-shops.ts';
import type { MemoryPlan, MemoryResult } from './memory-process.ts';

const USES = [
  [1, 'first', 'after one answer'],
  [500, 'warm', 'after 500 different carts'],
] as const;

export const memoryPart: Part = {
  id: 'store/memory',
  title: 'Memory of one loaded shop of typical',
  async run(part) {
    const { rounds, shopsInMemory } = part.effort;
    const count = shopsInMemory.at(-1) ?? 0;
    const dataFolder = part.folders.make('memory');
    const shopIds = Array.from({ length: count + 1 }, (_, at) => `shop_${at}`);
    const profile = makeTypical();
    const shops = openLocalShops(dataFolder);
    for (const [at, shopId] of shopIds.entries()) {
      part.step(`making shop ${at + 1} of ${shopIds.length}`);
      await makeShop(shops, shopId, profile);
    }
    await shops.close();
    const results = new Rounds();
    for (let round = 1; round <= rounds; round++) {
      for (const [answers, id, label] of USES) {
        part.step(`${label} (round ${round} of ${rounds})`);
        const plan: MemoryPlan = { dataFolder, shopIds, answers };
        const child = part.children.start(
          'memory',
          process.execPath,
          ['--expose-gc', scriptPath('store/memory-process.js'), JSON.stringify(plan)],
          { role: 'any', hasChannel: true },
        );
        const { heapBytes, residentBytes } = (await child.message()) as MemoryResult;
        results.add(`store/memory/${id}/heap`, `${label}, heap`, 'bytes', heapBytes);
        results.add(`store/memory/${id}/resident`, `${label}, resident`, 'bytes', residentBytes);
      }
    }
    results.recordTo(part);
    part.note(`Mean of ${count} shops with 12 methods; shared code and tables are not counted.`);
  },
};
