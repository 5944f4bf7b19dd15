/**
 * Postal atoms: what one alternative asks of a canonical postal code, with the two questions that decide
 * contradictions: can two atoms hold of one code, and does one hold wherever the other does.
 */
import type { PostalForm, PostalPattern } from '../domain/postal-code.ts';

export type PostalAtom =
  | PostalPattern
  | { readonly kind: 'part'; readonly part: string }
  | { readonly kind: 'end'; readonly end: string };

const DIGITS = /^[0-9]+$/;

const isInRange = (code: string, from: string, to: string): boolean =>
  code.length === from.length && DIGITS.test(code) && from <= code && code <= to;

export function matchesAtom(atom: PostalAtom, code: string): boolean {
  if (code === '') return false;
  switch (atom.kind) {
    case 'exact':
      return code === atom.code;
    case 'range':
      return isInRange(code, atom.from, atom.to);
    case 'prefix':
      return code.startsWith(atom.prefix);
    case 'part':
      return code.includes(atom.part);
    case 'end':
      return code.endsWith(atom.end);
  }
}

type Prefix = Extract<PostalAtom, { kind: 'prefix' }>;
type Range = Extract<PostalAtom, { kind: 'range' }>;

function prefixMeetsRange({ prefix }: Prefix, { from, to }: Range): boolean {
  if (prefix === '') return true;
  if (prefix.length > from.length || !DIGITS.test(prefix)) return false;
  return prefix.padEnd(from.length, '0') <= to && prefix.padEnd(from.length, '9') >= from;
}

/** False only when no code matches both. */
export function canMeet(a: PostalAtom, b: PostalAtom): boolean {
  if (a.kind === 'exact') return matchesAtom(b, a.code);
  if (b.kind === 'exact') return matchesAtom(a, b.code);
  if (a.kind === 'prefix' && b.kind === 'prefix') {
    return a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix);
  }
  if (a.kind === 'prefix' && b.kind === 'range') return prefixMeetsRange(a, b);
  if (a.kind === 'range' && b.kind === 'prefix') return prefixMeetsRange(b, a);
  if (a.kind === 'range' && b.kind === 'range') {
    return a.from.length === b.from.length && a.from <= b.to && b.from <= a.to;
  }
  return true;
}

/** True only when `wide` matches every code that `narrow` matches. */
export function covers(wide: PostalAtom, narrow: PostalAtom): boolean {
  switch (narrow.kind) {
    case 'exact':
      return matchesAtom(wide, narrow.code);
    case 'range':
      // All codes between two that begin alike begin so too, as they have one length.
      if (wide.kind === 'prefix') {
        return narrow.from.startsWith(wide.prefix) && narrow.to.startsWith(wide.prefix);
      }
      if (wide.kind === 'part') return commonBeginning(narrow.from, narrow.to).includes(wide.part);
      return wide.kind === 'range' && wide.from.length === narrow.from.length
        ? wide.from <= narrow.from && narrow.to <= wide.to
        : false;
    case 'prefix':
      if (wide.kind === 'prefix') return narrow.prefix.startsWith(wide.prefix);
      return wide.kind === 'part' && narrow.prefix.includes(wide.part);
    case 'part':
      if (wide.kind === 'prefix') return wide.prefix === '';
      return wide.kind === 'part' && narrow.part.includes(wide.part);
    case 'end':
      if (wide.kind === 'prefix') return wide.prefix === '';
      if (wide.kind === 'part') return narrow.end.includes(wide.part);
      return wide.kind === 'end' && narrow.end.endsWith(wide.end);
  }
}

export function commonBeginning(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

/** Numbers of digits that no canonical code of the form has: there a ZIP+4 is cut, or a space put in. */
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

/** Codes of a small range in full, null for one of more than `max`. */
export function codesOf({ from, to }: Range, max: number): readonly string[] | null {
  const first = Number(from);
  const count = Number(to) - first + 1;
  if (count > max) return null;
  return Array.from({ length: count }, (_, i) => String(first + i).padStart(from.length, '0'));
}

/** A character that is its own upper case and that no country writes in its codes. */
const RARE = '\u2300';

/**
 * Codes as a customer may write them, likely ones first, that may match the atom: what pads them differs,
 * so that one of them is matched by no longer prefix. Whether they match is for the caller to test.
 */
export function exampleCodes(form: PostalForm, atom: PostalAtom): readonly string[] {
  switch (atom.kind) {
    case 'exact':
      return [atom.code];
    case 'range': {
      const middle = Math.floor((Number(atom.from) + Number(atom.to)) / 2);
      return [atom.from, atom.to, String(middle).padStart(atom.from.length, '0')];
    }
    case 'prefix':
      return form === 'uk' ? ukExamples(atom.prefix) : plainExamples(atom.prefix);
    case 'part':
      return [
        atom.part,
        `1${atom.part}`,
        `${atom.part}1`,
        `1${atom.part}${RARE}`,
        `${RARE}${atom.part}${RARE}`,
      ];
    case 'end':
      return [atom.end, `1${atom.end}`, `11${atom.end}`, `${RARE}${atom.end}`, `${RARE}${RARE}${atom.end}`];
  }
}

const plainExamples = (prefix: string): string[] => [
  prefix.padEnd(5, '1'),
  prefix.padEnd(5, '0'),
  prefix,
  ...['1', '01', '9', 'A', RARE].map((tail) => prefix + tail),
  // Ten characters or more are no ZIP+4.
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
