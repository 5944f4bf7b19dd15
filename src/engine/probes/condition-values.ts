/** The values of a probe that meet a condition, miss it, or lie around its bounds. */

import { taken } from '../../base/runtime/map-entries.ts';
import { dateOfDay, dayOfDate, dayOfText, minutesOf } from '../domain/calendar-day.ts';
import {
  CONDITION_TYPES,
  type Condition,
  type ConditionType,
  type PositiveOperator,
  positiveTwin,
  SCOPES,
  splitAlternatives,
  WEEKDAYS,
} from '../domain/condition.ts';
import { type Change, onAnother, type ProbeShop, setClock, setNumber, setText } from './draft-cart.ts';
import { postalExamples } from './postal-examples.ts';

/** Alternatives of a condition that get a probe each. */
const ALTERNATIVES_MAX = 40;
/** A text that no configuration names. */
const OTHER_TEXT = 'Other';
/** Texts beside the alternatives of a condition that get a probe each. */
const OTHERS_MAX = 3;
const CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY'];

const MINUTES_OF_DAY = 24 * 60;

/** Sets the value of the condition's type. */
const setterOf =
  ({ conditionType: type, scope }: Condition, shop: ProbeShop) =>
  (value: number | TextValue): Change => {
    if (typeof value === 'string') return setText(type, value, shop);
    if (typeof value === 'object') {
      return (draft) => {
        const code = postalExamples(draft.destination.country, value.pattern)[value.nth];
        return code === undefined ? null : setText(type, code, shop)(draft);
      };
    }
    if (type === 'day_of_week' || type === 'time_of_day' || type === 'date')
      return setClock(type, value, shop);
    return setNumber(type, scope, value);
  };

const isNegative = ({ conditionType, operator, scope }: Condition): boolean => {
  const { negated } = positiveTwin(operator);
  const isNone = CONDITION_TYPES[conditionType].subject === 'item' && SCOPES[scope].quantifier === 'none';
  return negated !== isNone;
};

/** The next or the previous number, or date. */
function stepped(type: ConditionType, value: number, step: -1 | 1): number {
  if (type === 'date') return dateOfDay(dayOfDate(value) + step);
  if (type === 'time_of_day') return (value + step + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  if (type === 'day_of_week') return (value + step + WEEKDAYS.length) % WEEKDAYS.length;
  return value + step;
}

function numberOf(type: ConditionType, operand: string): number {
  if (type === 'date') return dateOfDay(dayOfText(operand));
  if (type === 'time_of_day') return minutesOf(operand);
  if (type === 'day_of_week') return (WEEKDAYS as readonly string[]).indexOf(operand.toLowerCase());
  return Number(operand);
}

/** Numbers that pass the positive operator, and numbers that do not. */
function numbersAbout(
  type: ConditionType,
  operator: PositiveOperator,
  operands: readonly number[],
): { readonly passing: readonly number[]; readonly failing: readonly number[] } {
  const [first = 0, last = first] = operands;
  const before = (value: number) => stepped(type, value, -1);
  const after = (value: number) => stepped(type, value, 1);
  switch (operator) {
    case 'greater_than':
      return { passing: [after(first)], failing: [first] };
    case 'greater_than_or_equal':
      return { passing: [first], failing: [before(first)] };
    case 'less_than':
      return { passing: [before(first)], failing: [first] };
    case 'less_than_or_equal':
      return { passing: [first], failing: [after(first)] };
    case 'between':
      return { passing: [first, last], failing: [after(last), before(first)] };
    default: {
      const others = operands.flatMap((value) => [after(value), before(value)]);
      return { passing: operands, failing: others.filter((value) => !operands.includes(value)) };
    }
  }
}

/** A text, or the n-th example of a postal pattern in the country of the cart. */
type TextValue = string | { readonly pattern: string; readonly nth: number };

const examplesOf = (pattern: string): readonly TextValue[] => [0, 1, 2].map((nth) => ({ pattern, nth }));

function textsAbout(
  { conditionType }: Condition,
  operator: PositiveOperator,
  alternatives: readonly string[],
  shop: ProbeShop,
): { readonly passing: readonly TextValue[]; readonly failing: readonly TextValue[] } {
  const others = othersBeside(conditionType, alternatives, shop);
  if (operator === 'is_empty') return { passing: [''], failing: others };
  const isPostal = CONDITION_TYPES[conditionType].kind === 'postal';
  const passing = alternatives.flatMap((text): readonly TextValue[] => {
    if (isPostal && operator === 'equals') return examplesOf(text);
    if (isPostal && operator === 'starts_with') return [...examplesOf(`${text}*`), text];
    if (operator !== 'equals' || !text.endsWith('*')) return [text];
    return [text.slice(0, -1) || OTHER_TEXT, `${text.slice(0, -1)}x`];
  });
  return { passing, failing: ['', ...others] };
}

function othersBeside(
  type: ConditionType,
  alternatives: readonly string[],
  { groupIds, countries }: ProbeShop,
): readonly string[] {
  const known =
    type === 'product_group'
      ? groupIds
      : type === 'destination_country'
        ? countries
        : type === 'cart_currency'
          ? CURRENCIES
          : [OTHER_TEXT];
  const named = new Set(alternatives.map((text) => text.toLowerCase()));
  return taken(
    known.filter((text) => !named.has(text.toLowerCase())),
    OTHERS_MAX,
  );
}

interface ConditionValues {
  /** Changes after which the condition holds, likely ones first. */
  readonly meeting: readonly Change[];
  /** Changes after which it does not. */
  readonly missing: readonly Change[];
}

/** Nothing is claimed: the evaluator says what holds. */
export function valuesOf(condition: Condition, shop: ProbeShop): ConditionValues {
  const { conditionType, operator, value } = condition;
  const { kind } = CONDITION_TYPES[conditionType];
  const positive = positiveTwin(operator).operator;
  const alternatives = taken(splitAlternatives(value), ALTERNATIVES_MAX);
  const isText = kind === 'text' || kind === 'tags' || kind === 'postal';
  const { passing, failing } = isText
    ? textsAbout(condition, positive, alternatives, shop)
    : numbersAbout(
        conditionType,
        positive,
        alternatives.map((operand) => numberOf(conditionType, operand)),
      );
  const set = setterOf(condition, shop);
  const [meeting, missing] = isNegative(condition) ? [failing, passing] : [passing, failing];
  return { meeting: meeting.map(set), missing: missing.map(set) };
}

/** Changes to each bound of a number and its neighbours, to each alternative of a text, and to none of them. */
export function valuesAround(condition: Condition, shop: ProbeShop): readonly Change[] {
  const { conditionType, value } = condition;
  const { kind } = CONDITION_TYPES[conditionType];
  const { meeting, missing } = valuesOf(condition, shop);
  if (kind === 'text' || kind === 'tags' || kind === 'postal') return [...meeting, ...missing];
  const bounds = taken(splitAlternatives(value), ALTERNATIVES_MAX).map((each) =>
    numberOf(conditionType, each),
  );
  const numbers = bounds.flatMap((each) => [
    stepped(conditionType, each, -1),
    each,
    stepped(conditionType, each, 1),
  ]);
  return [...new Set(numbers)].map(setterOf(condition, shop));
}

/** Pieces over which a sum is spread. */
const PIECES = [2, 3, 5, 10];
/** Joined texts of several conditions. */
const JOINED_MAX = 200;

/** Texts that may meet two conditions on one text: an alternative of each, one after the other. */
export function* joinedTexts(conditions: readonly Condition[]): Generator<string> {
  const texts = conditions.map(({ value }) =>
    splitAlternatives(value).map((text) => text.replace(/\*$/, '')),
  );
  let left = JOINED_MAX;
  for (const [index, some] of texts.entries()) {
    for (const others of texts.slice(index + 1)) {
      for (const a of some) {
        for (const b of others) {
          for (const text of [a + b, b + a, `${a}x${b}`, `${b}x${a}`]) if (left-- > 0) yield text;
          if (left <= 0) return;
        }
      }
    }
  }
}

/**
 * Changes after which the condition may hold beside others of its rule: its own values, those of conditions of the same type,
 * joined texts, sums that the pieces come to, further tags, and further items.
 */
export function* waysToMeet(
  condition: Condition,
  { conditions }: { readonly conditions: readonly Condition[] },
  shop: ProbeShop,
): Generator<Change> {
  const { conditionType: type, scope } = condition;
  const { kind, subject } = CONDITION_TYPES[type];
  const own = valuesOf(condition, shop).meeting;
  yield* own;
  const same = conditions.filter((each) => each !== condition && each.conditionType === type);
  for (const each of same) yield* valuesOf(each, shop).meeting;
  if (kind === 'text') {
    for (const text of joinedTexts([condition, ...same])) yield setText(type, text, shop);
  } else if (kind === 'number') {
    for (const { value } of [condition, ...same]) {
      for (const bound of splitAlternatives(value).map(Number)) {
        yield setNumber(type, scope, bound, false);
        yield setNumber(type, scope, bound + 1, false);
        for (const quantity of PIECES) {
          yield (draft) =>
            setNumber(type, scope, bound, false)({ ...draft, item: { ...draft.item, quantity } });
        }
      }
    }
  }
  if (subject !== 'item' || SCOPES[scope].quantifier !== 'any') return;
  for (const isShipped of [true, false]) yield* own.map((change) => onAnother(change, isShipped));
}
