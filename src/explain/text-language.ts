/**
 * Text languages: each pattern of a condition as a machine that reads a text character by character. Run
 * side by side they tell which texts differ for a set of conditions, so that one text of each sort stands
 * for all of them, and a sort that no text has is known to be empty.
 */

/** Characters are code points; states are small integers. */
export interface TextLanguage {
  /** Equal keys = the same language. */
  readonly key: string;
  /** Characters that it tells from all others. */
  readonly characters: readonly string[];
  readonly start: number;
  step(state: number, character: string): number;
  accepts(state: number): boolean;
}

const DEAD = -1;
export const DIGITS: readonly string[] = Array.from('0123456789');
const DIGIT_SET: ReadonlySet<string> = new Set(DIGITS);

/** Exactly this text. */
export function wholeText(text: string): TextLanguage {
  const characters = Array.from(text);
  return {
    key: `=${text}`,
    characters,
    start: 0,
    step: (state, character) => (state >= 0 && characters[state] === character ? state + 1 : DEAD),
    accepts: (state) => state === characters.length,
  };
}

/** Texts that begin with this one; with "" those that are not empty. */
export function textPrefix(prefix: string): TextLanguage {
  const characters = Array.from(prefix);
  const length = Math.max(1, characters.length);
  return {
    key: `^${prefix}`,
    characters,
    start: 0,
    step(state, character) {
      if (state === length || characters.length === 0) return length;
      return state >= 0 && characters[state] === character ? state + 1 : DEAD;
    },
    accepts: (state) => state === length,
  };
}

/** For each number of matched characters, of how many the text read so far still ends with the beginning. */
function failures(characters: readonly string[]): readonly number[] {
  const failure = [0, 0];
  for (let i = 1; i < characters.length; i++) {
    let matched = failure[i] as number;
    while (matched > 0 && characters[matched] !== characters[i]) matched = failure[matched] as number;
    failure.push(characters[matched] === characters[i] ? matched + 1 : 0);
  }
  return failure;
}

/** Texts that hold `part`, or with `atEnd` those that end with it; `part` is not empty. */
export function textPart(part: string, atEnd: boolean): TextLanguage {
  const characters = Array.from(part);
  const { length } = characters;
  const failure = failures(characters);
  return {
    key: `${atEnd ? '$' : '~'}${part}`,
    characters,
    start: 0,
    step(state, character) {
      if (state === length && !atEnd) return state;
      let matched = state;
      while (matched > 0 && characters[matched] !== character) matched = failure[matched] as number;
      return characters[matched] === character ? matched + 1 : 0;
    },
    accepts: (state) => state === length,
  };
}

/** The empty text. */
export const EMPTY_TEXT: TextLanguage = {
  key: '',
  characters: [],
  start: 0,
  step: () => 1,
  accepts: (state) => state === 0,
};

/** Strings of digits as long as both ends, which are included. */
export function digitRange(from: string, to: string): TextLanguage {
  const { length } = from;
  // A state is the digits read, times 4, plus 1 while they equal the lower end's, plus 2 for the upper.
  return {
    key: `-${from}-${to}`,
    characters: DIGITS,
    start: 3,
    step(state, character) {
      const read = state >> 2;
      if (state < 0 || read === length || !DIGIT_SET.has(character)) return DEAD;
      const low = from.charAt(read);
      const high = to.charAt(read);
      if (((state & 1) !== 0 && character < low) || ((state & 2) !== 0 && character > high)) return DEAD;
      const isLow = (state & 1) !== 0 && character === low;
      const isHigh = (state & 2) !== 0 && character === high;
      return ((read + 1) << 2) | (isLow ? 1 : 0) | (isHigh ? 2 : 0);
    },
    accepts: (state) => state >> 2 === length,
  };
}

const isSpace = (character: string): boolean => character.trim() === '';

/** Texts as conditions see them: no space at either end. */
export const TRIMMED_TEXT: TextLanguage = {
  key: 'trimmed',
  characters: [],
  start: 0,
  // 0 = nothing read, 1 = the last is no space, 2 = it is one.
  step(state, character) {
    if (state === DEAD || (state === 0 && isSpace(character))) return DEAD;
    return isSpace(character) ? 2 : 1;
  },
  accepts: (state) => state === 0 || state === 1,
};

/** Canonical codes of the US: nine digits are cut to five (contract section 4.2). */
export const US_CODE: TextLanguage = {
  key: 'us',
  characters: DIGITS,
  start: 0,
  step: (state, character) => (state < 10 && DIGIT_SET.has(character) ? state + 1 : 10),
  accepts: (state) => state !== 9,
};

/** Canonical codes of the four UK countries: a space before the last three of 5 to 7 (contract section 4.2). */
export const UK_CODE: TextLanguage = {
  key: 'uk',
  characters: [' '],
  start: 0,
  // Characters before the space, at most 8; times 5, plus 0 before the space or 1 + the characters behind it.
  step(state, character) {
    if (state === DEAD) return DEAD;
    const before = Math.floor(state / 5);
    const behind = state % 5;
    if (isSpace(character)) return behind === 0 && before >= 2 && before <= 4 ? state + 1 : DEAD;
    if (behind === 0) return Math.min(8, before + 1) * 5;
    return behind < 4 ? state + 1 : DEAD;
  },
  accepts(state) {
    const before = Math.floor(state / 5);
    return state % 5 === 0 ? state >= 0 && (before < 5 || before > 7) : state % 5 === 4;
  },
};

/** Which of the languages hold the text: one character each. */
export function sortOf(languages: readonly TextLanguage[], text: string): string {
  const characters = Array.from(text);
  let sort = '';
  for (const language of languages) {
    let state = language.start;
    for (const character of characters) state = language.step(state, character);
    sort += language.accepts(state) ? '1' : '0';
  }
  return sort;
}
