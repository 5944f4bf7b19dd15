/**
 * Distinct texts: one text of each sort that a set of patterns can tell apart. Texts that a person would
 * recognise come first; what sorts they leave is found by walking all patterns at once, shortest texts first.
 */
import {
  LANGUAGE_STEPS_MAX,
  LANGUAGES_MAX,
  PROPOSED_LENGTH_MAX,
  type SearchLimits,
} from './search-limits.ts';
import { DIGITS, sortOf, type TextLanguage } from './text-language.ts';

export interface TextQuestion {
  /** The patterns that matter. */
  readonly languages: readonly TextLanguage[];
  /** Holds the texts that can stand where they are asked for, written as they are compared; null = all do. */
  readonly form: TextLanguage | null;
  /** Texts to begin with, as a person would write them. */
  readonly known: readonly string[];
  /** As texts are compared. */
  canonical(text: string): string;
  /** A text more like the present one, if that makes sense; tried in place of one that was made up. */
  familiar(text: string): string;
  /** Characters that may stand for all that no pattern names, the preferred first. */
  readonly others: readonly string[];
  /** Characters that no text may hold. */
  readonly forbidden: readonly string[];
}

/** Removes equal languages. */
export function distinctLanguages(languages: readonly TextLanguage[]): readonly TextLanguage[] {
  const byKey = new Map<string, TextLanguage>();
  for (const language of languages) if (!byKey.has(language.key)) byKey.set(language.key, language);
  return [...byKey.values()];
}

/** The empty text, if it is of a sort of its own, comes last. `present` (its sort) is left out. */
export function* distinctTexts(
  question: TextQuestion,
  present: string | null,
  limits: SearchLimits,
): Generator<string> {
  const languages = question.languages.slice(0, LANGUAGES_MAX);
  if (languages.length < question.languages.length) limits.wasLimited = true;
  const seen = new Set<string>();
  if (present !== null) seen.add(sortOf(languages, question.canonical(present)));
  const isNew = (text: string): boolean => {
    const canonical = question.canonical(text);
    if (!limits.spend(languages.length * (1 + canonical.length))) return false;
    const sort = sortOf(languages, canonical);
    return !seen.has(sort) && seen.add(sort).has(sort);
  };
  for (const text of question.known) {
    if (text.length > PROPOSED_LENGTH_MAX) limits.wasLimited = true;
    else if (question.canonical(text) !== '' && isNew(text)) yield text;
  }
  for (const text of madeUpTexts(question, languages, limits)) {
    if (question.canonical(text) !== text) limits.wasLimited = true;
    else if (isNew(text)) {
      const familiar = question.familiar(text);
      const isSame = sortOf(languages, question.canonical(familiar)) === sortOf(languages, text);
      yield isSame ? familiar : text;
    }
  }
  if (isNew('')) yield '';
}

interface Walk {
  readonly text: string;
  readonly states: readonly number[];
}

/** A text, shortest first, for each combination of states that the languages and the form can be in. */
function* madeUpTexts(
  { form, others, forbidden }: TextQuestion,
  languages: readonly TextLanguage[],
  limits: SearchLimits,
): Generator<string> {
  const machines = form === null ? languages : [form, ...languages];
  const alphabet = alphabetOf(machines, others, forbidden);
  const start: Walk = { text: '', states: machines.map((machine) => machine.start) };
  const visited = new Set([start.states.join()]);
  const queue = [start];
  let steps = 0;
  for (let at = 0; at < queue.length; at++) {
    const { text, states } = queue[at] as Walk;
    steps += alphabet.length * machines.length;
    if (steps > LANGUAGE_STEPS_MAX || !limits.spend(alphabet.length * machines.length)) {
      limits.wasLimited = true;
      return;
    }
    for (const character of alphabet) {
      const next = states.map((state, i) => (machines[i] as TextLanguage).step(state, character));
      const key = next.join();
      if (visited.has(key)) continue;
      visited.add(key);
      const longer = text + character;
      if (longer.length > PROPOSED_LENGTH_MAX) {
        limits.wasLimited = true;
        continue;
      }
      queue.push({ text: longer, states: next });
      if (form === null || form.accepts(next[0] as number)) yield longer;
    }
  }
}

/** What the patterns name, and before that one digit and one other character for what they do not. */
function alphabetOf(
  machines: readonly TextLanguage[],
  others: readonly string[],
  forbidden: readonly string[],
): readonly string[] {
  const named = new Set(machines.flatMap((machine) => machine.characters));
  const free = others.filter((character) => !named.has(character));
  const isDigit = (character: string) => DIGITS.includes(character);
  const made = free.filter(
    (character, index) => free.findIndex((other) => isDigit(other) === isDigit(character)) === index,
  );
  return [...made, ...named].filter((character) => !forbidden.includes(character));
}
