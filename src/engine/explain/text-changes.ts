/**
 * Changes of texts: an added tag, another state, another postal code. Texts are those that the conditions at stake, the
 * product groups and the subzones name, and a few others. Of texts with the same outcome for all of these, only the first is
 * tried.
 */
import { type Predicate, SOURCE, testPostalCode, testText } from '../compile/predicate.ts';
import { type Condition, FIELD, positiveTwin, splitAlternatives } from '../domain/condition.ts';
import { canonicalPostalCode, eachPostalPattern } from '../domain/postal-code.ts';
import { comparable, splitTags } from '../domain/text.ts';
import { joinedTexts } from '../probes/condition-values.ts';
import { postalExamples } from '../probes/postal-examples.ts';
import type { RequestChange } from '../wire/explained-answer.ts';
import { predicateOf, type Scene, type SearchCase } from './search-case.ts';

/** Maximum number of states proposed from other conditions of the zone. */
const OTHER_STATES_MAX = 20;

/** Returns the conditions at stake that test this text. */
function conditionsOn(at: SearchCase, source: number, field = 0) {
  const all = at.atStake.flatMap(({ conditions }) =>
    conditions.map((compiled) => ({
      condition: compiled.condition,
      predicate: predicateOf(at.scene, compiled),
    })),
  );
  const own = all.filter(({ predicate }) => predicate.source === source && predicate.field === field);
  return { conditions: own.map((each) => each.condition), predicates: own.map((each) => each.predicate) };
}

/** Yields the first text of each sort, except that of the present text. Texts of a sort have the same outcomes. */
function* unlike(
  { limits }: SearchCase,
  texts: Iterable<string>,
  sortOf: (text: string) => string,
  present?: string,
): Generator<string> {
  const seen = new Set(present === undefined ? [] : [sortOf(present)]);
  for (const text of limits.firstOf(texts)) {
    const sort = sortOf(text);
    if (!limits.spend(sort.length * (1 + text.length))) return;
    if (!seen.has(sort)) yield text;
    seen.add(sort);
  }
}

const outcomes = (predicates: readonly Predicate[], test: (predicate: Predicate) => boolean): string =>
  predicates.map((predicate) => (test(predicate) ? '1' : '0')).join('');

function* withNone(texts: Iterable<string>): Generator<string> {
  for (const text of texts) if (text !== '') yield text;
  yield '';
}

/** Yields changes that add one tag of each sort to each item without it: tag by tag, then item by item. */
export function* tagChanges(at: SearchCase): Generator<RequestChange> {
  const { conditions, predicates } = conditionsOn(at, SOURCE.itemTags);
  const ofGroups = [...at.limits.firstOf(tagsOfGroups(at.scene))];
  if (conditions.length + ofGroups.length === 0) return;
  const written = byComparable([...conditions.flatMap(namedTexts), ...ofGroups]);
  const listed = new Set(ofGroups.map(comparable));
  const proposed = [...textsFor(conditions), ...listed, 'other'];
  const sortOf = (tag: string) =>
    `${outcomes(predicates, (each) => testText(each, tag))} ${listed.has(tag) ? tag : ''}`;
  for (const tag of unlike(at, proposed, sortOf)) {
    if (tag.includes(',')) continue;
    for (const [itemIndex, { properties }] of at.scene.facts.request.items.entries()) {
      const isThere = splitTags(properties?.tag ?? '').some((each) => comparable(each) === tag);
      if (!isThere) yield { kind: 'tag_added', itemIndex, tag: written.get(tag) ?? tag };
    }
  }
}

function* tagsOfGroups({ facts }: Scene): Generator<string> {
  for (const { tags } of facts.shop.config.productGroups) yield* tags;
}

/** Yields one state of each sort except the present sort; an omitted state comes last. */
export function* stateChanges(at: SearchCase): Generator<RequestChange> {
  const { conditions, predicates } = conditionsOn(at, SOURCE.requestText, FIELD.destination_state);
  const ofZone = statesOfZone(at.scene);
  const written = byComparable([...conditions.flatMap(namedTexts), ...ofZone]);
  const proposed = [...textsFor(conditions), ...ofZone.map(comparable), 'zz'];
  const sortOf = (state: string) => outcomes(predicates, (each) => testText(each, state));
  const present = comparable(at.scene.facts.request.destination.province ?? '');
  for (const state of unlike(at, withNone(proposed), sortOf, present)) {
    yield { kind: 'state', to: written.get(state) ?? state.toUpperCase() };
  }
}

/** Returns states that rules of the zone name; these probably exist, made-up states may not. */
function statesOfZone({ zone }: Scene): readonly string[] {
  const states: string[] = [];
  for (const { rules } of zone.records.methods) {
    for (const condition of rules.flatMap((rule) => rule.conditions)) {
      if (condition.conditionType === 'destination_state') states.push(...namedTexts(condition));
      if (states.length >= OTHER_STATES_MAX) return states.slice(0, OTHER_STATES_MAX);
    }
  }
  return states;
}

/** Yields one postal code of each sort except the present sort; an omitted code comes last. */
export function* postalChanges(at: SearchCase): Generator<RequestChange> {
  const { zone, facts } = at.scene;
  const { request, postalCode: present, postalForm: form } = facts;
  const country = request.destination.country.toUpperCase();
  const { conditions, predicates } = conditionsOn(at, SOURCE.postalCode);
  const ofSubzones = conditionsOn(at, SOURCE.requestText, FIELD.destination_subzone).conditions;
  if (conditions.length + ofSubzones.length === 0) return;
  const sortOf = (text: string) => {
    const code = canonicalPostalCode(form, text);
    const passed = outcomes(predicates, (each) => testPostalCode(each, form, code));
    return `${passed} ${zone.subzoneAt(form, code)}`;
  };
  /** Codes that match a pattern, that like the present code first. */
  const matching = (pattern: string): readonly string[] => {
    const beginning = pattern.endsWith('*') ? pattern.slice(0, -1).trim().toUpperCase() : null;
    const alike = beginning === null ? [] : [beginning + present.slice(beginning.length)];
    return [...alike, ...postalExamples(country, pattern)];
  };
  const named = ({ operator, value }: Condition): readonly string[] => {
    const { operator: test } = positiveTwin(operator);
    if (test === 'is_empty') return [];
    const texts = splitAlternatives(value);
    if (test === 'equals') return texts.flatMap(matching);
    if (test === 'starts_with') return texts.flatMap((text) => [...matching(`${text}*`), text]);
    const withPresent = (text: string) => [present.slice(0, -text.length) + text, present + text];
    return texts.flatMap((text) => [...withPresent(text), text]);
  };
  function* proposed(): Generator<string> {
    yield* conditions.flatMap(named);
    // Same shape as the present code, with all digits replaced by one digit and all letters by one letter.
    for (const digit of '0123456789') yield present.replace(/[0-9]/g, digit).replace(/[A-Z]/g, 'Z');
    for (const pattern of at.limits.firstOf(patternsOf(at.scene))) yield* matching(pattern);
    for (const text of joinedTexts(conditions)) yield text.toUpperCase();
  }
  const codes = unlike(at, withNone(proposed()), sortOf, request.destination.postalCode ?? '');
  for (const to of codes) yield { kind: 'postal_code', to };
}

function* patternsOf({ zone }: Scene): Generator<string> {
  for (const { postalCodes } of zone.records.zone.subzones) yield* eachPostalPattern(postalCodes);
}

/** Returns the texts of a condition as written; for a prefix the text before its `*`. */
function namedTexts({ operator, value }: Condition): readonly string[] {
  const twin = positiveTwin(operator).operator;
  if (twin === 'is_empty') return [];
  return splitAlternatives(value).map((text) =>
    twin === 'equals' && text.endsWith('*') ? text.slice(0, -1).trim() : text,
  );
}

/** The texts of the conditions in comparable form, then joined ones. */
const textsFor = (conditions: readonly Condition[]): readonly string[] =>
  [...conditions.flatMap(namedTexts), ...joinedTexts(conditions)]
    .map(comparable)
    .filter((text) => text !== '');

/** Returns a map: text in comparable form -> its first spelling. */
const byComparable = (texts: readonly string[]): ReadonlyMap<string, string> =>
  new Map(texts.toReversed().map((text) => [comparable(text), text.trim()]));
