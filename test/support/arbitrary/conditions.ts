/** Random conditions of every type, operator and scope, each valid (`findConditionDefect` finds nothing). */
import fc, { type Arbitrary } from 'fast-check';
import {
  CONDITION_TYPE_NAMES,
  CONDITION_TYPES,
  type Condition,
  type ConditionType,
  OPERATORS_BY_KIND,
  type Operator,
  operandCount,
  SCOPE_NAMES,
  SCOPES,
  type Scope,
  WEEKDAYS,
} from '../../../src/engine/domain/condition.ts';
import * as alphabet from './alphabets.ts';

const { pick, weighted } = alphabet;

const GROUP_IDS = Array.from({ length: alphabet.GROUPS_MAX }, (_, group) => alphabet.groupId(group));
const SUBZONE_IDS = [0, 0, 1, 2].flatMap((zone) =>
  [0, 1].map((subzone) => alphabet.subzoneId(zone, subzone)),
);

/** Of types that compare texts which a shop has too, or that need texts of a kind. */
const TEXTS: Partial<Record<ConditionType, readonly string[]>> = {
  product_tag: alphabet.TAGS,
  product_sku: alphabet.SKUS,
  product_vendor: alphabet.VENDORS,
  product_title: alphabet.TITLES,
  product_id: alphabet.PRODUCT_IDS,
  product_variant_id: alphabet.VARIANT_IDS,
  product_group: GROUP_IDS,
  customer_tag: alphabet.TAGS,
  customer_id: alphabet.PRODUCT_IDS,
  cart_currency: alphabet.CURRENCIES,
  cart_locale: alphabet.LOCALES,
  destination_country: alphabet.REQUEST_COUNTRIES,
  destination_state: alphabet.STATES,
  destination_city: alphabet.CITIES,
  destination_name: alphabet.PEOPLE,
  destination_company: alphabet.COMPANIES,
  destination_phone: alphabet.PHONES,
  destination_address: alphabet.ADDRESS_LINES.filter((line) => line.trim() !== ''),
  destination_subzone: SUBZONE_IDS,
};

const products = (a: readonly number[], b: readonly number[]): number[] =>
  a.flatMap((x) => b.map((y) => x * y));
const SMALL_COUNTS = [0, 1, 2, 3, 4, 5, 6, 10];

const NUMBERS: Partial<Record<ConditionType, readonly number[]>> = {
  product_weight: [...alphabet.GRAMS, 200, 750, 1500, 3000],
  product_price: [...alphabet.PRICES, 200, 500, 1998, 3000],
  product_quantity: SMALL_COUNTS,
  product_longest_side: alphabet.SIDES,
  product_girth: [...alphabet.SIDES, 300, 500, 700, 5000, alphabet.SIDE_LIMIT * 5],
  cart_total: [...products(alphabet.PRICES, [1, 2, 3]), alphabet.CENTS_LIMIT],
  order_total: [...products(alphabet.PRICES, [1, 2, 3]), 1_000_000_000_000],
  cart_weight: products(alphabet.GRAMS, [1, 2, 3]),
  cart_quantity: SMALL_COUNTS,
  cart_unique_items: [0, 1, 2, 3, 5, 31, 32, 33, 40],
};

/** Texts that conditions of this type name, and that requests have in the field that it reads. */
export const textsOf = (type: ConditionType): readonly string[] => TEXTS[type] ?? alphabet.WORDS;
/** The same for numbers. */
export const numbersOf = (type: ConditionType): readonly number[] => NUMBERS[type] ?? SMALL_COUNTS;

/** Variants of one alternative of a text: other case, spaces around it, a part of it, a wildcard. */
const spelling: Arbitrary<(text: string) => string> = pick<(text: string) => string>([
  (text) => text,
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => `  ${text} `,
  (text) => `${text}*`,
  (text) => `${[...text].slice(0, 2).join('')}*`,
  (text) => [...text].slice(0, 2).join(''),
  (text) => [...text].slice(-2).join(''),
]);

/** The alternative as written in a condition value; a blank one becomes the letter x. */
const written = (text: string): string => (text.trim() === '' ? 'x' : text.replaceAll(',', '\\,'));

const textAlternative = (pool: readonly string[]): Arbitrary<string> =>
  weighted<string>(
    [20, fc.tuple(pick(pool), spelling).map(([text, spell]) => written(spell(text)))],
    [1, pick(['*', '\\,', '\\', 'none of these', '**'])],
  );

/** One to three alternatives, commas and blanks around them. */
const listOf = (alternative: Arbitrary<string>): Arbitrary<string> =>
  fc
    .tuple(
      fc.array(alternative, { minLength: 1, maxLength: 3 }),
      pick([',', ',', ', ', ' ,,']),
      pick(['', '', '', ',']),
    )
    .map(([alternatives, separator, tail]) => alternatives.join(separator) + tail);

const numeral = (pool: readonly number[]): Arbitrary<string> =>
  fc
    .tuple(pick(pool), pick(['', '', '', '', '00', ' ']))
    .map(([number, before]) => (number > 1_000_000 ? String(number) : `${before}${number}`));

/** Two bounds, in order except one time in eight. */
function ends(value: Arbitrary<string>, order: (a: string, b: string) => number): Arbitrary<string> {
  return fc
    .tuple(value, value, fc.nat(7))
    .map(([a, b, turn]) => (order(a, b) > 0 !== (turn === 0) ? `${b},${a}` : `${a},${b}`));
}

const byNumber = (a: string, b: string): number => Number(a) - Number(b);
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function orderedValue(
  operator: Operator,
  value: Arbitrary<string>,
  order: (a: string, b: string) => number,
): Arbitrary<string> {
  const { min, max } = operandCount(operator);
  if (min === 2) return ends(value, order);
  return max === 1 ? value : listOf(value);
}

const ignoredValue = pick(['', '', 'ignored', ',']);

function valueFor(type: ConditionType, operator: Operator): Arbitrary<string> {
  if (operandCount(operator).min === 0) return ignoredValue;
  switch (CONDITION_TYPES[type].kind) {
    case 'number':
      return orderedValue(operator, numeral(numbersOf(type)), byNumber);
    case 'time':
      return orderedValue(operator, pick(alphabet.TIMES), byText);
    case 'date':
      return orderedValue(operator, pick(alphabet.DATES), byText);
    case 'day':
      return listOf(pick([...WEEKDAYS, 'Sunday', 'MONDAY']));
    case 'postal':
      return listOf(
        pick(
          operator === 'equals' || operator === 'not_equals'
            ? alphabet.POSTAL_PATTERNS
            : alphabet.POSTAL_PARTS,
        ),
      );
    default:
      return listOf(textAlternative(textsOf(type)));
  }
}

/** The scopes of the type; sums are listed twice, because only three types have them. */
export function scopesOf(type: ConditionType): readonly Scope[] {
  const row = CONDITION_TYPES[type];
  if (row.subject !== 'item') return SCOPE_NAMES;
  if (row.summable === true) return [...SCOPE_NAMES, 'sum_of_order', 'sum_of_group'];
  return SCOPE_NAMES.filter((scope) => SCOPES[scope].quantifier !== 'sum');
}

function conditionOf(type: ConditionType): Arbitrary<Condition> {
  const operators = OPERATORS_BY_KIND[CONDITION_TYPES[type].kind];
  return fc.oneof(
    ...operators.map((operator) =>
      fc
        .tuple(valueFor(type, operator), pick(scopesOf(type)))
        .map(([value, scope]): Condition => ({ conditionType: type, operator, value, scope })),
    ),
  );
}

export const condition: Arbitrary<Condition> = fc.oneof(...CONDITION_TYPE_NAMES.map(conditionOf));
