/** Item to product group: by what lists it, among few groups and many. */
import { compileShop } from '../../src/engine/compile/compiled-shop.ts';
import type { ProductGroup } from '../../src/engine/domain/product-group.ts';
import { CartFacts } from '../../src/engine/evaluate/cart-facts.ts';
import type { Part } from '../part.ts';
import { makeRequests } from '../profiles/cart-maker.ts';
import { NOW_MS, SETTINGS } from '../profiles/profile.ts';
import { SeededRandom } from '../profiles/seeded-random.ts';
import { DEFAULT_GROUP, makeGroup, makeZone } from '../profiles/shop-maker.ts';
import { type MicroTask, measureTasks } from './micro-bench.ts';

type MatcherMaker = (at: number) => Partial<ProductGroup>;

/** Lists that hold something in every group, and now and then what the carts hold. */
const KINDS: readonly (readonly [string, MatcherMaker])[] = [
  ['variant ids', (at) => ({ variantIds: [`var_${10_000 + at}`, `var_${20_000 + at}`] })],
  [
    'skus and prefixes',
    (at) => ({ skus: [`SKU-${at}`, `${['TENT', 'IRON', 'MAP', 'FUEL'][at % 4]}-${at}*`] }),
  ],
  ['tags', (at) => ({ tags: [at === 0 ? 'fragile' : `tag-${at}`] })],
  ['vendors', (at) => ({ vendors: [at === 0 ? 'Ember Forge' : `Vendor ${at}`] })],
];

function makeTask(kind: string, groups: readonly ProductGroup[]): MicroTask {
  const shop = compileShop(
    {
      zones: [makeZone('zone_us', 'United States', ['US'])],
      productGroups: groups,
      methods: [],
      blendedRates: [],
    },
    SETTINGS,
  );
  const requests = makeRequests(new SeededRandom(9), { items: 3 }, 64);
  return {
    id: `micro/group-index/${kind.replaceAll(' ', '-')}/${groups.length}`,
    label: `${kind}, ${groups.length.toLocaleString('en-US')} groups`,
    run(count) {
      let found = 0;
      for (let i = 0; i < count; i++) {
        found += new CartFacts(shop, requests[i & 63] as (typeof requests)[number], NOW_MS, null).groups
          .length;
      }
      return found;
    },
  };
}

export const groupIndexPart: Part = {
  id: 'micro/group-index',
  title: 'Facts of a cart of three items: totals, and the group of each item',
  async run(part) {
    const tasks = [makeTask('default only', [DEFAULT_GROUP])];
    for (const count of [4, 2_000]) {
      for (const [kind, matchers] of KINDS) {
        const others = Array.from({ length: count - 1 }, (_, at) =>
          makeGroup(`group_${at}`, `Group ${at}`, matchers(at)),
        );
        tasks.push(makeTask(kind, [...others, DEFAULT_GROUP]));
      }
    }
    measureTasks(part, tasks);
  },
};
