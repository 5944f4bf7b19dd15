/** Names and values of the API as people read them: rate types, actions, conditions, values of fields. */
import type { Schemas } from '../client/call-table.ts';
import { formatMoney, formatWeight } from './amounts.ts';
import { countryName } from './place-names.ts';

/** `cart_total` -> `cart total`. */
export const words = (name: string): string => name.replaceAll('_', ' ');

/** `1 cart`, `2 carts`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/**
 * Shorter names of rate types, and how the price is calculated where the name does not say it. A type without a row has
 * the words of its name, and the sentence of the vocabulary.
 */
const RATE_TYPES: Readonly<Record<string, readonly [name: string, hint?: string]>> = {
  flat: ['Flat price'],
  free: ['Free'],
  by_weight_table: ['Weight table', 'The price of the tier that holds the weight of the cart.'],
  by_price_table: ['Price table', 'The price of the tier that holds the total price of the items.'],
  by_items_table: ['Quantity table', 'The price of the tier that holds the number of items.'],
  by_items: ['Per item', 'The first item costs one price, each further item another.'],
  by_weight: [
    'Per weight',
    'A price up to the first weight, and another for each additional weight that is begun.',
  ],
  by_dimensional_weight: [
    'Per weight or volume',
    'Like per weight, with the greater for each item: its grams, or its volume divided by the divisor.',
  ],
  percentage: ['Percentage of the cart', 'A share of the total price of the items, within the bounds.'],
};

export const rateTypeText = (rateType: string): string =>
  RATE_TYPES[rateType]?.[0] ?? capitalized(words(rateType));

/** `sentence`: the description of the type in the vocabulary. */
export const rateTypeHint = (rateType: string, sentence = ''): string | undefined =>
  rateType in RATE_TYPES ? RATE_TYPES[rateType]?.[1] : capitalized(sentence);

const ACTION_TEXTS: Readonly<Record<string, string>> = {
  hide: 'Hide',
  show: 'Show',
  free: 'Make free',
  adjust_add: 'Add',
  adjust_subtract: 'Subtract',
};

export const actionText = (action: string): string => ACTION_TEXTS[action] ?? action;

/** What the threshold of a method or blended rate is compared with. */
export const THRESHOLD_BASES = {
  cart_total: 'the cart total',
  order_total: 'the order total after discounts',
} as const;

type Expectation = Schemas['Expectation'];
export type ExpectationKind = Expectation['kind'];
type FieldsOf<K extends ExpectationKind> = Omit<Extract<Expectation, { readonly kind: K }>, 'kind'>;
type ExpectationWords<K extends ExpectationKind> = readonly [
  name: string,
  first: (serviceCode: string) => FieldsOf<K>,
  optional?: readonly (keyof FieldsOf<K>)[],
];

/** What a check expects: its name, the fields of a new one, and texts that may be absent. */
export const EXPECTATIONS: { readonly [K in ExpectationKind]: ExpectationWords<K> } = {
  rate: ['A rate costs exactly', (serviceCode) => ({ serviceCode, totalPrice: 0 })],
  rate_between: ['A rate costs between', (serviceCode) => ({ serviceCode, minPrice: 0, maxPrice: 0 })],
  no_rate: ['A rate is not offered', (serviceCode) => ({ serviceCode })],
  some_rate: ['Some rate is offered', () => ({})],
  rates: ['Exactly these rates are offered', () => ({ rates: [] })],
  delivery: [
    'A rate is delivered between',
    (serviceCode) => ({ serviceCode, maxDate: '+5' }),
    ['minDate', 'maxDate'],
  ],
};

export const newExpectation = (kind: ExpectationKind, serviceCode: string): Expectation =>
  ({ kind, ...EXPECTATIONS[kind][1](serviceCode) }) as Expectation;

/** Texts of fields with a fixed set of values. */
const VALUE_TEXTS: Readonly<Record<string, (value: string) => string>> = {
  rateType: rateTypeText,
  action: actionText,
  thresholdBasis: (basis) => THRESHOLD_BASES[basis as keyof typeof THRESHOLD_BASES] ?? basis,
  kind: (kind) => EXPECTATIONS[kind as ExpectationKind]?.[0] ?? kind,
  conditionType: words,
  operator: words,
  scope: words,
  countries: countryName,
};

/** A condition in one line: `cart total greater than $120.00`. */
export const conditionText = (condition: Condition, currency: string): string =>
  `${words(condition.conditionType)} ${words(condition.operator)} ${expectedText(condition, currency)}`.trim();

export type NumberKind = 'money' | 'weight' | 'percent' | 'count';

/** What a number measures, by the last word of the name of its field or condition. */
export function kindOfNumber(field: string): NumberKind {
  if (/(?:price|total|threshold|amount)$/i.test(field)) return 'money';
  if (/(?:weight|grams)$/i.test(field)) return 'weight';
  return /percentage$/i.test(field) ? 'percent' : 'count';
}

/** The value of a field of a record. */
export function valueText(field: string, value: unknown, currency: string): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isCondition(value)) return conditionText(value, currency);
  if (typeof value !== 'number') return VALUE_TEXTS[field]?.(String(value)) ?? String(value);
  // Places are counted from 0 by the API.
  if (field === 'position') return String(value + 1);
  // Only the adjustment type, which a difference may lack, tells money from a percentage.
  if (field === 'adjustmentValue') return `${formatMoney(value, currency)} or ${value} %`;
  const kind = kindOfNumber(field);
  if (kind === 'money') return formatMoney(value, currency);
  return kind === 'weight' ? formatWeight(value) : `${value}${kind === 'percent' ? ' %' : ''}`;
}

/** Types whose numbers are amounts of money. */
export const isMoney = (type: string): boolean => /_(?:price|total)$/.test(type);

interface Condition {
  readonly conditionType: string;
  readonly operator: string;
  readonly value: string;
}

export const isCondition = (value: unknown): value is Condition =>
  typeof value === 'object' && value !== null && 'conditionType' in value;

/** The values of a condition as people read them: amounts in the currency, weights with their unit. */
export function expectedText({ conditionType, operator, value }: Condition, currency: string): string {
  if (conditionType === 'day_of_week')
    return value
      .split(',')
      .map((day) => capitalized(day.trim()))
      .join(' or ');
  const isWeight = conditionType.endsWith('_weight');
  const isAmount = isWeight || isMoney(conditionType);
  if (!isAmount && operator !== 'between') return value;
  const format = (part: string): string => {
    if (!isAmount || !/^\d+$/.test(part)) return part;
    return isWeight ? formatWeight(Number(part)) : formatMoney(Number(part), currency);
  };
  return value
    .split(',')
    .map((part) => format(part.trim()))
    .join(operator === 'between' ? ' and ' : ' or ');
}
