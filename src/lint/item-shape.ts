/**
 * Item shapes: what one item must look like to satisfy a set of requirements on single items, and to
 * belong to a group that is left to it. That no shape exists is certain, that one exists is not yet an item.
 */
import { ITEM_NUMBER, ITEM_TEXT, SOURCE } from '../compile/predicate.ts';
import type { GroupMap } from './group-map.ts';
import { type IntervalSet, isEmptySet } from './interval-set.ts';
import { numbersAt, onlyTexts, type Requirement, variableOf } from './requirement.ts';
import type { Steps } from './steps.ts';
import { ANY_TEXT, findTags, findText, isTextFit } from './text-search.ts';

export interface ItemShape {
  readonly weightGrams: IntervalSet;
  readonly priceCents: IntervalSet;
  readonly quantity: IntervalSet;
  /** Field of `ITEM_TEXT` -> a text that does, for the fields that requirements look at. */
  readonly texts: ReadonlyMap<number, string>;
  readonly tags: readonly string[];
  /** Indexes of the groups that it may belong to; of many the first GROUPS_MAX. */
  readonly groups: readonly number[];
  readonly requirements: readonly Requirement[];
}

/** Groups that are enough to choose an example from. */
const GROUPS_MAX = 16;

const GROUP_VARIABLE = variableOf(SOURCE.itemText, ITEM_TEXT.group);

/**
 * The shape of an item of one of `groups`, which are a single one or all that can be filled; null when there is
 * certainly none.
 */
export function shapeOf(
  requirements: readonly Requirement[],
  groups: readonly number[],
  map: GroupMap,
  steps: Steps,
): ItemShape | null {
  steps.spend(requirements.length);
  const onGroup = requirements.filter((each) => each.variable === GROUP_VARIABLE);
  const left = groupsLeft(onGroup, groups, map, steps);
  if (left.length === 0) return null;
  const numbers = (field: number) => numbersAt(requirements, SOURCE.itemNumber, field, steps);
  const weightGrams = numbers(ITEM_NUMBER.weight);
  const priceCents = numbers(ITEM_NUMBER.price);
  const quantity = numbers(ITEM_NUMBER.quantity);
  if ([weightGrams, priceCents, quantity].some(isEmptySet)) return null;
  const onTexts = requirements.filter(
    ({ predicate: { source }, variable }) =>
      source === SOURCE.itemTags || (source === SOURCE.itemText && variable !== GROUP_VARIABLE),
  );
  const words = wordsOf(onTexts, left, map, steps);
  return words && { weightGrams, priceCents, quantity, ...words, groups: left, requirements };
}

/** The first of the groups that satisfy the requirements on the group itself. */
function groupsLeft(
  onGroup: readonly Requirement[],
  groups: readonly number[],
  map: GroupMap,
  steps: Steps,
): readonly number[] {
  const left: number[] = [];
  for (const group of namedBy(onGroup, groups, map)) {
    if (left.length === GROUPS_MAX) break;
    if (isTextFit(onGroup, map.all[group]?.comparableId ?? '', steps)) left.push(group);
  }
  return left;
}

/** Those of the groups that can satisfy the requirements at all: of many, looked up where they are named. */
function namedBy(
  onGroup: readonly Requirement[],
  groups: readonly number[],
  map: GroupMap,
): readonly number[] {
  const ids = groups.length === 1 ? null : onlyTexts(onGroup);
  return ids === null ? groups : map.fillableNamed(ids);
}

type Words = Pick<ItemShape, 'texts' | 'tags'>;

/** Texts and tags that satisfy the requirements and, if one group is left, may belong to it. */
function wordsOf(
  onTexts: readonly Requirement[],
  groups: readonly number[],
  map: GroupMap,
  steps: Steps,
): Words | null {
  const [group] = groups;
  const routes = groups.length === 1 && group !== undefined ? map.membership.routesTo(group) : null;
  if (onTexts.length === 0 || routes === null) return findWords(onTexts, steps);
  for (const route of routes) {
    const words = findWords([...onTexts, ...route], steps);
    if (words !== null) return words;
  }
  return null;
}

function findWords(onTexts: readonly Requirement[], steps: Steps): Words | null {
  const tags = findTags(
    onTexts.filter(({ predicate }) => predicate.source === SOURCE.itemTags),
    steps,
  );
  if (tags === null) return null;
  const texts = new Map<number, string>();
  for (const { predicate, variable } of onTexts) {
    const { source, field } = predicate;
    if (source === SOURCE.itemTags || texts.has(field)) continue;
    const text = findText(
      onTexts.filter((each) => each.variable === variable),
      ANY_TEXT,
      steps,
    );
    if (text === null) return null;
    texts.set(field, text);
  }
  return { texts, tags };
}
