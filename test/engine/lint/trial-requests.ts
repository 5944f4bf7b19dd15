/**
 * Trial requests: an even sample of all requests over the values that a shop's conditions and patterns name, and values
 * next to them. Fields that no given condition compares keep their default, so that few requests suffice.
 */

import { LocalCalendar } from '../../../src/engine/compile/local-calendar.ts';
import {
  type CartItem,
  type Customer,
  SIDE_MAX,
  type SimulateRequest,
} from '../../../src/engine/domain/cart.ts';
import {
  type Condition,
  type ConditionType,
  splitAlternatives,
} from '../../../src/engine/domain/condition.ts';
import { splitPostalPatterns } from '../../../src/engine/domain/postal-code.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import { instantOf } from '../../../src/engine/probes/local-instant.ts';

export interface Trial {
  readonly request: SimulateRequest;
  readonly nowMs: number;
}

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** The operands of conditions of these types, without wildcards. */
const operandsOf = (conditions: readonly Condition[], types: readonly ConditionType[]): string[] =>
  conditions
    .filter(({ conditionType }) => types.includes(conditionType))
    .flatMap(({ value }) => splitAlternatives(value));

const looksAt = (conditions: readonly Condition[], types: readonly ConditionType[]): boolean =>
  conditions.some(({ conditionType }) => types.includes(conditionType));

function texts(conditions: readonly Condition[], type: ConditionType): string[] {
  if (!looksAt(conditions, [type])) return [''];
  const operands = operandsOf(conditions, [type]).map((text) => text.replace(/\*$/, ''));
  const around = operands.flatMap((text) => [text, `${text}x`, `x${text}`]);
  return distinct([...around, operands.join('x'), '', 'zz']);
}

function numbers(
  conditions: readonly Condition[],
  types: readonly ConditionType[],
  usual: readonly number[],
  min: number,
): number[] {
  const operands = operandsOf(conditions, types).map(Number);
  const around = operands.flatMap((number) => [number - 1, number, number + 1]);
  return distinct([...usual, ...around.filter((number) => number >= min && number <= 1_000_000)]);
}

const postalCodes = (config: ShopConfig, conditions: readonly Condition[]): string[] => {
  const patterns = [
    ...config.zones.flatMap(({ subzones }) =>
      subzones.flatMap((each) => splitPostalPatterns(each.postalCodes)),
    ),
    ...operandsOf(conditions, ['destination_postal_code']),
  ];
  const codes = patterns.flatMap((pattern) => {
    const [from = '', to = from] = pattern.replace('*', '').split('-');
    return [from, to, `${from}1`, `${from}9`, `${from} 1AA`, `${from}7LN`];
  });
  return distinct(['', '5', '99', '12345', 'ZZ', ...codes]);
};

const calendar = new LocalCalendar('America/New_York');

function instants(conditions: readonly Condition[]): number[] {
  if (!looksAt(conditions, ['day_of_week', 'time_of_day', 'date']))
    return [Date.parse('2026-03-04T17:00:00Z')];
  const times = operandsOf(conditions, ['time_of_day']).flatMap((time) => {
    const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
    return [minutes - 1, minutes, minutes + 1].filter((each) => each >= 0 && each < 1_440);
  });
  const dates = operandsOf(conditions, ['date']).flatMap((date) =>
    [-1, 0, 1].map((days) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)),
  );
  const week = [2, 3, 4, 5, 6, 7, 8].map((day) => `2026-03-0${day}`);
  const minutesOfDay = distinct([720, ...times]);
  return distinct([...dates, ...week]).flatMap((date) =>
    minutesOfDay.flatMap(
      (minutes) => instantOf(calendar, { date: Number(date.replaceAll('-', '')), minutes }) ?? [],
    ),
  );
}

/** The n-th choice of one value from each list, for n below the product of their lengths. */
function choice<T extends readonly (readonly unknown[])[]>(
  lists: T,
  n: number,
): { [K in keyof T]: T[K] extends readonly (infer V)[] ? V : never } {
  let rest = n;
  return lists.map((list) => {
    const value = list[rest % list.length];
    rest = Math.floor(rest / list.length);
    return value;
  }) as never;
}

const productOf = (lists: readonly (readonly unknown[])[]): number =>
  lists.reduce((product, list) => product * list.length, 1);

/** `count` numbers below `size`, all of them if there are no more; the step is prime, so none repeats soon. */
const spread = (size: number, count: number): number[] =>
  size <= count
    ? Array.from({ length: size }, (_, n) => n)
    : Array.from({ length: count }, (_, n) => Math.floor((n * 7_919 * 104_729 + n * 31) % size));

const GROUP_FIELDS: readonly Partial<CartItem>[] = [
  {},
  { properties: { tag: 'vip' } },
  { sku: 'ab' },
  { sku: 'a1' },
  { vendor: 'acme' },
  { productId: 'p1' },
];

/** Lengths and heights for which the longest side and the girth are met, missed and met by a hair; 0 is left out. */
function sidesFor(conditions: readonly Condition[]): Partial<CartItem>[] {
  const most = (sides: number[]) => sides.filter((side) => side <= SIDE_MAX);
  const lengths = most(numbers(conditions, ['product_longest_side', 'product_girth'], [0], 0));
  const heights = looksAt(conditions, ['product_girth'])
    ? most(numbers(conditions, ['product_girth'], [0, SIDE_MAX], 0).map((girth) => Math.ceil(girth / 4)))
    : [0];
  return lengths.flatMap((length) =>
    heights.map((height) => ({
      ...(length > 0 && { length }),
      ...(height > 0 && { height, width: height }),
    })),
  );
}

/** Customers whose tags are met, missed and met by a hair, as one text and as a list. */
function customersFor(conditions: readonly Condition[]): (Customer | undefined)[] {
  const looks = looksAt(conditions, ['customer_tag', 'customer_id']);
  if (!looks) return [undefined];
  const tags = texts(conditions, 'customer_tag').filter((tag) => tag !== '');
  const all = operandsOf(conditions, ['customer_tag']);
  const lists = [undefined, ...tags, ...tags.map((tag) => [tag]), all, [...all, 'zz']];
  return lists.flatMap((list) =>
    texts(conditions, 'customer_id').map((id) => ({
      ...(id !== '' && { id }),
      ...(list !== undefined && { tags: list }),
    })),
  );
}

function itemsFor(conditions: readonly Condition[], isGrouped: boolean, max: number): CartItem[] {
  const tags = looksAt(conditions, ['product_tag'])
    ? distinct([
        ...texts(conditions, 'product_tag'),
        'vip,red',
        operandsOf(conditions, ['product_tag']).join(','),
      ])
    : [''];
  const lists = [
    isGrouped ? GROUP_FIELDS : [{}],
    tags,
    texts(conditions, 'product_sku'),
    numbers(conditions, ['product_price', 'cart_total'], [100], 0),
    numbers(conditions, ['product_weight', 'cart_weight'], [100], 0),
    numbers(conditions, ['product_quantity', 'cart_quantity'], [1], 1),
    sidesFor(conditions),
    looksAt(conditions, ['product_tag', 'product_sku', 'product_group', 'product_price'])
      ? [true, false]
      : [true],
  ] as const;
  return spread(productOf(lists), max).map((n) => {
    const [key, tag, sku, price, grams, quantity, sides, requiresShipping] = choice(lists, n);
    return {
      ...(tag === '' ? {} : { properties: { tag } }),
      ...(sku === '' ? {} : { sku }),
      ...key,
      ...{ price, grams, quantity, ...sides },
      ...(requiresShipping ? {} : { requiresShipping }),
    };
  });
}

/** At most `max` requests that meet, miss and just meet the conditions. */
export function trialsFor(config: ShopConfig, conditions: readonly Condition[], max: number): Trial[] {
  const items = itemsFor(conditions, config.productGroups.length > 1, 60);
  const more: (CartItem | null)[] = [null, ...items];
  const third: (CartItem | null)[] = looksAt(conditions, ['cart_unique_items'])
    ? [null, ...items.slice(0, 2)]
    : [null];
  const isPlaced = looksAt(conditions, ['destination_postal_code', 'destination_subzone']);
  const lists = [
    ['US', 'DE', 'GB', 'JE', 'FR'],
    isPlaced || config.zones.some(({ subzones }) => subzones.length > 0)
      ? postalCodes(config, conditions)
      : [''],
    texts(conditions, 'destination_state'),
    looksAt(conditions, ['cart_currency']) ? ['', 'USD', 'eur', 'EUZ', 'GBP'] : [''],
    instants(conditions),
    customersFor(conditions),
    looksAt(conditions, ['order_total'])
      ? [undefined, ...numbers(conditions, ['order_total'], [0], 0)]
      : [undefined],
    items,
    more,
    third,
  ] as const;
  return spread(productOf(lists), max).map((n): Trial => {
    const [country, postalCode, province, currency, nowMs, customer, totalPrice, first, second, last] =
      choice(lists, n);
    const cart = [first, second, last].filter((item) => item !== null);
    return {
      request: {
        destination: { country, postalCode, province },
        items: cart,
        ...(currency === '' ? {} : { currency }),
        ...(customer === undefined ? {} : { customer }),
        ...(totalPrice === undefined ? {} : { orderTotals: { totalPrice } }),
      },
      nowMs,
    };
  });
}
