/**
 * Postal atoms: what one alternative of a condition requires of a canonical postal code. Contradictions are found with
 * `canMeet` (can one code match both atoms?) and `covers` (does one atom match every code that the other matches?).
 */
import { textTest } from '../compile/predicate.ts';
import { type PositiveOperator, splitAlternatives } from '../domain/condition.ts';
import {
  canonicalPostalPart,
  matchesPostalPattern,
  type PostalForm,
  type PostalPattern,
  type PostalRange,
  readPostalPattern,
} from '../domain/postal-code.ts';
import { PIECE_KINDS, type TextPiece } from './text-search.ts';

export type PostalAtom =
  | PostalPattern
  | { readonly kind: 'part'; readonly text: string }
  | { readonly kind: 'end'; readonly text: string };

/** Returns an atom for each alternative of a condition with this value; none for `is_empty`. */
export function atomsOf(form: PostalForm, operator: PositiveOperator, value: string): readonly PostalAtom[] {
  if (operator === 'is_empty') return [];
  const kind = PIECE_KINDS[textTest(operator)];
  return splitAlternatives(value).flatMap((text): PostalAtom[] => {
    const part = canonicalPostalPart(form, text);
    if (kind === 'beginning') return [{ kind: 'prefix', prefix: part }];
    if (kind !== undefined && kind !== 'whole') return [{ kind, text: part }];
    const pattern = readPostalPattern(form, text);
    return pattern === null ? [] : [pattern];
  });
}

export const isRange = (atom: PostalAtom): atom is PostalRange => 'from' in atom;

/** Returns the characters that the atom names; for a range the first code, or its beginning. */
function textOf(atom: PostalAtom): string {
  if (atom.kind === 'exact') return atom.code;
  if (atom.kind === 'prefix') return atom.prefix;
  if (atom.kind === 'districts') return `${atom.area}${atom.from} `;
  return isRange(atom) ? atom.from : atom.text;
}

const PIECES = {
  exact: 'whole',
  range: 'whole',
  beginnings: 'beginning',
  districts: 'beginning',
  prefix: 'beginning',
  part: 'part',
  end: 'end',
} as const;

/** Returns the atom as a text piece in lower case; for a range the first code. */
export const pieceOf = (atom: PostalAtom): TextPiece => ({
  kind: PIECES[atom.kind],
  text: textOf(atom).toLowerCase(),
});

const DIGITS = /^[0-9]+$/;

export function matchesAtom(atom: PostalAtom, code: string): boolean {
  if (atom.kind === 'part') return code !== '' && code.includes(atom.text);
  if (atom.kind === 'end') return code !== '' && code.endsWith(atom.text);
  return matchesPostalPattern(atom, code);
}

/** False only when no code matches both atoms. Takes for granted that ranges of beginnings meet any other atom. */
export function canMeet(a: PostalAtom, b: PostalAtom): boolean {
  if (a.kind === 'exact') return matchesAtom(b, a.code);
  if (b.kind === 'exact') return matchesAtom(a, b.code);
  if (a.kind === 'prefix' && b.kind === 'prefix') {
    return a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix);
  }
  if (a.kind === 'range' && b.kind === 'prefix') return canMeet(b, a);
  if (b.kind !== 'range') return true;
  const { from, to } = b;
  if (a.kind === 'range') return a.from.length === from.length && a.from <= to && from <= a.to;
  if (a.kind !== 'prefix' || a.prefix === '') return true;
  if (a.prefix.length > from.length || !DIGITS.test(a.prefix)) return false;
  return a.prefix.padEnd(from.length, '0') <= to && a.prefix.padEnd(from.length, '9') >= from;
}

/** True only when `wide` matches every code that `narrow` matches. */
export function covers(wide: PostalAtom, narrow: PostalAtom): boolean {
  if (narrow.kind === 'exact') return matchesAtom(wide, narrow.code);
  const known = isRange(narrow) ? commonBeginning(narrow) : textOf(narrow);
  const beginsSo = isRange(narrow) || narrow.kind === 'prefix';
  if (wide.kind === 'exact') return false;
  if (wide.kind === 'prefix') return wide.prefix === '' || (beginsSo && known.startsWith(wide.prefix));
  if (wide.kind === 'part') return known.includes(wide.text);
  if (wide.kind === 'end') return narrow.kind === 'end' && known.endsWith(wide.text);
  if (wide.kind !== narrow.kind || wide.kind === 'districts') return false;
  return wide.from.length === narrow.from.length && wide.from <= narrow.from && narrow.to <= wide.to;
}

/** The characters with which all codes of a range begin: its ends have equally many digits, but for districts. */
function commonBeginning(range: PostalRange): string {
  if (range.kind === 'districts') return range.area;
  const { from: a, to: b } = range;
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

/** True for lengths that no canonical code of digits has: ZIP+4 is shortened, a UK code gets a space. */
const hasNoSuchDigits = (form: PostalForm, length: number): boolean =>
  (form === 'us' && length === 9) || (form === 'uk' && length >= 5 && length <= 7);

/**
 * False only when no canonical code of the form matches. In the UK form a code has no space, or one with
 * 2 to 4 characters before it and 3 after.
 */
export function isMatchable(form: PostalForm, atom: PostalAtom): boolean {
  if (atom.kind === 'range') return !hasNoSuchDigits(form, atom.from.length);
  if (form !== 'uk' || atom.kind !== 'prefix') return true;
  const space = atom.prefix.indexOf(' ');
  if (space < 0) return true;
  const after = atom.prefix.slice(space + 1);
  return space >= 2 && space <= 4 && after.length <= 3 && !after.includes(' ');
}

/** A character that is equal to its upper case and that no country uses in its codes. */
const RARE = '\u2300';

/**
 * Returns codes that may match the atom, as a customer may write them, likely codes first. They are padded differently,
 * so that at least one of them matches no longer prefix. The caller tests whether they match.
 */
export function exampleCodes(form: PostalForm, atom: PostalAtom): readonly string[] {
  switch (atom.kind) {
    case 'exact':
      return [atom.code];
    case 'range': {
      const middle = Math.floor((Number(atom.from) + Number(atom.to)) / 2);
      return [atom.from, atom.to, String(middle).padStart(atom.from.length, '0')];
    }
    case 'beginnings':
      return ['', 'AB', RARE].flatMap((tail) => [atom.from + tail, atom.to + tail]);
    case 'districts':
      return [' 1AA', 'A 1AA', ''].flatMap((tail) =>
        [atom.from, atom.to].map((number) => `${atom.area}${Number(number)}${tail}`),
      );
    case 'prefix':
      return form === 'uk' ? ukExamples(atom.prefix) : plainExamples(atom.prefix);
    case 'part':
      return BEFORE.flatMap((before) => ['', '1', RARE].map((tail) => before + atom.text + tail));
    case 'end':
      return BEFORE.map((before) => before + atom.text);
  }
}

/** Texts to put before a part or an end. */
const BEFORE = ['', '1', '11', RARE, RARE + RARE];

const plainExamples = (prefix: string): string[] => [
  prefix.padEnd(5, '1'),
  prefix.padEnd(5, '0'),
  prefix,
  ...['1', '01', '9', 'A', RARE].map((tail) => prefix + tail),
  // A code of ten characters or more is not a ZIP+4 code.
  prefix.padEnd(10, RARE),
];

function ukExamples(prefix: string): string[] {
  const space = prefix.indexOf(' ');
  if (space >= 0) {
    const missing = Math.max(0, space + 4 - prefix.length);
    return ['1AA', '9ZZ', '0BB', RARE.repeat(3)].map((tail) => prefix + tail.slice(3 - missing));
  }
  return [
    `${prefix} 1AA`,
    `${prefix}1 1AA`,
    `${prefix}A 1AA`,
    `${prefix}${RARE} 1AA`,
    prefix,
    prefix + RARE,
    prefix.padEnd(8, RARE),
    `${prefix}${RARE.repeat(8)}`,
  ];
}
