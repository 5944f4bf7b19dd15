/**
 * Requirements: conditions of one rule against each other. Two of them contradict each other when they look at the same value
 * of the same items and no number, or none of the listed texts, satisfies both. Nothing else is decided: other conditions may
 * hold together or not.
 */
import {
  compilePredicate,
  type Predicate,
  SOURCE,
  sourceOf,
  TEST,
  testNumber,
  testText,
} from '../compile/predicate.ts';
import { CONDITION_TYPES, type Condition, SCOPES } from '../domain/condition.ts';

export interface Requirement {
  readonly condition: Condition;
  readonly predicate: Predicate;
  /** `whole`: on the order, the request, the destination, the clock or a sum; `every` and `some`: on items. */
  readonly kind: 'whole' | 'every' | 'some';
  /** True when only the shippable items of the method's group count. */
  readonly inGroup: boolean;
  /** True when the result of the predicate's positive test is negated. */
  readonly negated: boolean;
  /** The least and the greatest number that a request can have. */
  readonly bounds: readonly [number, number];
}

/** Dates as yyyymmdd; with its offset a request can reach two days beyond the years 0 to 9999. */
const DATES = [-1_0000 + 1230, 1_0000_0102] as const;
const SUMS = [0, Number.MAX_SAFE_INTEGER] as const;

export function requirementOf(condition: Condition): Requirement {
  const predicate = compilePredicate(condition);
  const { conditionType, scope } = condition;
  const { items, quantifier } = SCOPES[scope];
  const isAboutItems = predicate.source <= SOURCE.itemNumber;
  const { kind, bounds = SUMS } = CONDITION_TYPES[conditionType] as {
    readonly kind: string;
    readonly bounds?: readonly [number, number];
  };
  const isSum = sourceOf(conditionType) === SOURCE.itemNumber && !isAboutItems;
  return {
    condition,
    predicate,
    kind: !isAboutItems ? 'whole' : quantifier === 'any' ? 'some' : 'every',
    inGroup: isAboutItems && items === 'group',
    // "No item does" is "every item does not".
    negated: predicate.negated !== (isAboutItems && quantifier === 'none'),
    bounds: isSum ? [bounds[0], SUMS[1]] : kind === 'date' ? DATES : bounds,
  };
}

/** True only when no value of a request satisfies the requirement. */
export const isImpossible = (requirement: Requirement): boolean => isEmpty(requirement, requirement);

/** True only when every request satisfies the requirement. */
export const isCertain = (requirement: Requirement): boolean =>
  isImpossible({ ...requirement, negated: !requirement.negated });

/** True only when no request satisfies both. */
export function contradict(a: Requirement, b: Requirement): boolean {
  if (a.predicate.source !== b.predicate.source || a.predicate.field !== b.predicate.field) return false;
  // Different items may satisfy two requirements on some item; items of the group are items of the order.
  if (a.kind === 'some' && b.kind === 'some') return false;
  if (a.kind === 'every' && b.kind === 'some' && a.inGroup && !b.inGroup) return false;
  if (b.kind === 'every' && a.kind === 'some' && b.inGroup && !a.inGroup) return false;
  return isEmpty(a, b);
}

/** Numbers of one condition that are compared with those of another. */
const NUMBERS_MAX = 500;

/** True only when no value satisfies both. */
function isEmpty(a: Requirement, b: Requirement): boolean {
  const { source, test } = a.predicate;
  if (source === SOURCE.postalCode) return a.negated !== b.negated && isSameTest(a, b);
  if (test === TEST.number) return hasNoNumber(a, b);
  if (source === SOURCE.itemTags || source === SOURCE.customerTags)
    return excludesTags(a, b) || excludesTags(b, a);
  return excludesTexts(a, b) || excludesTexts(b, a);
}

const isSameTest = (
  { predicate: a, condition }: Requirement,
  { predicate: b, condition: other }: Requirement,
): boolean => a.test === b.test && (a.test === TEST.isEmpty || condition.value === other.value);

/** Tests the numbers at which either outcome changes: between two of them it stays the same. */
function hasNoNumber(a: Requirement, b: Requirement): boolean {
  const cuts = [a, b].flatMap(({ predicate: { numbers, low, high } }) =>
    numbers.length > 0 ? numbers.flatMap((one) => [one, one + 1]) : [low, high + 1],
  );
  if (cuts.length > NUMBERS_MAX) return false;
  const [least, most] = [Math.max(a.bounds[0], b.bounds[0]), Math.min(a.bounds[1], b.bounds[1])];
  const holds = ({ predicate, negated }: Requirement, number: number) =>
    testNumber(predicate, number) !== negated;
  return [least, ...cuts].every(
    (number) => number < least || number > most || !holds(a, number) || !holds(b, number),
  );
}

/** Every text that satisfies the requirement, if they are listed; null if not. */
function listedTexts({
  predicate: { test, texts, textSet, prefixes },
  negated,
}: Requirement): readonly string[] | null {
  if (negated) return null;
  if (test === TEST.isEmpty) return [''];
  return test === TEST.equals && prefixes.length === 0 ? [...(textSet ?? texts)] : null;
}

const excludesTexts = (listing: Requirement, { predicate, negated }: Requirement): boolean =>
  listedTexts(listing)?.every((text) => testText(predicate, text) === negated) ??
  isSameNegated(listing, { predicate, negated });

/** True when one is the negation of the other. */
const isSameNegated = (
  { predicate: a, negated }: Requirement,
  { predicate: b, negated: isOther }: Pick<Requirement, 'predicate' | 'negated'>,
): boolean =>
  negated !== isOther &&
  a.test === b.test &&
  a.textSet === null &&
  b.textSet === null &&
  JSON.stringify([a.texts, a.prefixes]) === JSON.stringify([b.texts, b.prefixes]);

/** An item or a customer may have any tags: one tag excludes another only where a negative requirement forbids it. */
function excludesTags(wanting: Requirement, other: Requirement): boolean {
  if (wanting.predicate.test === TEST.isEmpty) {
    // Has a tag; has none.
    return wanting.negated && other.predicate.test === TEST.isEmpty && !other.negated;
  }
  if (wanting.negated) return false;
  if (other.predicate.test === TEST.isEmpty) return !other.negated;
  if (!other.negated) return false;
  const texts = listedTexts(wanting);
  return texts?.every((text) => testText(other.predicate, text)) ?? isSameNegated(wanting, other);
}
