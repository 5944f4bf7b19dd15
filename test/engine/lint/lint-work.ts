/**
 * The work of the lint, as a program. For each case it prints how often blocks of src/engine/lint run, for a
 * shop and for a shop of twice the size, as JSON. A call of a built-in function counts as one.
 */
import { Session } from 'node:inspector';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import { blended, condition, group, method, rule, SETTINGS, shop, zone } from './config-builder.ts';

export interface LintWork {
  readonly name: string;
  /** Number of the records that grow. */
  readonly records: number;
  readonly once: number;
  readonly twice: number;
}

const SIZE = 150;
const RULES_PER_METHOD = 10;

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const rest = group('rest', { isDefault: true });
const groups = (count: number) => [rest, ...times(count, (i) => group(`g${i}`, { tags: [`tag ${i}`] }))];
const withSubzones = (count: number) => [
  zone('us', ['US'], Object.fromEntries(times(count, (i) => [`s${i}`, `${i}X*`]))),
];
const letters = (i: number): string =>
  [i / 676, i / 26, i].map((n) => 'abcdefghijklmnopqrstuvwxyz'[Math.floor(n) % 26]).join('');

type Rules = (i: number) => ReturnType<typeof condition>[];
const withRules = (count: number, conditionsOf: Rules, productGroupId = 'rest') =>
  times(count / RULES_PER_METHOD, (m) =>
    method(`m${m}`, {
      productGroupId,
      rules: times(RULES_PER_METHOD, (r) =>
        rule(`r${m}-${r}`, 'hide', ...conditionsOf(m * RULES_PER_METHOD + r)),
      ),
    }),
  );

/** Name of a case -> a shop with `count` of its records. */
const CASES: Readonly<Record<string, (count: number) => ShopConfig>> = {
  zones: (count) =>
    shop({
      zones: times(count, (i) => zone(`z${i}`, [letters(i).slice(1).toUpperCase()])),
      methods: times(count, (i) => method(`m${i}`, { zoneId: `z${i}` })),
    }),
  'zones and groups': (count) =>
    shop({
      zones: times(count, (i) => zone(`z${i}`, [letters(i).slice(1).toUpperCase()])),
      productGroups: groups(count),
      methods: times(count, (i) => method(`m${i}`, { zoneId: `z${i}`, productGroupId: `g${i}` })),
    }),
  'subzones and groups': (count) =>
    shop({
      zones: withSubzones(count),
      productGroups: groups(count),
      methods: times(count, (i) => method(`m${i}`, { zoneId: `s${i}`, productGroupId: `g${i}` })),
    }),
  'subzones and rules on them': (count) =>
    shop({
      zones: withSubzones(count),
      methods: withRules(count, (i) => [
        condition('destination_subzone', i % 2 === 0 ? 'equals' : 'not_equals', `s${i}`),
      ]),
    }),
  'subzones and methods of one service code': (count) =>
    shop({
      zones: withSubzones(count),
      methods: times(count, (i) =>
        method(`m${i}`, { zoneId: i % 2 === 0 ? 'us' : `s${i}`, serviceCode: 'same' }),
      ),
    }),
  patterns: (count) =>
    shop({ zones: [zone('us', ['US'], { a: times(count, (i) => `${i}X*,${i}Y1`).join(), b: '1*' })] }),
  'groups and rules on them': (count) =>
    shop({
      productGroups: groups(count),
      methods: withRules(count, (i) => [condition('product_group', 'equals', `g${i}`)]),
    }),
  'prefixes of SKUs in two groups': (count) =>
    shop({
      productGroups: [
        group('a', { skus: times(count, (i) => `${i}-*`) }),
        group('b', { skus: times(count, (i) => `${count - i}-*`) }),
        rest,
      ],
    }),
  'prefixes of SKUs and rules on SKUs': (count) =>
    shop({
      productGroups: [group('a', { skus: times(count, (i) => `${i}-*`) }), group('t', { tags: ['t'] }), rest],
      methods: withRules(
        count,
        (i) => [condition('product_sku', 'contains', `q${i}x`, 'any_product_in_group')],
        't',
      ),
    }),
  methods: (count) => shop({ methods: times(count, (i) => method(`m${i}`)) }),
  rules: (count) => shop({ methods: withRules(count, (i) => [condition('cart_total', 'less_than', i + 1)]) }),
  'currencies that there cannot be': (count) =>
    shop({ methods: withRules(count, (i) => [condition('cart_currency', 'equals', `${i}`)]) }),
  'currencies of which one is not wanted': (count) =>
    shop({
      methods: withRules(count, (i) => [
        condition('cart_currency', 'equals', letters(i)),
        condition('cart_currency', 'not_contains', letters(i)),
      ]),
    }),
  conditions: (count) =>
    shop({
      methods: withRules(count, (i) => times(5, (j) => condition('product_title', 'contains', `${i}-${j}x`))),
    }),
  dates: (count) =>
    shop({
      methods: withRules(10, () => [
        condition(
          'date',
          'equals',
          times(2 * count, (i) => new Date(i * 7 * 86_400_000).toISOString().slice(0, 10)).join(),
        ),
        condition('day_of_week', 'equals', 'monday'),
      ]),
    }),
  'beginnings of a text, each longer': (count) =>
    shop({ methods: withRules(10, () => [condition('product_sku', 'starts_with', 'x'.repeat(count * 10))]) }),
  'blended rates and subzones': (count) =>
    shop({
      zones: withSubzones(count),
      blendedRates: times(count, (i) => blended(`b${i}`, { serviceCode: 'same', freeShippingThreshold: 0 })),
    }),
  'preferences and subzones': (count) =>
    shop({
      zones: withSubzones(count),
      productGroups: groups(count),
      methods: times(count, (i) =>
        method(`m${i}`, { productGroupId: `g${i}`, zoneId: i === 0 ? 's0' : 'us' }),
      ),
      blendedRates: times(count, (i) =>
        blended(`b${i}`, { preferences: [{ productGroupId: `g${i}`, preferredMethodId: `m${i}` }] }),
      ),
    }),
  'groups and subzones that blended rates fail': (count) =>
    shop({
      zones: withSubzones(count),
      productGroups: groups(count),
      methods: times(count, (i) => [
        method(`m${i}`, { productGroupId: `g${i}`, zoneId: 'us' }),
        method(`n${i}`, { productGroupId: `g${i}`, zoneId: `s${i}` }),
      ]).flat(),
      blendedRates: [
        blended('b', {
          preferences: times(count, (i) => ({ productGroupId: `g${i}`, preferredMethodId: `m${i}` })),
        }),
      ],
    }),
  'methods that hide in subzones and from other groups': (count) =>
    shop({
      zones: withSubzones(count),
      productGroups: groups(count),
      methods: times(count, (i) =>
        method(`m${i}`, {
          productGroupId: `g${i % 2}`,
          rules: [
            rule(
              `r${i}`,
              'hide',
              condition('destination_subzone', 'equals', `s${i}`),
              condition('product_group', 'not_equals', `g${i % 2}`),
            ),
          ],
        }),
      ),
      blendedRates: [blended('b', { preferences: [{ productGroupId: 'g0', preferredMethodId: 'm0' }] })],
    }),
};

// Coverage counts the blocks of a module only if it is loaded after this.
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const { lintReport } = await import('../../../src/engine/lint/lint-config.ts');

function blockRuns(config: ShopConfig): number {
  let runs = 0;
  // Resets the counts.
  session.post('Profiler.takePreciseCoverage');
  lintReport(config, SETTINGS);
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error !== null) throw error;
    for (const { url, functions } of coverage.result) {
      if (!/\/dist\/src\/engine\/lint\//.test(url)) continue;
      for (const { ranges } of functions) for (const { count } of ranges) runs += count;
    }
  });
  return runs;
}

const work = Object.entries(CASES).map(
  ([name, shopOf]): LintWork => ({
    name,
    records: SIZE,
    once: blockRuns(shopOf(SIZE)),
    twice: blockRuns(shopOf(2 * SIZE)),
  }),
);
process.stdout.write(JSON.stringify(work));
