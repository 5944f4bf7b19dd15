/**
 * Predicates: the compiled form of conditions, with operands parsed and converted to lower case once. All predicates
 * have the same fields, so that the code that runs them stays monomorphic; unused fields are empty.
 *
 * A predicate has no scope: an item predicate is true or false for one item (contract section 3, "Conditions").
 *
 * In the table of a zone equal conditions of different rules share one predicate, which a request tests at most once.
 */
import { minutesOf } from '../domain/calendar-day.ts';
import {
  CONDITION_TYPES,
  type Condition,
  type ConditionType,
  FIELD,
  type PositiveOperator,
  positiveTwin,
  SCOPES,
  splitAlternatives,
  type ValueKind,
  WEEKDAYS,
} from '../domain/condition.ts';
import { canonicalPostalPart, type PostalForm, readPostalPattern } from '../domain/postal-code.ts';
import { comparable } from '../domain/text.ts';
import { PostalOwners } from './postal-owners.ts';

/** Where the compared value comes from. */
export const SOURCE = {
  itemText: 0,
  itemTags: 1,
  itemNumber: 2,
  orderNumber: 3,
  /** Sum over the shippable items of the method's group. */
  groupSum: 4,
  requestText: 5,
  postalCode: 6,
  customerTags: 7,
} as const;
type Source = (typeof SOURCE)[keyof typeof SOURCE];

/** The source of the values of a condition type; of sums see `sourceAndFieldOf`. */
export function sourceOf(type: ConditionType): Source {
  const { subject, kind } = CONDITION_TYPES[type];
  const isItem = subject === 'item';
  if (kind === 'postal') return SOURCE.postalCode;
  if (kind === 'tags') return isItem ? SOURCE.itemTags : SOURCE.customerTags;
  if (kind === 'text') return isItem ? SOURCE.itemText : SOURCE.requestText;
  return isItem ? SOURCE.itemNumber : SOURCE.orderNumber;
}

/** Returns source and field of the condition's value; a scope `sum_of_*` reads a sum. */
export function sourceAndFieldOf(condition: Condition): readonly [Source, number] {
  const source = sourceOf(condition.conditionType);
  const field = FIELD[condition.conditionType];
  if (source !== SOURCE.itemNumber) return [source, field];
  const scope = SCOPES[condition.scope];
  if (scope.quantifier !== 'sum') return [source, field];
  return [scope.items === 'order' ? SOURCE.orderNumber : SOURCE.groupSum, field];
}

export const TEST = { equals: 0, contains: 1, startsWith: 2, endsWith: 3, isEmpty: 4, number: 5 } as const;
type Test = (typeof TEST)[keyof typeof TEST];

/** Postal operands by form of codes, made for the first destination of that form. */
interface PostalOperands {
  /** A code has an owner when an operand matches it. */
  owners(form: PostalForm): PostalOwners;
  /** The operands as parts of a code, which are compared as texts are. */
  parts(form: PostalForm): Predicate;
}

export interface Predicate {
  readonly source: Source;
  readonly field: number;
  readonly test: Test;
  /** True when the result of the test is inverted. */
  readonly negated: boolean;
  /** Operands of `equals` without a trailing `*`; all operands of the other text operators. */
  readonly texts: readonly string[];
  /** Replaces `texts` where a hash look-up is faster than a scan. */
  readonly textSet: ReadonlySet<string> | null;
  /** Prefixes of `equals`; "" matches every text that is not empty. */
  readonly prefixes: readonly string[];
  /** Bit set of the first characters with which a text can pass; see `beginningBit`. */
  readonly beginnings: number;
  /** Bounds of a number comparison, both included. */
  readonly low: number;
  readonly high: number;
  /** The numbers of `equals` when there are several. */
  readonly numbers: readonly number[];
  readonly postal: PostalOperands | null;
}

/** Up to this many short strings are scanned as fast as one is looked up. */
const TEXT_SCAN_MAX = 8;

/** Compiles a condition in which `findConditionDefect` found no defect. */
export function compilePredicate(condition: Condition): Predicate {
  const [source, field] = sourceAndFieldOf(condition);
  const { operator, negated } = positiveTwin(condition.operator);
  const { kind } = CONDITION_TYPES[condition.conditionType];
  const operands = operator === 'is_empty' ? [] : splitAlternatives(condition.value);
  const blank: Predicate = {
    source,
    field,
    test: TEST.number,
    negated,
    texts: [],
    textSet: null,
    prefixes: [],
    beginnings: ANY_BEGINNING,
    low: 0,
    high: -1,
    numbers: [],
    postal: null,
  };
  if (kind === 'postal') {
    const asText = { ...blank, test: textTest(operator) };
    return { ...asText, postal: postalOperands(asText, operands) };
  }
  if (kind === 'text' || kind === 'tags') return { ...blank, ...textOperands(operator, operands) };
  return {
    ...blank,
    ...numberOperands(
      operator,
      operands.map((operand) => numberOf(kind, operand)),
    ),
  };
}

/** Of operators that compare texts, except `equals`. */
const TEXT_TESTS: Partial<Record<PositiveOperator, Test>> = {
  contains: TEST.contains,
  starts_with: TEST.startsWith,
  ends_with: TEST.endsWith,
  is_empty: TEST.isEmpty,
};
const textTest = (operator: PositiveOperator): Test => TEXT_TESTS[operator] ?? TEST.equals;

function textOperands(operator: PositiveOperator, operands: readonly string[]): Partial<Predicate> {
  const test = textTest(operator);
  const texts = operands.map(comparable);
  if (test === TEST.startsWith) return { test, texts, beginnings: beginningsOf(texts) };
  if (test !== TEST.equals) return { test, texts };
  const whole = [...new Set(texts.filter((text) => !text.endsWith('*')))];
  const prefixes = texts.filter((text) => text.endsWith('*')).map((text) => text.slice(0, -1));
  const beginnings = beginningsOf([...whole, ...prefixes]);
  return whole.length > TEXT_SCAN_MAX
    ? { test, prefixes, beginnings, textSet: new Set(whole) }
    : { test, prefixes, beginnings, texts: whole };
}

/** Value of `beginnings` when a text with any first character can pass. */
export const ANY_BEGINNING = -1;

/** One of 32 bits for a character; both cases of an ASCII letter have the same bit. */
const beginningBit = (unit: number): number => 1 << (unit & 31);

const beginningsOf = (texts: readonly string[]): number =>
  texts.some((text) => text === '')
    ? ANY_BEGINNING
    : texts.reduce((bits, text) => bits | beginningBit(text.charCodeAt(0)), 0);

/**
 * False only when the character at `start` proves that the text fails in comparable form. Only printable ASCII can
 * prove this, and only if no mark follows that NFC may join to it: trimming keeps such a character, and conversion to lower
 * case changes only its case.
 */
export function mayPass({ beginnings }: Predicate, text: string, start = 0): boolean {
  const unit = text.charCodeAt(start);
  // True also for a missing character, whose code is NaN.
  if (!(unit > 0x20 && unit < 0x7f) || (beginnings & beginningBit(unit)) !== 0) return true;
  return text.charCodeAt(start + 1) >= FIRST_MARK;
}

/** NFC joins no character below this to the one before it. */
const FIRST_MARK = 0x300;

/** Returns the operand as a number: cents, grams, pieces, weekday from 0, minutes or yyyymmdd. */
function numberOf(kind: ValueKind, operand: string): number {
  if (kind === 'day') return (WEEKDAYS as readonly string[]).indexOf(operand.toLowerCase());
  if (kind === 'time') return minutesOf(operand);
  if (kind === 'date') return Number(operand.replaceAll('-', ''));
  return Number(operand);
}

function numberOperands(operator: PositiveOperator, numbers: readonly number[]): Partial<Predicate> {
  const [first = 0, second = 0] = numbers;
  if (operator === 'greater_than') return { low: first + 1, high: Number.POSITIVE_INFINITY };
  if (operator === 'greater_than_or_equal') return { low: first, high: Number.POSITIVE_INFINITY };
  if (operator === 'less_than') return { low: 0, high: first - 1 };
  if (operator === 'less_than_or_equal') return { low: 0, high: first };
  if (operator === 'between') return { low: first, high: second };
  return numbers.length === 1 ? { low: first, high: first } : { numbers };
}

function postalOperands(asText: Predicate, operands: readonly string[]): PostalOperands {
  const owners: Partial<Record<PostalForm, PostalOwners>> = {};
  const parts: Partial<Record<PostalForm, Predicate>> = {};
  return {
    owners(form) {
      owners[form] ??= PostalOwners.of(
        operands.map((operand) => ({ owner: 0, pattern: readPostalPattern(form, operand) })),
      );
      return owners[form];
    },
    parts(form) {
      parts[form] ??= { ...asText, texts: operands.map((operand) => canonicalPostalPart(form, operand)) };
      return parts[form];
    },
  };
}

/** Tests a text in comparable form with the positive operator; the caller negates. */
export function testText(predicate: Predicate, subject: string): boolean {
  const { texts } = predicate;
  switch (predicate.test) {
    case TEST.equals:
      return isEqualToAny(predicate, subject);
    case TEST.contains:
      for (let i = 0; i < texts.length; i++) if (subject.includes(texts[i] as string)) return true;
      return false;
    case TEST.startsWith:
      for (let i = 0; i < texts.length; i++) if (subject.startsWith(texts[i] as string)) return true;
      return false;
    case TEST.endsWith:
      for (let i = 0; i < texts.length; i++) if (subject.endsWith(texts[i] as string)) return true;
      return false;
    default:
      return subject === '';
  }
}

function isEqualToAny({ texts, textSet, prefixes }: Predicate, subject: string): boolean {
  if (textSet === null) {
    for (let i = 0; i < texts.length; i++) if (subject === texts[i]) return true;
  } else if (textSet.has(subject)) {
    return true;
  }
  if (subject === '') return false;
  for (let i = 0; i < prefixes.length; i++) if (subject.startsWith(prefixes[i] as string)) return true;
  return false;
}

/** Tests tags. A positive operator matches if any tag matches; `is_empty` matches if there are no tags. */
export function testTags(predicate: Predicate, tags: readonly string[]): boolean {
  if (predicate.test === TEST.isEmpty) return tags.length === 0;
  for (let i = 0; i < tags.length; i++) if (testText(predicate, tags[i] as string)) return true;
  return false;
}

export function testNumber({ numbers, low, high }: Predicate, subject: number): boolean {
  return numbers.length === 0 ? subject >= low && subject <= high : numbers.includes(subject);
}

/** Tests a postal code. `code` and the operands are canonical in `form`. */
export function testPostalCode(predicate: Predicate, form: PostalForm, code: string): boolean {
  const { test, postal } = predicate;
  if (test === TEST.isEmpty || postal === null) return code === '';
  if (test === TEST.equals) return postal.owners(form).find(code) >= 0;
  return testText(postal.parts(form), code);
}

/** How an item condition combines the results of its items; `whole` marks a condition that is not on items. */
export const QUANTIFIER = { whole: 0, any: 1, all: 2, none: 3 } as const;
export type Quantifier = (typeof QUANTIFIER)[keyof typeof QUANTIFIER];

/** Bits for the result of a test. For `all`, a second bit is set when there are items. */
export const testBits = (quantifier: Quantifier): number => (quantifier === QUANTIFIER.all ? 2 : 1);

/**
 * The table only grows, so a method that did not change keeps its compiled form. The zone makes a new table when most
 * slots are unused.
 */
export class PredicateTable {
  readonly predicates: Predicate[] = [];
  readonly #slots = new Map<string, number>();
  readonly #tests = new Map<number, number>();

  /** Returns the slot of the condition's predicate for a method of this group; adds a slot for a new predicate. */
  slotOf(condition: Condition, groupId: string): number {
    const { conditionType, operator, value, scope } = condition;
    const sum = SCOPES[scope].quantifier === 'sum' ? scope : '';
    const group = sum !== '' && SCOPES[scope].items === 'group' ? groupId : '';
    const key = `${conditionType}\0${operator}\0${sum}\0${group}\0${value}`;
    const known = this.#slots.get(key);
    if (known !== undefined) return known;
    const slot = this.predicates.push(compilePredicate(condition)) - 1;
    this.#slots.set(key, slot);
    return slot;
  }

  /** Number of distinct tests; they are numbered from 0. */
  get testCount(): number {
    return this.#tests.size;
  }

  /** Number of the test with this predicate, quantifier and scope; equal tests have the same number. */
  testOf(slot: number, quantifier: Quantifier, inGroup: boolean): number {
    const key = slot * 8 + quantifier * 2 + (inGroup ? 1 : 0);
    const known = this.#tests.get(key);
    if (known !== undefined) return known;
    const test = this.#tests.size;
    this.#tests.set(key, test);
    return test;
  }
}
