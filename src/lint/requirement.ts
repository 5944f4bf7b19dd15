/**
 * Requirements: conditions in a form that can be negated and combined. A condition over items becomes
 * "every item ..." or "some item ..." with a test that may be turned round, so that the opposite of a
 * requirement is a requirement too.
 */
import {
  compilePredicate,
  ITEM_NUMBER,
  ORDER_NUMBER,
  type Predicate,
  SOURCE,
  TEST,
} from '../compile/predicate.ts';
import { GRAMS_MAX, PRICE_MAX, QUANTITY_MAX } from '../domain/cart.ts';
import { type Condition, positiveTwin, SCOPES, splitAlternatives } from '../domain/condition.ts';
import { testText } from '../evaluate/predicate-test.ts';
import { complement, type IntervalSet, intersection, interval, points } from './interval-set.ts';
import { PieceSet } from './piece-set.ts';
import type { Steps } from './steps.ts';

/** `whole` is about the order, the request, the destination, the clock or a sum; the others about items. */
export type RequirementKind = 'whole' | 'every' | 'some';

/** So many prefixes are looked through one by one. */
const PREFIX_SCAN_MAX = 8;

/** Fields of one source have numbers below this. */
const FIELDS_MAX = 16;

export class Requirement {
  readonly kind: RequirementKind;
  /** True when only the shippable items of the method's group count. */
  readonly inGroup: boolean;
  readonly predicate: Predicate;
  /** The alternatives as they are written. */
  readonly operands: readonly string[];
  /** True when the answer of the predicate's positive test is turned round. */
  readonly negated: boolean;
  /** Equal for requirements that ask the same. */
  readonly key: string;
  readonly #statement: string;
  #opposite: Requirement | null = null;
  #numbers: IntervalSet | null = null;
  #prefixes: PieceSet | null = null;
  #named: Map<string, boolean> | null = null;

  constructor(
    kind: RequirementKind,
    inGroup: boolean,
    predicate: Predicate,
    operands: readonly string[],
    negated: boolean,
    statement: string,
  ) {
    this.kind = kind;
    this.inGroup = inGroup;
    this.predicate = predicate;
    this.operands = operands;
    this.negated = negated;
    this.#statement = statement;
    this.key = `${kind}${inGroup ? ' in group' : ''}${negated ? ' not ' : ' '}${statement}`;
  }

  /** Which value it looks at; two requirements on different ones do not meet. */
  get variable(): number {
    return this.predicate.source * FIELDS_MAX + this.predicate.field;
  }

  /** True exactly where this one is not. */
  opposite(): Requirement {
    const kind = this.kind === 'every' ? 'some' : this.kind === 'some' ? 'every' : 'whole';
    this.#opposite ??= new Requirement(
      kind,
      this.inGroup,
      this.predicate,
      this.operands,
      !this.negated,
      this.#statement,
    );
    return this.#opposite;
  }

  /** Whether a text in comparable form satisfies it; only for texts. */
  isMetBy(text: string): boolean {
    const { texts, textSet, prefixes } = this.predicate;
    const isHeld =
      prefixes.length <= PREFIX_SCAN_MAX
        ? testText(this.predicate, text)
        : (textSet === null ? texts.includes(text) : textSet.has(text)) ||
          (text !== '' && this.hasPrefixOf(text));
    return isHeld !== this.negated;
  }

  /** Steps of `isMetBy`. */
  get textSteps(): number {
    return this.predicate.texts.length + 1;
  }

  /** True when the text begins with one of its prefixes. */
  hasPrefixOf(text: string): boolean {
    this.#prefixes ??= new PieceSet(this.predicate.prefixes);
    return this.#prefixes.beginsIn(text);
  }

  /** True when one of its texts or prefixes has this part. */
  names(part: string): boolean {
    this.#named ??= new Map();
    let isNamed = this.#named.get(part);
    if (isNamed === undefined) {
      const { texts, textSet, prefixes } = this.predicate;
      isNamed = [texts, prefixes, [...(textSet ?? [])]].some((list) =>
        list.some((text) => text.includes(part)),
      );
      this.#named.set(part, isNamed);
    }
    return isNamed;
  }

  /** The numbers that satisfy it, of those that its value can have; only for numbers and the clock. */
  numbers(): IntervalSet {
    this.#numbers ??= numbersOf(this);
    return this.#numbers;
  }
}

export const variableOf = (source: number, field: number): number => source * FIELDS_MAX + field;

/**
 * Requirement that a text (`source` and `field` of one) is one of these or, if it is not empty, begins with
 * one of these prefixes; all in comparable form. `name` tells it from others on the same text.
 */
export function listedIn(
  place: Pick<Predicate, 'source' | 'field'>,
  texts: readonly string[],
  prefixes: readonly string[],
  name: string,
): Requirement {
  const list = { ...BLANK, ...place, textSet: new Set(texts), prefixes };
  return new Requirement('some', true, list, [], false, `${place.source}.${place.field} listed ${name}`);
}

const BLANK = compilePredicate({
  conditionType: 'product_sku',
  operator: 'equals',
  value: 'x',
  scope: 'any_product_in_group',
});

/** The first day of the year 0. */
const DATE_MIN = 1_01;
/** Years beyond this are no dates of JavaScript. */
const DATE_MAX = 275_760_0913;

const ITEM_BOUNDS: Readonly<Record<number, IntervalSet>> = {
  [ITEM_NUMBER.weight]: [0, GRAMS_MAX],
  [ITEM_NUMBER.price]: [0, PRICE_MAX],
  [ITEM_NUMBER.quantity]: [1, QUANTITY_MAX],
};
const SUM_BOUNDS: Readonly<Record<number, IntervalSet>> = {
  [ITEM_NUMBER.weight]: [0, Number.MAX_SAFE_INTEGER],
  [ITEM_NUMBER.price]: [0, Number.MAX_SAFE_INTEGER],
  [ITEM_NUMBER.quantity]: [1, Number.MAX_SAFE_INTEGER],
};
const ORDER_BOUNDS: Readonly<Record<number, IntervalSet>> = {
  [ORDER_NUMBER.weight]: [0, Number.MAX_SAFE_INTEGER],
  [ORDER_NUMBER.total]: [0, Number.MAX_SAFE_INTEGER],
  [ORDER_NUMBER.quantity]: [1, Number.MAX_SAFE_INTEGER],
  [ORDER_NUMBER.uniqueItems]: [1, Number.MAX_SAFE_INTEGER],
  [ORDER_NUMBER.day]: [0, 6],
  [ORDER_NUMBER.time]: [0, 1_439],
  [ORDER_NUMBER.date]: [DATE_MIN, DATE_MAX],
};

/** The numbers that a value can have at all: those that a request may hold (contract section 5). */
function numberBounds(source: number, field: number): IntervalSet {
  const bounds =
    source === SOURCE.itemNumber ? ITEM_BOUNDS : source === SOURCE.groupSum ? SUM_BOUNDS : ORDER_BOUNDS;
  return bounds[field] as IntervalSet;
}

/**
 * Texts of which the text that the requirements are on has to be one, as one of them lists them all; null
 * when none does. Not for postal codes.
 */
export function onlyTexts(requirements: readonly Requirement[]): readonly string[] | null {
  for (const { predicate, negated } of requirements) {
    const { test, texts, textSet, prefixes } = predicate;
    if (!negated && test === TEST.equals && prefixes.length === 0) return [...(textSet ?? texts)];
  }
  return null;
}

/** The numbers of one value that satisfy all requirements on it. */
export function numbersAt(
  requirements: readonly Requirement[],
  source: number,
  field: number,
  steps: Steps,
): IntervalSet {
  let numbers = numberBounds(source, field);
  for (const each of requirements) {
    if (each.predicate.source !== source || each.predicate.field !== field) continue;
    steps.spend(numbers.length + each.numbers().length);
    numbers = intersection(numbers, each.numbers());
  }
  return numbers;
}

function numbersOf({ predicate, negated }: Requirement): IntervalSet {
  const bounds = numberBounds(predicate.source, predicate.field);
  const named =
    predicate.numbers.length > 0 ? points(predicate.numbers) : interval(predicate.low, predicate.high);
  return negated ? complement(named, bounds[0] as number, bounds[1] as number) : intersection(named, bounds);
}

/** Requirements of conditions, each made once. */
export class RequirementTable {
  readonly #byCondition = new Map<string, Requirement>();

  /** `condition` passed `findConditionDefect`. */
  of(condition: Condition): Requirement {
    const { conditionType, operator, value, scope } = condition;
    const key = `${conditionType}\0${operator}\0${scope}\0${value}`;
    let requirement = this.#byCondition.get(key);
    if (requirement === undefined) {
      requirement = requirementOf(condition);
      this.#byCondition.set(key, requirement);
    }
    return requirement;
  }
}

function requirementOf(condition: Condition): Requirement {
  const predicate = compilePredicate(condition);
  const { operator } = positiveTwin(condition.operator);
  const { items, quantifier } = SCOPES[condition.scope];
  const isAboutItems = predicate.source <= SOURCE.itemNumber;
  const kind = !isAboutItems ? 'whole' : quantifier === 'any' ? 'some' : 'every';
  // "No item does" is "every item does not".
  const isTurned = isAboutItems && quantifier === 'none';
  return new Requirement(
    kind,
    isAboutItems && items === 'group',
    predicate,
    operator === 'is_empty' ? [] : splitAlternatives(condition.value),
    predicate.negated !== isTurned,
    `${predicate.source}.${predicate.field} ${operator} ${operator === 'is_empty' ? '' : condition.value}`,
  );
}
