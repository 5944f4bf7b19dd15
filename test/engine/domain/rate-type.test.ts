/** Rate types: what their schemas accept, and the defects that a schema cannot express. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { TSchema } from '#typebox';
import {
  findRateConfigDefect,
  isTableRateType,
  PERCENTAGE_MAX,
  percentageHundredths,
  RATE_TYPE_NAMES,
  RATE_TYPES,
  type RateConfig,
  type TableRateType,
  TIER_BOUNDS,
  TIERS_MAX,
  tiersOfRate,
} from '../../../src/engine/domain/rate-type.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { RATE_EXAMPLES } from '../../support/arbitrary/rates.ts';
import type { SchemaNode } from '../../support/schema-node.ts';

const TABLES = RATE_TYPE_NAMES.filter(isTableRateType);

type Bounds = readonly (readonly [from: number, to: number | null])[];

/** Tiers as `0-10 10-`, of which the last is open. */
const boundsOf = (text: string): Bounds =>
  text.split(' ').map((tier) => {
    const [from = '', to = ''] = tier.split('-');
    return [Number(from), to === '' ? null : Number(to)];
  });

/** A config of a table type with these bounds; the price of tier n is n. */
function table(rateType: TableRateType, bounds: Bounds): RateConfig {
  const [lower, upper] = TIER_BOUNDS[rateType];
  const tiers = bounds.map(([from, to], price) => ({ [lower]: from, [upper]: to, price }));
  return { rateType, config: { tiers } } as unknown as RateConfig;
}

const percentage = (config: { percentage: number; minPrice?: number; maxPrice?: number }): RateConfig => ({
  rateType: 'percentage',
  config,
});

describe('tiers', () => {
  it('ascend, may leave gaps, and may be open at the end', () => {
    for (const type of TABLES) {
      for (const bounds of ['0-1', '5-', '0-10 10-20 30-']) {
        assert.equal(findRateConfigDefect(table(type, boundsOf(bounds))), null, bounds);
      }
    }
  });

  it('are refused by path where they overlap, are reversed, are empty or are open too early', () => {
    for (const type of TABLES) {
      const [lower, upper] = TIER_BOUNDS[type];
      const pathOf = (bounds: string) =>
        findRateConfigDefect(table(type, boundsOf(bounds)))?.split(' ', 1)[0];
      assert.equal(pathOf('0-10 9-20'), `/tiers/1/${lower}`);
      assert.equal(pathOf('10-20 0-10'), `/tiers/1/${lower}`);
      assert.equal(pathOf('0-10 10-10'), `/tiers/1/${upper}`);
      assert.equal(pathOf('10-5'), `/tiers/0/${upper}`);
      assert.equal(pathOf('0- 10-20'), `/tiers/0/${upper}`);
    }
  });

  it('have a defect exactly when two tiers share a number, a tier is empty or they do not ascend', () => {
    const bound = fc.integer({ min: 0, max: 6 });
    const bounds = fc.array(fc.tuple(bound, fc.option(bound, { freq: 6 })), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...TABLES), bounds, (type, tiers) => {
        const holders = (number: number) =>
          tiers.flatMap(([from, to], index) =>
            from <= number && (to === null || number < to) ? [index] : [],
          );
        const numbers = Array.from({ length: 9 }, (_, number) => number);
        const isClear = numbers.every((number) => holders(number).length <= 1);
        const allHold = tiers.every((_, index) => numbers.some((number) => holders(number).includes(index)));
        const ascend = tiers.every(([from], index) => index === 0 || from > (tiers[index - 1]?.[0] ?? 0));
        assert.equal(findRateConfigDefect(table(type, tiers)) === null, isClear && allHold && ascend);
      }),
      { numRuns: 3_000 },
    );
  });

  it('read the same in all three table types', () => {
    for (const type of TABLES) {
      const rate = table(type, boundsOf('0-10 10-'));
      assert.deepEqual(tiersOfRate(rate), [
        { from: 0, to: 10, priceCents: 0 },
        { from: 10, to: null, priceCents: 1 },
      ]);
    }
  });

  it('are at least one and at most 1,000', () => {
    const many = (count: number) =>
      table(
        'by_items_table',
        Array.from({ length: count }, (_, index) => [index, index + 1] as const),
      ).config;
    const check = compileSchema(RATE_TYPES.by_items_table);
    assert.ok(!check.check(many(0)));
    assert.ok(check.check(many(1)));
    assert.ok(check.check(many(TIERS_MAX)));
    assert.ok(!check.check(many(TIERS_MAX + 1)));
  });
});

describe('a percentage', () => {
  it('has at most two decimals', () => {
    for (const good of [0, 0.01, 1, 7.77, 12.5, 33.33, 99.99, 100, 150.05, 999.99, 1000]) {
      assert.equal(findRateConfigDefect(percentage({ percentage: good })), null, String(good));
    }
    for (const bad of [0.001, 12.345, 1e-7, 33.333, 999.999]) {
      assert.match(
        findRateConfigDefect(percentage({ percentage: bad })) ?? '',
        /^\/percentage /,
        String(bad),
      );
    }
  });

  it('is exactly its hundredths, for every percentage from 0 to 1000', () => {
    for (let hundredths = 0; hundredths <= PERCENTAGE_MAX * 100; hundredths++) {
      const written = Number(`${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`);
      if (percentageHundredths(written) !== hundredths) assert.fail(`${written} is not ${hundredths}`);
    }
  });

  it('has a minPrice that is not above its maxPrice', () => {
    assert.equal(findRateConfigDefect(percentage({ percentage: 1, minPrice: 5, maxPrice: 5 })), null);
    assert.equal(
      findRateConfigDefect(percentage({ percentage: 1, minPrice: 6, maxPrice: 5 })),
      '/minPrice must not be above maxPrice',
    );
    assert.equal(findRateConfigDefect(percentage({ percentage: 1, minPrice: 6 })), null);
  });
});

describe('the schema of each rate type', () => {
  it('accepts its own config and refuses a field that is missing, unknown, negative or broken', () => {
    for (const type of RATE_TYPE_NAMES) {
      const schema: TSchema = RATE_TYPES[type];
      const check = compileSchema(schema);
      const good = RATE_EXAMPLES[type];
      assert.ok(check.check(good), type);
      assert.ok(!check.check({ ...good, extra: 1 }), `${type} with an unknown field`);
      const { properties = {} } = schema as SchemaNode;
      for (const field of Object.keys(good)) {
        const { [field]: _, ...without } = good as Record<string, unknown>;
        assert.ok(!check.check(without), `${type} without ${field}`);
        assert.ok(!check.check({ ...good, [field]: -1 }), `${type} with a negative ${field}`);
        if (properties[field]?.type === 'integer') {
          assert.ok(!check.check({ ...good, [field]: 0.5 }), `${type} with a broken ${field}`);
        }
      }
    }
  });

  it('refuses a step of no weight and a percentage above 1000', () => {
    assert.ok(
      !compileSchema(RATE_TYPES.by_weight).check({ ...RATE_EXAMPLES.by_weight, additionalWeight: 0 }),
    );
    assert.ok(!compileSchema(RATE_TYPES.percentage).check({ percentage: PERCENTAGE_MAX + 0.01 }));
  });
});
