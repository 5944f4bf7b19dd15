/** Base prices: each rate type from the totals of a group. */
import { compileRate, type GroupTotals, type RateFunction } from '../../src/engine/compile/rate-function.ts';
import type { RateConfig } from '../../src/engine/domain/rate-type.ts';
import type { Part } from '../part.ts';
import { SeededRandom } from '../profiles/seeded-random.ts';
import { measureTasks } from './micro-bench.ts';

const tiers = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    minWeight: i * 100,
    maxWeight: i === count - 1 ? null : (i + 1) * 100,
    price: 500 + i,
  }));

const RATES: readonly (readonly [string, RateConfig])[] = [
  ['flat', { rateType: 'flat', config: { price: 895 } }],
  ['free', { rateType: 'free', config: {} }],
  ['by_weight_table, 4 tiers', { rateType: 'by_weight_table', config: { tiers: tiers(4) } }],
  ['by_weight_table, 1,000 tiers', { rateType: 'by_weight_table', config: { tiers: tiers(1_000) } }],
  [
    'by_price_table, 2 tiers',
    {
      rateType: 'by_price_table',
      config: {
        tiers: [
          { minPrice: 0, maxPrice: 10_000, price: 990 },
          { minPrice: 10_000, maxPrice: null, price: 0 },
        ],
      },
    },
  ],
  [
    'by_items_table, 2 tiers',
    {
      rateType: 'by_items_table',
      config: {
        tiers: [
          { minItems: 0, maxItems: 5, price: 500 },
          { minItems: 5, maxItems: null, price: 900 },
        ],
      },
    },
  ],
  ['by_items', { rateType: 'by_items', config: { firstItemPrice: 700, additionalItemPrice: 150 } }],
  [
    'by_weight',
    {
      rateType: 'by_weight',
      config: { firstWeight: 1_000, firstPrice: 900, additionalWeight: 500, additionalPrice: 120 },
    },
  ],
  ['percentage', { rateType: 'percentage', config: { percentage: 7.25, minPrice: 500, maxPrice: 6_000 } }],
];

function makeTotals(): readonly GroupTotals[] {
  const random = new SeededRandom(8);
  return Array.from({ length: 256 }, () => ({
    weightGrams: random.between(50, 120_000),
    priceCents: random.between(500, 90_000),
    quantity: random.between(1, 12),
    sized: null,
  }));
}

function priceAll(rate: RateFunction, totals: readonly GroupTotals[], count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += rate(totals[i & 255] as GroupTotals);
  return sum;
}

export const rateFunctionPart: Part = {
  id: 'micro/rate-function',
  title: 'Base price of one method',
  async run(part) {
    const totals = makeTotals();
    measureTasks(
      part,
      RATES.map(([label, config]) => {
        const rate = compileRate(config);
        return {
          id: `micro/rate-function/${label.replaceAll(/[ ,]+/g, '-')}`,
          label,
          run: (count: number) => priceAll(rate, totals, count),
        };
      }),
    );
  },
};
