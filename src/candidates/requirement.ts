/**
 * Requirements: conditions in a form that can be negated and combined. A condition on items becomes "every item ..." or
 * "some item ..." with a test that may be negated, so the opposite of a requirement is also a requirement.
 */
import { compilePredicate, type Predicate, SOURCE, sourceOf, testText } from '../compile/predicate.ts';
import {
  CONDITION_TYPE_NAMES,
  CONDITION_TYPES,
  type Condition,
  FIELD,
  type PositiveOperator,
  positiveTwin,
  SCOPES,
} from '../domain/condition.ts';
import { valueAt } from '../runtime/map-entries.ts';
import {
  complement,
  type IntervalSet,
  intersection,
  interval,
  maxOf,
  minOf,
  points,
} from './interval-set.ts';
import type { Steps } from './steps.ts';
import { piecesOf, type TextPiece } from './text-search.ts';

/** `whole`: on the order, the request, the destination, the clock or a sum; `every` and `some`: on items. */
type RequirementKind = 'whole' | 'every' | 'some';

/** All field numbers of a source are below this. */
const FIELDS_MAX = 16;

type RequirementFields = Pick<
  Requirement,
  'kind' | 'inGroup' | 'predicate' | 'operator' | 'value' | 'negated'
>;

export class Requirement {
  readonly kind: RequirementKind;
  /** True when only the shippable items of the method's group count. */
  readonly inGroup: boolean;
  readonly predicate: Predicate;
  /** The positive operator, and the value of the condition, "" for `is_empty`. */
  readonly operator: PositiveOperator;
  readonly value: string;
  /** True when the result of the predicate's positive test is negated. */
  readonly negated: boolean;
  /** Equal for equal requirements. */
  readonly key: string;
  #opposite: Requirement | null = null;
  #numbers: IntervalSet | null = null;
  #pieces: readonly TextPiece[] | null = null;
  #characters: ReadonlySet<string> | null = null;

  constructor({ kind, inGroup, predicate, operator, value, negated }: RequirementFields) {
    this.kind = kind;
    this.inGroup = inGroup;
    this.predicate = predicate;
    this.operator = operator;
    this.value = value;
    this.negated = negated;
    const { source, field } = predicate;
    const words = [kind, inGroup ? 'in group' : '', negated ? 'not' : '', source, field, operator, value];
    this.key = words.join(' ');
  }

  /** Number of the tested value, by source and field. */
  get variable(): number {
    return variableOf(this.predicate.source, this.predicate.field);
  }

  /** Returns the requirement that is satisfied exactly when this one is not. */
  opposite(): Requirement {
    const kind = this.kind === 'every' ? 'some' : this.kind === 'some' ? 'every' : 'whole';
    this.#opposite ??= new Requirement({ ...this, kind, negated: !this.negated });
    return this.#opposite;
  }

  /** A text passes the positive test if it has one of these pieces; only for texts. */
  get pieces(): readonly TextPiece[] {
    this.#pieces ??= piecesOf(this.predicate);
    return this.#pieces;
  }

  /** True when one of its texts or prefixes contains this character. */
  names(character: string): boolean {
    this.#characters ??= new Set(this.pieces.flatMap(({ text }) => [...text]));
    return this.#characters.has(character);
  }

  /** True when a text in comparable form satisfies the requirement; only for texts. */
  isMetBy(text: string): boolean {
    return testText(this.predicate, text) !== this.negated;
  }

  /** Steps of `isMetBy`. */
  get textSteps(): number {
    return 1 + this.predicate.texts.length + this.predicate.prefixes.length;
  }

  /** Returns the possible numbers that satisfy the requirement; only for numbers and the clock. */
  numbers(): IntervalSet {
    this.#numbers ??= numbersOf(this);
    return this.#numbers;
  }
}

export const variableOf = (source: number, field: number): number => source * FIELDS_MAX + field;

/**
 * The local dates, as yyyymmdd, for the years 0 to 9999 in UTC. With its offset a request can reach up to two days
 * beyond either end.
 */
const DATES: IntervalSet = [-1_0000 + 1230, -1_0000 + 1231, 1_01, 1_0000_0102];

const ANY: IntervalSet = [0, Number.MAX_SAFE_INTEGER];

/** Number of a value -> the numbers that a request may contain (contract section 5); for a sum over items also `ANY`. */
const BOUNDS: ReadonlyMap<number, IntervalSet> = new Map([
  ...CONDITION_TYPE_NAMES.map((type): [number, IntervalSet] => {
    const { kind, bounds = ANY } = CONDITION_TYPES[type];
    return [variableOf(sourceOf(type), FIELD[type]), kind === 'date' ? DATES : bounds];
  }),
  [variableOf(SOURCE.groupSum, FIELD.product_quantity), [1, Number.MAX_SAFE_INTEGER]],
]);

const boundsOf = (source: number, field: number): IntervalSet => BOUNDS.get(variableOf(source, field)) ?? ANY;

/**
 * Returns a list that contains every text that can satisfy the requirements; null when no requirement gives a list.
 * Not for postal codes.
 */
export function onlyTexts(requirements: readonly Requirement[]): readonly string[] | null {
  const isList = ({ negated, operator, pieces }: Requirement) =>
    !negated && operator === 'equals' && pieces.every(({ kind }) => kind === 'whole');
  return requirements.find(isList)?.pieces.map(({ text }) => text) ?? null;
}

/** Returns the numbers of one value that satisfy all requirements on it. */
export function numbersAt(
  requirements: readonly Requirement[],
  source: number,
  field: number,
  steps: Steps,
): IntervalSet {
  let numbers = boundsOf(source, field);
  for (const each of requirements) {
    if (each.predicate.source !== source || each.predicate.field !== field) continue;
    steps.spend(numbers.length + each.numbers().length);
    numbers = intersection(numbers, each.numbers());
  }
  return numbers;
}

/** Weight, price and quantity of an item, or their sums, by `FIELD`. */
export type NumberSets = readonly [IntervalSet, IntervalSet, IntervalSet];

/** Returns the numbers of all three that satisfy the requirements. Items and the order use the same fields. */
export function numbersOfAll(requirements: readonly Requirement[], source: number, steps: Steps): NumberSets {
  const { product_weight: weight, product_price: price, product_quantity: quantity } = FIELD;
  const at = (field: number) => numbersAt(requirements, source, field, steps);
  return [at(weight), at(price), at(quantity)];
}

function numbersOf({ predicate, negated }: Requirement): IntervalSet {
  const bounds = boundsOf(predicate.source, predicate.field);
  const named =
    predicate.numbers.length > 0 ? points(predicate.numbers) : interval(predicate.low, predicate.high);
  return intersection(negated ? complement(named, minOf(bounds), maxOf(bounds)) : named, bounds);
}

/** A cache of the requirements of conditions. */
export class RequirementTable {
  readonly #byCondition = new Map<string, Requirement>();

  /** `condition` must have passed `findConditionDefect`. */
  of(condition: Condition): Requirement {
    const { conditionType, operator, value, scope } = condition;
    const key = `${conditionType}\0${operator}\0${scope}\0${value}`;
    return valueAt(this.#byCondition, key, () => requirementOf(condition));
  }
}

export function requirementOf(condition: Condition): Requirement {
  const predicate = compilePredicate(condition);
  const { operator } = positiveTwin(condition.operator);
  const { items, quantifier } = SCOPES[condition.scope];
  const isAboutItems = predicate.source <= SOURCE.itemNumber;
  // "No item does" is "every item does not".
  const isTurned = isAboutItems && quantifier === 'none';
  return new Requirement({
    kind: !isAboutItems ? 'whole' : quantifier === 'any' ? 'some' : 'every',
    inGroup: isAboutItems && items === 'group',
    predicate,
    operator,
    value: operator === 'is_empty' ? '' : condition.value,
    negated: predicate.negated !== isTurned,
  });
}
