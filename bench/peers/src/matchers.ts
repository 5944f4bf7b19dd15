/** Conditions as functions of what they look at, made once when the shop is loaded. */
import { fold } from './cart.ts';
import type { Condition } from './model.ts';
import { canonicalPart, PostalMatcher } from './postal.ts';
import {
  dateNumber,
  dayNumber,
  ITEM_TYPES,
  type Kind,
  type PostalSubject,
  REQUEST_KINDS,
  type Subject,
  timeNumber,
} from './subjects.ts';

export type Matcher = (subject: Subject) => boolean;

export const kindOf = (conditionType: string): Kind =>
  ITEM_TYPES[conditionType]?.[0] ?? REQUEST_KINDS[conditionType] ?? 'text';

/** Split at commas; `\,` is a comma of the text. */
export const alternativesOf = (value: string): string[] =>
  value
    .replaceAll('\\,', '\0')
    .split(',')
    .map((text) => text.replaceAll('\0', ',').trim())
    .filter((text) => text !== '');

function textMatcher(operator: string, values: readonly string[]): (text: string) => boolean {
  switch (operator) {
    case 'contains':
      return (text) => values.some((value) => text.includes(value));
    case 'starts_with':
      return (text) => values.some((value) => text.startsWith(value));
    case 'ends_with':
      return (text) => values.some((value) => text.endsWith(value));
    case 'is_empty':
      return (text) => text === '';
    default: {
      const whole = new Set(values.filter((value) => !value.endsWith('*')));
      const prefixes = values.filter((value) => value.endsWith('*')).map((value) => value.slice(0, -1));
      return (text) => whole.has(text) || (text !== '' && prefixes.some((prefix) => text.startsWith(prefix)));
    }
  }
}

function numberMatcher(operator: string, values: readonly number[]): (value: number) => boolean {
  const [first = 0, second = 0] = values;
  switch (operator) {
    case 'greater_than':
      return (value) => value > first;
    case 'greater_than_or_equal':
      return (value) => value >= first;
    case 'less_than':
      return (value) => value < first;
    case 'less_than_or_equal':
      return (value) => value <= first;
    case 'between':
      return (value) => value >= first && value <= second;
    default:
      return (value) => values.includes(value);
  }
}

function postalMatcher(operator: string, values: readonly string[]): (subject: PostalSubject) => boolean {
  if (operator === 'is_empty') return ({ code }) => code === '';
  const perCountry = new Map<string, (code: string) => boolean>();
  const make = (country: string): ((code: string) => boolean) => {
    if (operator === 'equals') {
      const matcher = new PostalMatcher(country, [values]);
      return (code) => matcher.find(code) >= 0;
    }
    return textMatcher(
      operator,
      values.map((value) => canonicalPart(country, value)),
    );
  };
  return ({ country, code }) => {
    let matches = perCountry.get(country);
    if (matches === undefined) {
      matches = make(country);
      perCountry.set(country, matches);
    }
    return matches(code);
  };
}

export const NUMBER_OF: Readonly<Partial<Record<Kind, (text: string) => number>>> = {
  number: Number,
  day: dayNumber,
  time: timeNumber,
  date: dateNumber,
};

function positiveMatcher(kind: Kind, operator: string, value: string): Matcher {
  const values = operator === 'is_empty' ? [] : alternativesOf(value);
  if (kind === 'postal') return postalMatcher(operator, values) as Matcher;
  const toNumber = NUMBER_OF[kind];
  if (toNumber !== undefined) return numberMatcher(operator, values.map(toNumber)) as Matcher;
  const matches = textMatcher(operator, values.map(fold));
  if (kind === 'text') return matches as Matcher;
  if (operator === 'is_empty') return (tags) => (tags as readonly string[]).length === 0;
  return (tags) => (tags as readonly string[]).some(matches);
}

export function makeMatcher({ conditionType, operator, value }: Omit<Condition, 'scope'>): Matcher {
  const isNegative = operator.startsWith('not_') || operator === 'is_not_empty';
  const positive = operator === 'is_not_empty' ? 'is_empty' : operator.replace(/^not_/, '');
  const matches = positiveMatcher(kindOf(conditionType), positive, value);
  return isNegative ? (subject) => !matches(subject) : matches;
}
