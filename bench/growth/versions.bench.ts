/** Versions: a shop with a long history answers as one with a short history does. */
import type { SimulateRequest } from '../../src/engine/domain/cart.ts';
import { type MicroTask, measureTasks } from '../micro/micro-bench.ts';
import type { Part } from '../part.ts';
import { NOW_MS } from '../profiles/profile.ts';
import { makeTypical } from '../profiles/typical.ts';
import { type LocalShops, makeEdits, makeShop, openLocalShops, write } from '../store/local-shops.ts';
import { growthId, WARM_ANSWERS, writeAnswer } from './answer-task.ts';

/** Edits under way at a time while the history is made. */
const AT_ONCE = 500;

async function makeTask(shops: LocalShops, versions: number): Promise<MicroTask> {
  const profile = makeTypical();
  const shopId = `shop_${versions}`;
  const made = await makeShop(shops, shopId, profile);
  const nextEdit = makeEdits(made);
  for (let left = versions; left > 0; left -= AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => write(made, nextEdit())));
  }
  // Every shop ends with the same configuration, so that only the history differs.
  await write(made, { kind: 'executeConfig', data: JSON.parse(JSON.stringify(profile.config)) });
  let at = 0;
  return {
    id: growthId('versions', versions),
    label: `${versions.toLocaleString('en-US')} versions before`,
    warmCount: WARM_ANSWERS,
    run(count) {
      let bytes = 0;
      for (let i = 0; i < count; i++) {
        const request = profile.requests[at++ % profile.requests.length] as SimulateRequest;
        bytes += writeAnswer(made.simulate(request, NOW_MS));
      }
      return bytes;
    },
  };
}

export const versionsPart: Part = {
  id: 'growth/versions',
  title: 'An answer of typical, by versions in the history of the shop',
  async run(part) {
    const shops = openLocalShops(part.folders.make('versions'));
    try {
      const tasks: MicroTask[] = [];
      for (const versions of part.effort.versions) {
        part.step(`${versions} versions`);
        tasks.push(await makeTask(shops, versions));
      }
      measureTasks(part, tasks);
    } finally {
      await shops.close();
    }
  },
};
