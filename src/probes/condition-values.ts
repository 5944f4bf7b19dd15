/** The values of a probe that meet a condition, miss it, or lie around its bounds. */
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
import { taken } from '../runtime/map-entries.ts';
import { type Change, type ProbeShop, setClock, setNumber, setText } from './draft-cart.ts';
import { postalExamples } from './postal-examples.ts';

/** Alternatives of a condition that get a probe each. */
const ALTERNATIVES_MAX = 40;
/** A text that no configuration names. */
const OTHER_TEXT = 'Other';

const MINUTES_OF_DAY = 24 * 60;

/** Sets the value of the condition's type. */
const setterOf =
  ({ conditionType: type, scope }: Condition, shop: ProbeShop) =>
  (value: number | string): Change => {
    if (typeof value === 'string') return setText(type, value, shop);
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

function textsAbout(
  { conditionType }: Condition,
  operator: PositiveOperator,
  alternatives: readonly string[],
): { readonly passing: readonly string[]; readonly failing: readonly string[] } {
  if (operator === 'is_empty') return { passing: [''], failing: [OTHER_TEXT] };
  const isPostal = CONDITION_TYPES[conditionType].kind === 'postal';
  const passing = alternatives.flatMap((text) => {
    if (operator !== 'equals') return [text];
    if (isPostal) return postalExamples('plain', text);
    return text.endsWith('*') ? [text.slice(0, -1) || OTHER_TEXT, `${text.slice(0, -1)}x`] : [text];
  });
  return { passing, failing: ['', OTHER_TEXT] };
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
    ? textsAbout(condition, positive, alternatives)
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
