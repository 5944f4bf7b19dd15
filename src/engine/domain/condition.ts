/**
 * Conditions: the tests that a rule makes of an item, the order, the request, the customer, the destination or the clock
 * (contract section 3, "Conditions", and contract section 11). The tables here alone define types, operators, kinds and
 * scopes; schemas, checks, compiled predicates and documents derive from them.
 */
import type { Static } from '#typebox';
import { isDate } from './calendar-day.ts';
import { GRAMS_MAX, PRICE_MAX, QUANTITY_MAX, QUANTITY_MIN, type READ_OBJECTS, SIDE_MAX } from './cart.ts';
import { parsePostalPattern, postalPartDefect } from './postal-code.ts';
import { oneOf, strict } from './schema.ts';
import { ConditionText } from './text.ts';

/** The thing that a condition tests. An item condition has a scope; other conditions echo the scope and ignore it. */
export type Subject = ReadObject | 'clock';
export type ReadObject = keyof typeof READ_OBJECTS;

/** How values are compared. `tags`: an item or a customer has any number of texts. */
export type ValueKind = 'text' | 'tags' | 'number' | 'postal' | 'day' | 'time' | 'date';

/**
 * How a replay and a sample of simulations (contract section 10.6) treat a text of a request. `personal`: a replay has it
 * only if a rule reads it, a sample never. `public`: a sample always shows it. By default a sample shows it only if a rule
 * or product group reads it.
 */
type Privacy = 'personal' | 'public';

interface ConditionTypeRow {
  readonly subject: Subject;
  readonly kind: ValueKind;
  readonly description: string;
  /** The fields that it reads of the item, the totals, the request, ...; none for a value that follows from others. */
  readonly reads: readonly string[];
  /** True when the sum over items is defined: weight, price, quantity. */
  readonly summable?: true;
  /** True when the number is an amount of money, in cents. */
  readonly isMoney?: true;
  readonly privacy?: Privacy;
  /** The least and the greatest number, a weekday from 0 or minutes of the day; 0 to 2^53-1 by default. */
  readonly bounds?: readonly [least: number, most: number];
}

type FieldName<S extends Subject> = S extends ReadObject
  ? keyof (typeof READ_OBJECTS)[S]['properties']
  : never;

const row = <S extends Subject>(
  subject: S,
  kind: ValueKind,
  description: string,
  reads: readonly FieldName<S>[],
  more: Pick<ConditionTypeRow, 'summable' | 'isMoney' | 'privacy' | 'bounds'> = {},
): ConditionTypeRow => ({ subject, kind, description, reads, ...more });

const PUBLIC = { privacy: 'public' } as const;
const PERSONAL = { privacy: 'personal' } as const;
const within = (least: number, most: number) => ({ bounds: [least, most] }) as const;
const summed = (least: number, most: number) => ({ summable: true, ...within(least, most) }) as const;
const MONEY = { isMoney: true } as const;
const AT_LEAST_ONE = within(1, Number.MAX_SAFE_INTEGER);
const SIDES = ['length', 'width', 'height'] as const;
const ADDRESS = ['address1', 'address2', 'address3'] as const;

export const CONDITION_TYPES = {
  product_tag: row('item', 'tags', "the item's tags: properties.tag, comma-separated", ['properties']),
  product_sku: row('item', 'text', "the item's SKU", ['sku'], PUBLIC),
  product_vendor: row('item', 'text', "the item's vendor", ['vendor']),
  product_title: row('item', 'text', "the item's name", ['name']),
  product_id: row('item', 'text', "the item's product id", ['productId']),
  product_variant_id: row('item', 'text', "the item's variant id", ['variantId']),
  product_group: row('item', 'text', "id of the item's product group", []),
  product_weight: row('item', 'number', 'grams of one piece', ['grams'], summed(0, GRAMS_MAX)),
  product_price: row('item', 'number', 'cents of one piece', ['price'], {
    ...summed(0, PRICE_MAX),
    ...MONEY,
  }),
  product_quantity: row('item', 'number', 'pieces', ['quantity'], summed(QUANTITY_MIN, QUANTITY_MAX)),
  product_longest_side: row(
    'item',
    'number',
    'millimetres: the longest side of one piece; 0 without dimensions',
    SIDES,
    within(0, SIDE_MAX),
  ),
  product_girth: row(
    'item',
    'number',
    'millimetres: the longest side of one piece + 2 x the other two',
    SIDES,
    within(0, 5 * SIDE_MAX),
  ),
  cart_total: row('order', 'number', 'cents: sum of price x quantity', [], MONEY),
  cart_weight: row('order', 'number', 'grams: sum of grams x quantity', []),
  cart_quantity: row('order', 'number', 'pieces: sum of quantities', [], AT_LEAST_ONE),
  cart_unique_items: row('order', 'number', 'number of items', [], AT_LEAST_ONE),
  order_total: row(
    'order',
    'number',
    'cents: `orderTotals.totalPrice` of the request, else the cart total',
    ['totalPrice'],
    MONEY,
  ),
  cart_currency: row(
    'request',
    'text',
    "the currency of the answer: the request's, else the shop's",
    ['currency'],
    PUBLIC,
  ),
  cart_locale: row('request', 'text', "the request's locale", ['locale']),
  customer_tag: row(
    'customer',
    'tags',
    'the tags of `customer`: comma-separated, or an array',
    ['tags'],
    PERSONAL,
  ),
  customer_id: row('customer', 'text', 'the id of `customer`', ['id'], PERSONAL),
  destination_country: row('destination', 'text', 'country code', ['country'], PUBLIC),
  destination_state: row('destination', 'text', 'state or province code', ['province'], PUBLIC),
  destination_city: row('destination', 'text', 'city', ['city']),
  destination_name: row('destination', 'text', 'name of the person', ['name'], PERSONAL),
  destination_company: row('destination', 'text', 'company', ['company'], PERSONAL),
  destination_phone: row('destination', 'text', 'phone', ['phone'], PERSONAL),
  destination_address: row('destination', 'text', 'address1, 2, 3 joined by a space', ADDRESS, PERSONAL),
  destination_postal_code: row('destination', 'postal', 'canonical postal code', ['postalCode'], PUBLIC),
  destination_subzone: row('destination', 'text', 'id of the matched subzone', []),
  day_of_week: row('clock', 'day', "weekday in the shop's time zone", [], within(0, 6)),
  time_of_day: row('clock', 'time', "HH:MM in the shop's time zone", [], within(0, 1_439)),
  date: row('clock', 'date', "YYYY-MM-DD in the shop's time zone", []),
} satisfies Record<string, ConditionTypeRow>;

export type ConditionType = keyof typeof CONDITION_TYPES;
export const CONDITION_TYPE_NAMES = Object.keys(CONDITION_TYPES) as ConditionType[];

/**
 * The number by which evaluation reads the value of each type, among the texts or numbers of its source. The first three
 * numbers of an item have sums, whose fields in the order have the same numbers.
 */
export const FIELD = {
  product_tag: 0,
  product_sku: 0,
  product_vendor: 1,
  product_title: 2,
  product_id: 3,
  product_variant_id: 4,
  product_group: 5,
  product_weight: 0,
  product_price: 1,
  product_quantity: 2,
  product_longest_side: 3,
  product_girth: 4,
  cart_weight: 0,
  cart_total: 1,
  cart_quantity: 2,
  cart_unique_items: 3,
  day_of_week: 4,
  time_of_day: 5,
  date: 6,
  order_total: 7,
  cart_currency: 0,
  cart_locale: 1,
  destination_country: 2,
  destination_state: 3,
  destination_city: 4,
  destination_name: 5,
  destination_company: 6,
  destination_phone: 7,
  destination_address: 8,
  destination_subzone: 9,
  customer_id: 10,
  customer_tag: 0,
  destination_postal_code: 0,
} as const satisfies Record<ConditionType, number>;

/** Operator -> the operator it negates, or null for a positive one. */
export const OPERATORS = {
  equals: null,
  not_equals: 'equals',
  contains: null,
  not_contains: 'contains',
  starts_with: null,
  not_starts_with: 'starts_with',
  ends_with: null,
  not_ends_with: 'ends_with',
  is_empty: null,
  is_not_empty: 'is_empty',
  greater_than: null,
  greater_than_or_equal: null,
  less_than: null,
  less_than_or_equal: null,
  between: null,
} as const;

export type Operator = keyof typeof OPERATORS;
export const OPERATOR_NAMES = Object.keys(OPERATORS) as Operator[];
export type PositiveOperator = {
  [K in Operator]: (typeof OPERATORS)[K] extends null ? K : never;
}[Operator];

/** The positive twin of an operator, and whether the operator inverts its result. */
export const positiveTwin = (operator: Operator): { operator: PositiveOperator; negated: boolean } => {
  const twin = OPERATORS[operator];
  return twin === null
    ? { operator: operator as PositiveOperator, negated: false }
    : { operator: twin, negated: true };
};

const EQUALITY: readonly Operator[] = ['equals', 'not_equals'];
const ORDERINGS: readonly Operator[] = [
  'greater_than',
  'greater_than_or_equal',
  'less_than',
  'less_than_or_equal',
  'between',
];
const TEXT = OPERATOR_NAMES.filter((operator) => !ORDERINGS.includes(operator));
const ORDERED = [...EQUALITY, ...ORDERINGS];

export const OPERATORS_BY_KIND: Readonly<Record<ValueKind, readonly Operator[]>> = {
  text: TEXT,
  tags: TEXT,
  postal: TEXT,
  number: ORDERED,
  time: ORDERED,
  date: ORDERED,
  day: EQUALITY,
};

/** Scope -> the items that it covers and how their results combine (contract section 3, "Conditions"). */
export const SCOPES = {
  any_product_in_order: { items: 'order', quantifier: 'any' },
  all_products_in_order: { items: 'order', quantifier: 'all' },
  no_product_in_order: { items: 'order', quantifier: 'none' },
  any_product_in_group: { items: 'group', quantifier: 'any' },
  all_products_in_group: { items: 'group', quantifier: 'all' },
  no_product_in_group: { items: 'group', quantifier: 'none' },
  sum_of_order: { items: 'order', quantifier: 'sum' },
  sum_of_group: { items: 'group', quantifier: 'sum' },
} as const;
export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];
export const DEFAULT_SCOPE: Scope = 'any_product_in_order';

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const Condition = strict('Condition', {
  conditionType: oneOf(CONDITION_TYPE_NAMES),
  operator: oneOf(OPERATOR_NAMES),
  value: ConditionText,
  scope: oneOf(SCOPE_NAMES),
});
export type Condition = Readonly<Static<typeof Condition>>;

/** Splits a value into its alternatives at commas; `\,` is a literal comma. Trims them and drops empty ones. */
export const splitAlternatives = (value: string): string[] =>
  // Most values are one alternative.
  (value.includes(',') ? value.split(/(?<!\\),/) : [value])
    .map((text) => text.replaceAll('\\,', ',').trim())
    .filter((text) => text !== '');

/**
 * Orderings take exactly one operand, `between` exactly two, `is_empty` ignores them, the others take at least one; a
 * negative operator takes as many as its twin.
 */
export function operandCount(operator: Operator): { min: number; max: number } {
  const positive = OPERATORS[operator] ?? operator;
  if (positive === 'is_empty') return { min: 0, max: Number.POSITIVE_INFINITY };
  if (positive === 'between') return { min: 2, max: 2 };
  return { min: 1, max: ORDERINGS.includes(positive) ? 1 : Number.POSITIVE_INFINITY };
}

const WHOLE_NUMBER = /^[0-9]{1,16}$/;
const TIME = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/;
export const TIME_OF_DAY_PATTERN = TIME.source;

/** The defect of one operand of this kind, or null. */
function operandDefect(kind: ValueKind, operator: PositiveOperator, operand: string): string | null {
  if (kind === 'number')
    return WHOLE_NUMBER.test(operand) && Number.isSafeInteger(Number(operand))
      ? null
      : `"${operand}" is not a whole number of 0 to 9007199254740991`;
  if (kind === 'day')
    return (WEEKDAYS as readonly string[]).includes(operand.toLowerCase())
      ? null
      : `"${operand}" is not one of ${WEEKDAYS.join(', ')}`;
  if (kind === 'time') return TIME.test(operand) ? null : `"${operand}" is not a time of day as HH:MM`;
  if (kind === 'date') return isDate(operand) ? null : `"${operand}" is not a date as YYYY-MM-DD`;
  if (kind !== 'postal') return null;
  if (operator !== 'equals') return postalPartDefect(operand);
  const pattern = parsePostalPattern(operand);
  return typeof pattern === 'string' ? pattern : null;
}

/**
 * Finds a defect that the schema cannot express: a type, operator, value and scope that do not fit together. It begins
 * with the path of the field. Only a condition without a defect (null) may be compiled.
 */
export function findConditionDefect({ conditionType, operator, value, scope }: Condition): string | null {
  const { subject, kind, summable } = CONDITION_TYPES[conditionType];
  const allowed = OPERATORS_BY_KIND[kind];
  if (!allowed.includes(operator)) {
    return `/operator for ${conditionType} must be one of ${allowed.join(', ')}`;
  }
  if (subject === 'item' && SCOPES[scope].quantifier === 'sum' && summable !== true) {
    return '/scope sum_of_order and sum_of_group need product_weight, product_price or product_quantity';
  }
  const positive = positiveTwin(operator).operator;
  if (positive === 'is_empty') return null;
  const operands = splitAlternatives(value);
  const { min, max } = operandCount(operator);
  if (operands.length < min || operands.length > max) {
    const wanted =
      min === max ? `exactly ${min === 1 ? 'one value' : `${min} values`}` : 'at least one value';
    return `/value for ${operator} must hold ${wanted}`;
  }
  for (const operand of operands) {
    const defect = operandDefect(kind, positive, operand);
    if (defect !== null) return `/value must fit ${conditionType}: ${defect}`;
  }
  return null;
}
