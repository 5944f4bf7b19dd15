/**
 * Candidates among the changes of texts: a tag added, another state, another postal code. Texts are told
 * apart by the patterns of the conditions at stake, by the tags of product groups and by the subzones; one
 * text of each sort is tried.
 */
import { REQUEST_TEXT, SOURCE } from '../compile/predicate.ts';
import { type Condition, positiveTwin, splitAlternatives } from '../domain/condition.ts';
import {
  canonicalPostalCode,
  canonicalPostalPart,
  type PostalForm,
  parsePostalPattern,
  readPostalPattern,
  splitPostalPatterns,
} from '../domain/postal-code.ts';
import { comparable } from '../domain/text.ts';
import type { RequestChange } from '../wire/explained-answer.ts';
import { distinctLanguages, distinctTexts } from './distinct-texts.ts';
import { tagsOf } from './request-change.ts';
import { type ConditionAtStake, conditionsAtStake, type Question, type SearchCase } from './search-case.ts';
import { LANGUAGES_MAX, type SearchLimits } from './search-limits.ts';
import {
  DIGITS,
  digitRange,
  EMPTY_TEXT,
  type TextLanguage,
  TRIMMED_TEXT,
  textPart,
  textPrefix,
  UK_CODE,
  US_CODE,
  wholeText,
} from './text-language.ts';

const LETTERS: readonly string[] = Array.from('ZYXWVUTSRQPONMLKJIHGFEDCBA');
// When a shop's patterns name every letter, any character of no case will do.
const SYMBOLS: readonly string[] = Array.from('#+_~%&@!=^');
const SMALL_LETTERS: readonly string[] = LETTERS.map((letter) => letter.toLowerCase());

/** How many states of the zone's other conditions are proposed. */
const OTHER_STATES_MAX = 20;

/** Each sort of tag on each item that is not of one already: tag by tag, then item by item. */
export function* tagCandidates(
  at: SearchCase,
  question: Question,
  limits: SearchLimits,
): Generator<RequestChange> {
  const conditions = conditionsOf(at, question, ({ predicate }) => predicate.source === SOURCE.itemTags);
  const groupTags = at.scene.groupsListTags ? tagsOfGroups(at, limits) : [];
  const languages = [...conditions.flatMap(textLanguages), ...groupTags.map(comparable).map(wholeText)];
  const tags = distinctTexts(
    {
      languages: distinctLanguages(languages),
      form: TRIMMED_TEXT,
      known: [...conditions.flatMap(namedTexts), ...groupTags, 'other'].filter((tag) => !tag.includes(',')),
      canonical: comparable,
      familiar: (text) => text,
      others: [...SMALL_LETTERS, ...SYMBOLS],
      forbidden: [','],
    },
    null,
    limits,
  );
  const { items } = at.scene.request;
  for (const tag of tags) {
    if (tag === '') continue;
    for (const [itemIndex, item] of items.entries()) {
      const isThere = tagsOf(item).some((each) => comparable(each) === comparable(tag));
      if (!isThere) yield { kind: 'tag_added', itemIndex, tag };
    }
  }
}

function tagsOfGroups({ scene }: SearchCase, limits: SearchLimits): readonly string[] {
  const tags: string[] = [];
  for (const group of scene.shop.config.productGroups) {
    for (const tag of group.tags) {
      if (tags.length === LANGUAGES_MAX) {
        limits.wasLimited = true;
        return tags;
      }
      tags.push(tag.trim());
    }
  }
  return tags;
}

/** Each sort of state but the present one. */
export function* stateCandidates(
  at: SearchCase,
  question: Question,
  limits: SearchLimits,
): Generator<RequestChange> {
  const isState = ({ predicate: { source, field } }: ConditionAtStake) =>
    source === SOURCE.requestText && field === REQUEST_TEXT.state;
  const conditions = conditionsOf(at, question, isState);
  const states = distinctTexts(
    {
      languages: distinctLanguages(conditions.flatMap(textLanguages)),
      form: TRIMMED_TEXT,
      known: [...conditions.flatMap(namedTexts), ...statesOfZone(at), 'ZZ'],
      canonical: comparable,
      familiar: (text) => (comparable(text.toUpperCase()) === text ? text.toUpperCase() : text),
      others: [...SMALL_LETTERS, ...SYMBOLS],
      forbidden: [],
    },
    at.scene.request.destination.province ?? '',
    limits,
  );
  for (const to of states) yield { kind: 'state', to };
}

/** States that rules of the zone name: likelier to exist than one made up. */
function statesOfZone({ scene }: SearchCase): readonly string[] {
  const states: string[] = [];
  for (const { rules } of scene.zone.records.methods) {
    for (const condition of rules.flatMap((rule) => rule.conditions)) {
      if (condition.conditionType === 'destination_state') states.push(...namedTexts(condition));
      if (states.length >= OTHER_STATES_MAX) return states.slice(0, OTHER_STATES_MAX);
    }
  }
  return states;
}

/** Each sort of postal code but the present one. */
export function* postalCandidates(
  at: SearchCase,
  question: Question,
  limits: SearchLimits,
): Generator<RequestChange> {
  const { postalForm: form, zone, facts, request } = at.scene;
  const conditions = conditionsOf(at, question, ({ predicate }) => predicate.source === SOURCE.postalCode);
  const ofZone: string[] = [];
  for (const { postalCodes } of zone.records.zone.subzones) {
    if (!limits.spend(postalCodes.length)) return;
    ofZone.push(...splitPostalPatterns(postalCodes));
    // distinctTexts cuts what is too much, and says so.
    if (ofZone.length > LANGUAGES_MAX) break;
  }
  const present = facts.postalCode;
  const familiar = (text: string) => text + present.slice(text.length);
  const codesOf = (pattern: string) => codesOfPattern(pattern, familiar);
  const codes = distinctTexts(
    {
      languages: distinctLanguages([
        ...conditions.flatMap((condition) => postalLanguages(form, condition)),
        ...ofZone.flatMap((pattern) => languageOfPattern(form, pattern)),
      ]),
      form: form === 'uk' ? UK_CODE : form === 'us' ? US_CODE : null,
      known: [
        ...conditions.flatMap(namedPatterns).flatMap(codesOf),
        ...codesLike(present),
        ...ofZone.slice(0, LANGUAGES_MAX).flatMap(codesOf),
      ],
      canonical: (text) => canonicalPostalCode(form, text),
      familiar,
      others: /^[A-Z]/.test(present)
        ? [...LETTERS, ...DIGITS, ...SYMBOLS]
        : [...DIGITS, ...LETTERS, ...SYMBOLS],
      forbidden: form === 'uk' ? [] : [' ', '-'],
    },
    request.destination.postalCode ?? '',
    limits,
  );
  for (const to of codes) yield { kind: 'postal_code', to };
}

const conditionsOf = (
  at: SearchCase,
  question: Question,
  isWanted: (each: ConditionAtStake) => boolean,
): readonly Condition[] =>
  conditionsAtStake(at, question)
    .filter(isWanted)
    .map((each) => each.condition.condition);

const isEquality = ({ operator }: Condition): boolean => positiveTwin(operator).operator === 'equals';
const isEmptiness = ({ operator }: Condition): boolean => positiveTwin(operator).operator === 'is_empty';

/** The texts that a condition names, as they are written; of a prefix the text before its `*`. */
const namedTexts = (condition: Condition): readonly string[] =>
  isEmptiness(condition)
    ? []
    : splitAlternatives(condition.value)
        .map((text) => (isEquality(condition) && text.endsWith('*') ? text.slice(0, -1) : text))
        .filter((text) => text.trim() !== '');

function textLanguages(condition: Condition): readonly TextLanguage[] {
  const { operator } = positiveTwin(condition.operator);
  if (operator === 'is_empty') return [EMPTY_TEXT];
  return splitAlternatives(condition.value)
    .map(comparable)
    .map((text) => {
      if (operator === 'equals') return text.endsWith('*') ? textPrefix(text.slice(0, -1)) : wholeText(text);
      if (operator === 'starts_with') return textPrefix(text);
      return textPart(text, operator === 'ends_with');
    });
}

/** The patterns that a postal condition names; a part of a code as the pattern of codes that begin with it. */
const namedPatterns = (condition: Condition): readonly string[] =>
  isEmptiness(condition)
    ? []
    : splitAlternatives(condition.value).map((text) => (isEquality(condition) ? text : `${text.trim()}*`));

function postalLanguages(form: PostalForm, condition: Condition): readonly TextLanguage[] {
  const { operator } = positiveTwin(condition.operator);
  if (operator === 'is_empty') return [EMPTY_TEXT];
  return splitAlternatives(condition.value).flatMap((text) => {
    if (operator === 'equals') return languageOfPattern(form, text);
    const part = canonicalPostalPart(form, text);
    return operator === 'starts_with' ? textPrefix(part) : textPart(part, operator === 'ends_with');
  });
}

function languageOfPattern(form: PostalForm, text: string): readonly TextLanguage[] {
  const pattern = readPostalPattern(form, text);
  if (pattern === null) return [];
  switch (pattern.kind) {
    case 'exact':
      return [wholeText(pattern.code)];
    case 'prefix':
      return [textPrefix(pattern.prefix)];
    case 'range':
      return [digitRange(pattern.from, pattern.to)];
  }
}

/** Codes of a pattern as a person would write them. */
function codesOfPattern(text: string, familiar: (text: string) => string): readonly string[] {
  const pattern = parsePostalPattern(text);
  if (typeof pattern === 'string') return [];
  switch (pattern.kind) {
    case 'exact':
      return [pattern.code];
    case 'prefix':
      return [familiar(pattern.prefix)];
    case 'range':
      return [pattern.from, pattern.to];
  }
}

/** Codes of the shape of the present one, with one digit in place of each digit and one letter of each letter. */
const codesLike = (code: string): readonly string[] =>
  DIGITS.map((digit) => code.replace(/[0-9]/g, digit).replace(/[A-Z]/g, 'Z'));
