/** Names and values of the API as people read them: rate types, actions, conditions, values of fields. */
import type { Schemas } from '../client/call-table.ts';
import { formatMoney, formatWeight } from './amounts.ts';
import { numberText } from './english.ts';
import { countryName } from './place-names.ts';
import {
  actionText,
  type ConditionFields,
  conditionSentence,
  operatorText,
  scopeText,
  typeText,
} from './rule-words.ts';

/** `cart_total` -> `cart total`. */
export const words = (name: string): string => name.replaceAll('_', ' ');

/** `1 cart`, `2 carts`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `Austria, Belgium and 3 more` */
export function listed(names: readonly string[], max = 3): string {
  const shown = names.length > max + 1 ? names.slice(0, max) : names;
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** How many rows have each key; a row counts as much as `weightOf` says. */
export function countedBy<T>(
  rows: readonly T[],
  keyOf: (row: T) => string,
  weightOf: (row: T) => number = () => 1,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + weightOf(row));
  return counts;
}

const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/g;
/** Also letters that are written from right to left, such as Arabic and Hebrew ones. */
const TURNS = /[\u0590-\u08FF\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/** A sentence of the service with names in it: where a name ends, only the service knew. */
export const withoutDirection = (text: string): string => text.replaceAll(DIRECTION, '');

/** A name that could turn the sentence around it, between marks that keep its direction to itself. */
export const isolated = (name: string): string => (TURNS.test(name) ? `\u2068${name}\u2069` : name);

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
  conditionType: typeText,
  operator: (operator) => operatorText('', operator),
  scope: scopeText,
  countries: countryName,
};

export type NumberKind = 'money' | 'weight' | 'size' | 'percent' | 'count';

/** What a number measures, by the last word of the name of its field or condition. */
export function kindOfNumber(field: string): NumberKind {
  if (/(?:price|total|threshold|amount)$/i.test(field)) return 'money';
  if (/(?:weight|grams)$/i.test(field)) return 'weight';
  if (/(?:side|girth)$/i.test(field)) return 'size';
  return /percentage$/i.test(field) ? 'percent' : 'count';
}

/** The value of a field of a record. */
export function valueText(field: string, value: unknown, currency: string): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isCondition(value)) return conditionSentence(value, { currency });
  if (typeof value !== 'number') return VALUE_TEXTS[field]?.(String(value)) ?? String(value);
  // Places are counted from 0 by the API.
  if (field === 'position') return String(value + 1);
  // Only the adjustment type, which a difference may lack, tells money from a percentage.
  if (field === 'adjustmentValue') return `${formatMoney(value, currency)} or ${value} %`;
  const kind = kindOfNumber(field);
  if (kind === 'money') return formatMoney(value, currency);
  return kind === 'weight' ? formatWeight(value) : `${value}${kind === 'percent' ? ' %' : ''}`;
}

export const isCondition = (value: unknown): value is ConditionFields =>
  typeof value === 'object' && value !== null && 'conditionType' in value;

interface Counts {
  readonly added: number;
  readonly modified: number;
  readonly removed: number;
}

/** How many records a version or a changeset changes, in words. */
export const changeCounts = ({ added, modified, removed }: Counts): string =>
  (
    [
      [added, 'added'],
      [modified, 'changed'],
      [removed, 'removed'],
    ] as const
  )
    .filter(([count]) => count !== 0)
    .map(([count, what]) => `${numberText(count)} ${what}`)
    .join(', ') || 'nothing changed';
