/**
 * Rules in sentences: `Hide if an item weighs 20 kg or more`. Types and operators that this table does not know have the
 * words of their names.
 */
import { formatMoney, formatWeight } from './amounts.ts';
import { calendarDayText } from './english.ts';
import { countryName } from './place-names.ts';

export interface ConditionFields {
  readonly conditionType: string;
  readonly operator: string;
  readonly value: string;
  readonly scope?: string;
  /** What a cart has, where the sentence is about one: of many values, those that match it are named. */
  readonly actual?: unknown;
}

export interface SentenceContext {
  readonly currency: string;
  /** The name behind an id, of a product group or subzone. */
  readonly nameOf?: ((id: string) => string | undefined) | undefined;
}

/** What the values of a type measure. */
type Measure = 'money' | 'weight' | 'size' | 'count' | 'text' | 'tag' | 'day' | 'time' | 'date';

interface TypeWords {
  /** In a list of types, and alone. */
  readonly label: string;
  readonly measure: Measure;
  /** `weighs`; `is` by default. Of several: `weigh`. */
  readonly verb?: readonly [one: string, several: string];
  /** After a number: `3 pieces`. */
  readonly unit?: string;
  /** What has the value, for conditions that look at no item: `the cart`. */
  readonly subject?: string;
  /** Of an item: `SKU`. */
  readonly part?: string;
  /** The whole sentences of a value that is there and one that is not. */
  readonly given?: readonly [given: string, empty: string];
  /** A value as people read it. */
  readonly format?: (value: string) => string;
}

const COSTS = ['costs', 'cost'] as const;
const WEIGHS = ['weighs', 'weigh'] as const;
const HAS = ['has', 'have'] as const;

const TYPES: Readonly<Record<string, TypeWords>> = {
  product_weight: { label: 'Item weight', measure: 'weight', verb: WEIGHS },
  product_price: { label: 'Item price', measure: 'money', verb: COSTS },
  product_quantity: { label: 'Item quantity', measure: 'count', verb: HAS, unit: 'piece' },
  product_longest_side: { label: 'Longest side', measure: 'size', part: 'longest side' },
  product_girth: { label: 'Girth with length', measure: 'size', part: 'girth with length' },
  product_tag: { label: 'Item tag', measure: 'tag' },
  product_sku: { label: 'SKU', measure: 'text', part: 'SKU' },
  product_vendor: { label: 'Vendor', measure: 'text', part: 'vendor' },
  product_title: { label: 'Item name', measure: 'text', part: 'name' },
  product_id: { label: 'Product id', measure: 'text', part: 'product id' },
  product_variant_id: { label: 'Variant id', measure: 'text', part: 'variant id' },
  product_group: { label: 'Product group', measure: 'text', part: 'product group' },
  cart_total: { label: 'Cart total', measure: 'money', subject: 'the cart', verb: COSTS },
  cart_weight: { label: 'Cart weight', measure: 'weight', subject: 'the cart', verb: WEIGHS },
  cart_quantity: { label: 'Pieces', measure: 'count', subject: 'the cart', verb: HAS, unit: 'piece' },
  cart_unique_items: {
    ...{ label: 'Different items', measure: 'count', subject: 'the cart' },
    ...{ verb: HAS, unit: 'different item' },
  },
  order_total: {
    ...{ label: 'Order total after discounts', measure: 'money' },
    ...{ subject: 'the order after discounts', verb: COSTS },
  },
  cart_currency: { label: 'Currency', measure: 'text', subject: 'the currency' },
  cart_locale: { label: 'Language', measure: 'text', subject: 'the language' },
  customer_tag: { label: 'Customer tag', measure: 'tag', subject: 'the customer' },
  customer_id: { label: 'Customer id', measure: 'text', subject: 'the customer id' },
  destination_country: {
    ...{ label: 'Country', measure: 'text', subject: 'the country' },
    format: (code) => (/^[a-z]{2}$/i.test(code) ? countryName(code.toUpperCase()) : `“${code}”`),
  },
  destination_state: { label: 'State', measure: 'text', subject: 'the state' },
  destination_city: { label: 'City', measure: 'text', subject: 'the city' },
  destination_name: { label: 'Recipient', measure: 'text', subject: 'the recipient' },
  destination_company: { label: 'Company', measure: 'text', subject: 'the company' },
  destination_phone: { label: 'Phone', measure: 'text', subject: 'the phone number' },
  destination_address: { label: 'Address', measure: 'text', subject: 'the address' },
  destination_postal_code: {
    ...{ label: 'Postal code', measure: 'text', subject: 'the postal code' },
    format: (pattern) => pattern,
  },
  destination_subzone: {
    ...{ label: 'Subzone', measure: 'text', subject: 'the subzone' },
    given: ['the address is in a subzone', 'the address is in no subzone'],
  },
  day_of_week: { label: 'Weekday', measure: 'day', subject: 'it' },
  time_of_day: { label: 'Time of day', measure: 'time', subject: 'it' },
  date: { label: 'Date', measure: 'date', subject: 'it' },
};

const plain = (name: string): string => name.replaceAll('_', ' ');
const upperFirst = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const wordsOf = (conditionType: string): TypeWords =>
  TYPES[conditionType] ?? {
    label: upperFirst(plain(conditionType)),
    measure: 'text',
    ...(conditionType.startsWith('product_')
      ? { part: plain(conditionType.slice(8)) }
      : { subject: `the ${plain(conditionType)}` }),
  };

export const typeText = (conditionType: string): string => wordsOf(conditionType).label;

export const measureOf = (conditionType: string): Measure => wordsOf(conditionType).measure;

/** The groups in which types are listed, by what the vocabulary says that a type looks at. */
const SUBJECTS: Readonly<Record<string, string>> = {
  item: 'Item',
  order: 'Order',
  request: 'Order',
  destination: 'Place',
  customer: 'Customer',
  clock: 'Time',
};
export const SUBJECT_GROUPS = ['Item', 'Order', 'Place', 'Customer', 'Time'] as const;

export const subjectText = (subject: string): string => SUBJECTS[subject] ?? upperFirst(subject);

const SCOPES: Readonly<Record<string, readonly [subject: string, label: string]>> = {
  any_product_in_order: ['an item', 'any item of the order'],
  all_products_in_order: ['every item', 'every item of the order'],
  no_product_in_order: ['no item', 'no item of the order'],
  any_product_in_group: ['an item of its group', 'any item of the method’s group'],
  all_products_in_group: ['every item of its group', 'every item of the method’s group'],
  no_product_in_group: ['no item of its group', 'no item of the method’s group'],
  sum_of_order: ['all items together', 'all items of the order together'],
  sum_of_group: ['all items of its group together', 'all items of the method’s group together'],
};

export const scopeText = (scope: string): string => SCOPES[scope]?.[1] ?? plain(scope);

const COMPARED: Readonly<Record<string, string>> = {
  equals: 'is',
  not_equals: 'is not',
  greater_than: 'is more than',
  greater_than_or_equal: 'is at least',
  less_than: 'is less than',
  less_than_or_equal: 'is at most',
  between: 'is between',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  not_starts_with: 'does not start with',
  ends_with: 'ends with',
  not_ends_with: 'does not end with',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
};

const CLOCK_COMPARED: Readonly<Record<string, string>> = {
  greater_than: 'is after',
  greater_than_or_equal: 'is from … on',
  less_than: 'is before',
  less_than_or_equal: 'is until',
};

const TAGS_COMPARED: Readonly<Record<string, string>> = {
  equals: 'is one of',
  not_equals: 'is none of',
  contains: 'one contains',
  not_contains: 'none contains',
  starts_with: 'one starts with',
  not_starts_with: 'none starts with',
  ends_with: 'one ends with',
  not_ends_with: 'none ends with',
  is_empty: 'there is none',
  is_not_empty: 'there is one',
};

export function operatorText(conditionType: string, operator: string): string {
  const measure = measureOf(conditionType);
  const special = measure === 'tag' ? TAGS_COMPARED : /^(?:time|date)$/.test(measure) ? CLOCK_COMPARED : {};
  return special[operator] ?? COMPARED[operator] ?? plain(operator);
}

const LISTED_MAX = 4;

/** `A`, `A or B`, `A, B, C or 7 others`. */
function alternatives(texts: readonly string[]): string {
  const shown = texts.length > LISTED_MAX ? texts.slice(0, LISTED_MAX - 1) : texts.slice(0, -1);
  const last = texts.length > LISTED_MAX ? `${texts.length - shown.length} others` : (texts.at(-1) ?? '');
  return shown.length === 0 ? last : `${shown.join(', ')} or ${last}`;
}

const dateText = (date: string): string => {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date));
  return isDate ? calendarDayText(date) : date;
};

export const sizeText = (millimetres: number): string => `${millimetres / 10} cm`;

const NUMBERS: Readonly<Partial<Record<Measure, (value: number, currency: string) => string>>> = {
  money: formatMoney,
  weight: formatWeight,
  size: sizeText,
  count: String,
};

/** One value of a condition as people read it. */
function partText(type: TypeWords, text: string, { currency, nameOf }: SentenceContext): string {
  const { measure, format = (value) => `“${value}”` } = type;
  const write = NUMBERS[measure];
  if (write !== undefined) return /^\d+$/.test(text) ? write(Number(text), currency) : text;
  if (measure === 'day') return upperFirst(text);
  if (measure === 'date') return dateText(text);
  return measure === 'time' ? text : (nameOf?.(text) ?? format(text));
}

/** The values between the commas. */
const partsOf = (value: string): readonly string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The values of a condition, those that the cart has before the others. */
function matchingFirst({ value, operator, actual }: ConditionFields): readonly string[] {
  const parts = partsOf(value);
  if (actual == null || operator === 'between') return parts;
  const had = new Set([actual].flat(2).map((each) => String(each).trim().toLowerCase()));
  const isHad = (part: string): boolean => had.has(part.toLowerCase());
  return [...parts.filter(isHad), ...parts.filter((part) => !isHad(part))];
}

/** What a condition compares with: `20 kg`, `Monday or Friday`, `$10.00 and $25.00`. */
export function expectedText(condition: ConditionFields, context: SentenceContext): string {
  const type = wordsOf(condition.conditionType);
  const values = matchingFirst(condition).map((part) => partText(type, part, context));
  return condition.operator === 'between' ? values.join(' and ') : alternatives(values);
}

/** `an item weighs 20 kg or more` */
export function conditionSentence(condition: ConditionFields, context: SentenceContext): string {
  const { conditionType, operator, scope = '' } = condition;
  const type = wordsOf(conditionType);
  const [given, empty] = type.given ?? [];
  if (operator === 'is_not_empty' && given !== undefined) return given;
  if (operator === 'is_empty' && empty !== undefined) return empty;
  const expected = expectedText(condition, context) || '…';
  const [about] = SCOPES[scope] ?? SCOPES['any_product_in_order'] ?? [''];
  const subject = type.subject ?? (type.part === undefined ? about : `the ${type.part} of ${about}`);
  const isSeveral = type.subject === undefined && /^sum_/.test(scope);
  if (type.measure === 'tag') return `${subject} ${tagPhrase(operator, expected)}`;
  if (type.measure === 'text') return `${subject} ${textPhrase(operator, expected)}`;
  if (/^(?:day|time|date)$/.test(type.measure))
    return `${subject} ${phrase(type.measure === 'time' ? CLOCK_PHRASES : DAY_PHRASES, operator, expected)}`;
  const verb = type.verb?.[isSeveral ? 1 : 0] ?? 'is';
  const value = type.unit === undefined ? expected : `${expected} ${type.unit}${expected === '1' ? '' : 's'}`;
  return `${subject} ${verb} ${phrase(NUMBER_PHRASES, operator, value)}`;
}

/** The words after the subject by operator, `$` for what is compared with; the operator's own name where none is known. */
const phrase = (phrases: Readonly<Record<string, string>>, operator: string, expected: string): string =>
  (phrases[operator] ?? `${plain(operator)} $`).replace('$', () => expected);

const NUMBER_PHRASES = {
  equals: 'exactly $',
  not_equals: 'anything but $',
  greater_than: 'more than $',
  greater_than_or_equal: '$ or more',
  less_than: 'less than $',
  less_than_or_equal: '$ or less',
  between: 'between $',
};

const CLOCK_PHRASES = {
  equals: 'is $',
  not_equals: 'is not $',
  greater_than: 'is after $',
  greater_than_or_equal: 'is $ or later',
  less_than: 'is before $',
  less_than_or_equal: 'is $ or earlier',
  between: 'is between $',
};

const DAY_PHRASES = {
  ...CLOCK_PHRASES,
  greater_than_or_equal: 'is $ or a later day',
  less_than_or_equal: 'is $ or an earlier day',
};

function textPhrase(operator: string, expected: string): string {
  if (operator === 'is_empty') return 'is empty';
  if (operator === 'is_not_empty') return 'is given';
  return `${COMPARED[operator] ?? plain(operator)} ${expected}`;
}

const TAG_PHRASES: Readonly<Record<string, string>> = {
  equals: 'has the tag $',
  not_equals: 'does not have the tag $',
  is_empty: 'has no tag',
  is_not_empty: 'has a tag',
};

function tagPhrase(operator: string, expected: string): string {
  const [, no = '', compared = operator] = /^(not_)?(.*)$/.exec(operator) ?? [];
  const which = `has ${no === '' ? 'a' : 'no'} tag that ${COMPARED[compared] ?? plain(compared)} $`;
  return phrase({ [operator]: which, ...TAG_PHRASES }, operator, expected);
}

const ACTIONS: Readonly<Record<string, string>> = {
  hide: 'Hide',
  show: 'Show',
  free: 'Make free',
  adjust_add: 'Add',
  adjust_subtract: 'Subtract',
};

export const actionText = (action: string): string => ACTIONS[action] ?? action;

interface RuleFields {
  readonly action: string;
  readonly adjustmentType?: string;
  readonly adjustmentValue?: number | null;
  readonly conditions: readonly ConditionFields[];
}

/** What the rule does, with its amount: `Add $3.00`. */
export function actionSentence(
  { action, adjustmentType, adjustmentValue }: Omit<RuleFields, 'conditions'>,
  currency: string,
): string {
  const text = actionText(action);
  if (!action.startsWith('adjust_') || adjustmentValue == null) return text;
  return `${text} ${adjustmentType === 'percentage' ? `${adjustmentValue} %` : formatMoney(adjustmentValue, currency)}`;
}

/** `an item weighs 20 kg or more and the country is Germany`; "" without conditions. */
export const conditionsSentence = (
  conditions: readonly ConditionFields[],
  context: SentenceContext,
): string => conditions.map((condition) => conditionSentence(condition, context)).join(', and ');

/** The sentences of the rules that a save added or changed: what they do from now on. */
export const changedRules = <R extends RuleFields & { readonly enabled: boolean }>(
  before: readonly R[],
  after: readonly R[],
  context: SentenceContext,
): readonly string[] => {
  const known = new Set(before.filter(({ enabled }) => enabled).map((rule) => ruleSentence(rule, context)));
  return after
    .filter(({ enabled }) => enabled)
    .map((rule) => ruleSentence(rule, context))
    .filter((sentence) => !known.has(sentence));
};

/** The title of a rule: `Hide if an item weighs 20 kg or more`. */
export function ruleSentence(rule: RuleFields, context: SentenceContext): string {
  if (rule.action === '') return 'New rule';
  const action = actionSentence(rule, context.currency);
  const conditions = conditionsSentence(rule.conditions, context);
  if (conditions === '' && rule.action === 'hide') return 'Hide from every customer';
  return conditions === '' ? `${action} always` : `${action} if ${conditions}`;
}
