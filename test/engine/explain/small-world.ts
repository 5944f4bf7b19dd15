/**
 * Small worlds: random shops and carts over so few numbers and letters that every single change of a request can be
 * tried. `everyChange` lists the changes: all numbers with different outcomes, and all short texts over a few letters.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { CartItem, SimulateRequest } from '../../../src/engine/domain/cart.ts';
import {
  CONDITION_TYPES,
  type Condition,
  type ConditionType,
  OPERATORS_BY_KIND,
  type Operator,
  operandCount,
  SCOPE_NAMES,
  SCOPES,
} from '../../../src/engine/domain/condition.ts';
import {
  isTableRateType,
  RATE_TYPE_NAMES,
  type RateConfig,
  type TableRateType,
  TIER_BOUNDS,
} from '../../../src/engine/domain/rate-type.ts';
import type { Rule } from '../../../src/engine/domain/rule.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import { pick, weighted } from '../../support/arbitrary/alphabets.ts';
import { group, method } from '../../support/small-shop.ts';
import type { NamedChange } from './changed-request.ts';

/** All numbers from here on have the same outcome in every condition, tier and sum of `NUMBERS_MAX` pieces. */
const NUMBERS_MAX = 12;

const plain = { noNullPrototype: true } as const;
const number = fc.nat(NUMBERS_MAX);
const operands = (of: Arbitrary<string>, max: number) =>
  fc.array(of, { minLength: 1, maxLength: max }).map((each) => each.join());

const TEXTS = ['a', 'b', 'ab', 'ba', 'c', 'A', 'aa'];
const PATTERNS = [
  '1*',
  '12',
  '1',
  '2*',
  '*',
  '12-23',
  '1-2',
  '1A*',
  'A',
  '100-123',
  '21',
  'A1 *',
  'A1 1A1',
  'A1*',
];
const TYPES: readonly ConditionType[] = [
  ...(['cart_total', 'order_total', 'cart_weight', 'cart_quantity', 'cart_unique_items'] as const),
  ...(['product_price', 'product_weight', 'product_quantity', 'product_group', 'cart_locale'] as const),
  ...(['product_tag', 'product_tag', 'product_tag'] as const),
  ...(['destination_state', 'destination_postal_code', 'destination_subzone'] as const),
];

function conditionValue(type: ConditionType, operator: Operator): Arbitrary<string> {
  const { min, max } = operandCount(operator);
  if (min === 0) return fc.constant('');
  if (type === 'product_group') return pick(['g0', 'g1']);
  if (type === 'destination_subzone') return pick(['s0', 's1', 's*']);
  const isEquality = operator === 'equals' || operator === 'not_equals';
  switch (CONDITION_TYPES[type].kind) {
    case 'number': {
      if (min === 2) return fc.tuple(number, number).map((ends) => ends.join());
      return operands(number.map(String), Math.min(max, 3));
    }
    case 'postal':
      return operands(pick(isEquality ? PATTERNS : ['1', '2', '12', 'A', '1A', 'A1 1']), 2);
    default:
      return operands(pick(isEquality ? [...TEXTS, 'a*', '*', 'ab*'] : TEXTS), 2);
  }
}

const condition: Arbitrary<Condition> = fc.oneof(
  ...TYPES.map((conditionType) => {
    const { subject, kind, summable } = CONDITION_TYPES[conditionType];
    const scopes = SCOPE_NAMES.filter(
      (scope) => subject !== 'item' || summable === true || SCOPES[scope].quantifier !== 'sum',
    );
    return pick(OPERATORS_BY_KIND[kind]).chain((operator) =>
      fc.record(
        {
          conditionType: fc.constant(conditionType),
          operator: fc.constant(operator),
          value: conditionValue(conditionType, operator),
          scope: pick(scopes),
        },
        plain,
      ),
    );
  }),
);

const ruleBody: Arbitrary<Omit<Rule, 'id'>> = fc
  .record(
    {
      action: pick(['hide', 'hide', 'show', 'free', 'adjust_add', 'adjust_subtract'] as const),
      conditions: weighted(
        [2, fc.array(condition, { minLength: 1, maxLength: 1 })],
        [1, fc.array(condition, { minLength: 2, maxLength: 3 })],
      ),
      enabled: weighted([9, fc.constant(true)], [1, fc.constant(false)]),
    },
    plain,
  )
  .map((rule) => (rule.action.startsWith('adjust') ? { ...rule, adjustmentValue: 3 } : rule));

const bounds = fc
  .uniqueArray(number, { minLength: 2, maxLength: 4 })
  .map((each) => [...each].sort((a, b) => a - b));
const TABLES = RATE_TYPE_NAMES.filter(isTableRateType);
/** A table whose tiers begin and end at these bounds. */
function tableOf(rateType: TableRateType, each: readonly number[]): RateConfig {
  const [lower, upper] = TIER_BOUNDS[rateType];
  const tiers = each.slice(1).map((to, at) => ({ [lower]: each[at] ?? 0, [upper]: to, price: 10 * at }));
  return { rateType, config: { tiers } } as unknown as RateConfig;
}
const rate: Arbitrary<RateConfig> = fc.oneof(
  fc.constant<RateConfig>({ rateType: 'flat', config: { price: 5 } }),
  fc.constant<RateConfig>({ rateType: 'percentage', config: { percentage: 50, minPrice: 2, maxPrice: 6 } }),
  ...TABLES.map((rateType) => bounds.map((each) => tableOf(rateType, each))),
);

const methodBody = fc.record(
  {
    zoneId: pick(['z', 'z', 'z', 's0', 's1']),
    productGroupId: pick(['g0', 'g0', 'g1']),
    rate,
    freeShippingThreshold: weighted<number | null>([2, fc.constant(null)], [1, number]),
    rules: fc.array(ruleBody, { maxLength: 3 }),
  },
  plain,
);

export const smallShop: Arbitrary<ShopConfig> = fc
  .tuple(
    fc.tuple(operands(pick(PATTERNS), 3), operands(pick(PATTERNS), 3)),
    fc.subarray(['a', 'ab', 'b', 'c']),
    fc.array(methodBody, { minLength: 1, maxLength: 5 }),
  )
  .map(([codes, tags, methods]) => ({
    zones: [
      {
        id: 'z',
        name: 'Zone',
        countries: ['US', 'GB'],
        subzones: codes.map((postalCodes, s) => ({ id: `s${s}`, name: `Subzone ${s}`, postalCodes })),
      },
    ],
    productGroups: [group('g0', { isDefault: true }), group('g1', { skus: ['x'], tags })],
    methods: methods.map(({ rate: each, rules, ...rest }, m) =>
      method(`m${m}`, each, { ...rest, rules: rules.map((rule, r) => ({ id: `m${m}r${r}`, ...rule })) }),
    ),
    blendedRates: [],
  }));

const item: Arbitrary<CartItem> = fc.record(
  {
    price: fc.nat(6),
    grams: fc.nat(6),
    quantity: fc.integer({ min: 1, max: 3 }),
    sku: pick(['', '', 'x']),
    properties: fc.record({ tag: fc.subarray(['a', 'b', 'AB', 'c']).map((tags) => tags.join()) }, plain),
    requiresShipping: weighted([5, fc.constant(true)], [1, fc.constant(false)]),
  },
  plain,
);

export const smallRequest: Arbitrary<SimulateRequest> = fc
  .record(
    {
      province: pick(['', 'a', 'b', 'ab', 'c']),
      country: pick(['US', 'US', 'GB']),
      postalCode: pick(['', '1', '12', '2', '21', '1A', 'A', '112', 'A11A1', 'A1 1AA']),
      items: fc.array(item, { minLength: 1, maxLength: 3 }),
      totalPrice: weighted<number | null>([1, fc.constant(null)], [1, fc.nat(6)]),
    },
    plain,
  )
  .map(({ items, totalPrice, ...rest }) => ({
    destination: rest,
    items,
    ...(totalPrice !== null && { orderTotals: { totalPrice } }),
  }));

/** Every text of one to `length` letters. */
const wordsOf = (letters: string, length: number): readonly string[] =>
  length === 0
    ? []
    : [...letters].flatMap((letter) => [
        letter,
        ...wordsOf(letters, length - 1).map((word) => letter + word),
      ]);

/** Above every operand, and every sum of the items. */
const ORDER_TOTALS_MAX = 80;
const WORDS = wordsOf('abcz', 3);
const CODES = wordsOf('123A', 3);
/** Long enough for a code with its inner space. */
const UK_CODES = wordsOf('1A', 6);

/** Changes of a given order total, the smallest first, raises before cuts. */
const orderTotalsBeside = (total: number | null | undefined): readonly NamedChange[] =>
  typeof total !== 'number'
    ? []
    : Array.from({ length: ORDER_TOTALS_MAX }, (_, to) => ({ kind: 'order_total', by: to - total, to }))
        .filter(({ by }) => by !== 0)
        .sort((a, b) => Math.abs(a.by) - Math.abs(b.by) || b.by - a.by);

/** Every single change in the order of preference: by kind, then by size. */
export function everyChange({ items, destination, orderTotals }: SimulateRequest): readonly NamedChange[] {
  const numbers = (kind: string, now: (item: CartItem) => number, least: number) =>
    items
      .flatMap((each, itemIndex) =>
        Array.from({ length: NUMBERS_MAX + 4 }, (_, offset) => {
          const to = least + offset;
          const delta = to - now(each);
          return { kind, by: kind === 'quantity' ? delta : delta * each.quantity, itemIndex, to };
        }),
      )
      .filter(({ by }) => by !== 0)
      .sort(
        (a, b) =>
          Math.abs(a.by) - Math.abs(b.by) || Math.sign(b.by) - Math.sign(a.by) || a.itemIndex - b.itemIndex,
      );
  const value = (index: number) => (items[index]?.price ?? 0) * (items[index]?.quantity ?? 0);
  const tagsOf = (each: CartItem) => (each.properties?.tag ?? '').split(',').filter((tag) => tag !== '');
  return [
    ...numbers('cart_total', (each) => each.price, 0),
    ...orderTotalsBeside(orderTotals?.totalPrice),
    ...numbers('cart_weight', (each) => each.grams, 0),
    ...numbers('quantity', (each) => each.quantity, 1),
    ...items.flatMap((_, itemIndex) => WORDS.map((tag) => ({ kind: 'tag_added', itemIndex, tag }))),
    ...items.flatMap((each, itemIndex) =>
      tagsOf(each).map((tag) => ({ kind: 'tag_removed', itemIndex, tag })),
    ),
    ...(items.length === 1 ? [] : [...items.keys()])
      .sort((a, b) => value(a) - value(b) || a - b)
      .map((itemIndex) => ({ kind: 'item_dropped', itemIndex })),
    ...['', ...WORDS].filter((to) => to !== destination.province).map((to) => ({ kind: 'state', to })),
    ...['', ...(destination.country === 'GB' ? UK_CODES : CODES)]
      .filter((to) => to !== destination.postalCode)
      .map((to) => ({ kind: 'postal_code', to })),
  ];
}
