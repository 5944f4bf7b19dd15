/**
 * Item shapes: what one item must look like to satisfy a set of requirements on single items, and to
 * belong to a group that is left to it. That no shape exists is certain, that one exists is not yet an item.
 */
import { ITEM_NUMBER, ITEM_TEXT, SOURCE } from '../compile/predicate.ts';
import { testText } from '../evaluate/predicate-test.ts';
import type { GroupMap } from './group-map.ts';
import { type IntervalSet, intersection, isEmptySet } from './interval-set.ts';
import { numberBounds, type Requirement, variableOf } from './requirement.ts';
import { ANY_TEXT, findTags, findText } from './text-search.ts';

export interface ItemShape {
  readonly weightGrams: IntervalSet;
  readonly priceCents: IntervalSet;
  readonly quantity: IntervalSet;
  /** Field of `ITEM_TEXT` -> a text that does, for the fields that requirements look at. */
  readonly texts: ReadonlyMap<number, string>;
  readonly tags: readonly string[];
  /** Indexes of the groups that it may belong to. */
  readonly groups: readonly number[];
  readonly requirements: readonly Requirement[];
}

const GROUP_VARIABLE = variableOf(SOURCE.itemText, ITEM_TEXT.group);

/** The shape of an item of one of `groups`; null when there is certainly none. */
export function shapeOf(
  requirements: readonly Requirement[],
  groups: readonly number[],
  map: GroupMap,
): ItemShape | null {
  const onGroup = requirements.filter((each) => each.variable === GROUP_VARIABLE);
  const isFit = (group: number): boolean => {
    const id = map.all[group]?.comparableId ?? '';
    return onGroup.every(({ predicate, negated }) => testText(predicate, id) !== negated);
  };
  const left = onGroup.length === 0 ? groups : groups.filter(isFit);
  if (left.length === 0) return null;
  const weightGrams = numbersAt(requirements, ITEM_NUMBER.weight);
  const priceCents = numbersAt(requirements, ITEM_NUMBER.price);
  const quantity = numbersAt(requirements, ITEM_NUMBER.quantity);
  if ([weightGrams, priceCents, quantity].some(isEmptySet)) return null;
  const onTexts = requirements.filter(
    ({ predicate: { source }, variable }) =>
      source === SOURCE.itemTags || (source === SOURCE.itemText && variable !== GROUP_VARIABLE),
  );
  const words = wordsOf(onTexts, left, map);
  return words && { weightGrams, priceCents, quantity, ...words, groups: left, requirements };
}

type Words = Pick<ItemShape, 'texts' | 'tags'>;

/** Texts and tags that satisfy the requirements and, if one group is left, may belong to it. */
function wordsOf(onTexts: readonly Requirement[], groups: readonly number[], map: GroupMap): Words | null {
  const [group] = groups;
  const routes = groups.length === 1 && group !== undefined ? map.membership.routesTo(group) : null;
  if (onTexts.length === 0 || routes === null) return findWords(onTexts);
  for (const route of routes) {
    const words = findWords([...onTexts, ...route]);
    if (words !== null) return words;
  }
  return null;
}

function findWords(onTexts: readonly Requirement[]): Words | null {
  const tags = findTags(onTexts.filter(({ predicate }) => predicate.source === SOURCE.itemTags));
  if (tags === null) return null;
  const texts = new Map<number, string>();
  for (const { predicate, variable } of onTexts) {
    const { source, field } = predicate;
    if (source === SOURCE.itemTags || texts.has(field)) continue;
    const text = findText(
      onTexts.filter((each) => each.variable === variable),
      ANY_TEXT,
    );
    if (text === null) return null;
    texts.set(field, text);
  }
  return { texts, tags };
}

function numbersAt(requirements: readonly Requirement[], field: number): IntervalSet {
  let numbers = numberBounds(SOURCE.itemNumber, field);
  for (const each of requirements) {
    if (each.predicate.source === SOURCE.itemNumber && each.predicate.field === field) {
      numbers = intersection(numbers, each.numbers());
    }
  }
  return numbers;
}
