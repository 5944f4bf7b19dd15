/** Postal codes by linear scan: every pattern is tried, the most specific one wins (contract section 4). */
import { hasPart } from './operator.ts';

const isUnitedKingdom = (country: string): boolean => ['GB', 'GG', 'JE', 'IM'].includes(country);
const hasZip = (country: string): boolean =>
  ['US', 'PR', 'GU', 'VI', 'AS', 'MP', 'FM', 'MH', 'PW'].includes(country);

const isWhite = (character: string): boolean => /^\s$/.test(character);
const isDash = (character: string): boolean => /^\p{Pd}$/u.test(character) || character === '\u2212';
const isDigit = (character: string | undefined): boolean =>
  character !== undefined && '0123456789'.includes(character);

/**
 * The characters of a text that may be a code: "NFKC first; characters of class Cf and the postal mark removed" (contract
 * section 12.5), in upper case.
 */
const charactersOf = (text: string): string[] =>
  [...text.normalize('NFKC').toUpperCase()].filter(
    (character) => !/\p{Cf}/u.test(character) && character !== '\u3012',
  );

/** "Every dash, U+30FC between digits, white space removed": `isKept` says which characters are not to be removed. */
function withoutDashes(characters: readonly string[], isKept: (character: string) => boolean): string {
  const shown = characters.filter(
    (character) => isKept(character) || !(isDash(character) || isWhite(character)),
  );
  const bare = shown.map((character, at) => {
    const before = shown.slice(0, at).findLast((each) => !isWhite(each));
    const after = shown.slice(at + 1).find((each) => !isWhite(each));
    return character === '\u30fc' && isDigit(before) && isDigit(after) ? '' : character;
  });
  // Letters that were parted by what is removed are joined.
  return bare.join('').normalize('NFKC');
}

/** Contract section 4.2, and what contract section 12.5 adds: upper case without dashes and spaces; six countries of two forms differ. */
export function canonicalCode(country: string, code: string): string {
  const packed = withoutDashes(charactersOf(code), () => false);
  if (isUnitedKingdom(country)) {
    // "A code that is a whole outward part counts as that part and one space."
    if (['9', '99', '9A'].some((district) => ['A', 'AA'].includes(areaBefore(packed, district))))
      return `${packed} `;
    if (packed.length < 5 || packed.length > 7) return packed;
    return `${packed.slice(0, packed.length - 3)} ${packed.slice(packed.length - 3)}`;
  }
  if (hasZip(country) && packed.length === 9 && [...packed].every(isDigit)) return packed.slice(0, 5);
  return packed;
}

/** The shape of an ASCII text: A for each letter, 9 for each digit, ? for anything else. */
const shapeOf = (text: string): string =>
  [...text].map((each) => (isDigit(each) ? '9' : /^[A-Z]$/.test(each) ? 'A' : '?')).join('');

/** The shape of what stands before a district of this shape; "" where the text does not end with one. */
function areaBefore(text: string, district: string): string {
  const shape = shapeOf(text);
  return shape.endsWith(district) ? shape.slice(0, shape.length - district.length) : '';
}

/**
 * The text of a prefix, `contains`, `starts_with` or `ends_with`: only a part of a code, so neither ZIP+4
 * nor the place of the UK space can be known; "a prefix in the four UK countries keeps its inner space"
 * (contract section 4.3), and one before the `*` is inner too: `PA6 *` is not `PA6*`.
 */
export function canonicalPart(country: string, part: string): string {
  const characters = charactersOf(part);
  if (!isUnitedKingdom(country)) return withoutDashes(characters, () => false);
  const spaced = withoutDashes(characters, isWhite);
  const single = [...spaced].filter((each, at, all) => !isWhite(each) || !isWhite(all[at - 1] ?? 'x'));
  const joined = single.map((each) => (isWhite(each) ? ' ' : each)).join('');
  return joined.startsWith(' ') ? joined.slice(1) : joined;
}

/** How specific a pattern that matched is; a smaller rank wins, then a smaller measure (contract section 4.4). */
export interface Specificity {
  /** 0 exact, 1 range, 2 prefix. */
  readonly rank: number;
  /** Of a range its width, of a prefix minus its length: narrower and longer come first. */
  readonly measure: bigint;
}

export type CodePattern = (code: string) => Specificity | null;

/** A Dutch range also has codes that its digits only begin: it is wider than any range of whole codes. */
const BEGINNINGS = 10n ** 20n;

/** One pattern as a test of canonical codes (contract sections 4.3 and 12.5). */
export function readPattern(country: string, written: string): CodePattern {
  const text = written.trim().normalize('NFKC').trim();
  if (withoutDashes(charactersOf(text), () => false).endsWith('*')) {
    const prefix = canonicalPart(country, text.slice(0, text.lastIndexOf('*')));
    const specificity = { rank: 2, measure: -BigInt(prefix.length) };
    // A lone `*` matches every code that is not empty (contract section 4.6).
    return (code) => (code !== '' && code.startsWith(prefix) ? specificity : null);
  }
  const ends = endsOf(text);
  const [from, to] = ends ?? [];
  if (isDigits(from) && isDigits(to) && from.length === to.length) {
    const isDutch = country === 'NL' && from.length === 4;
    const measure = BigInt(to) - BigInt(from) + (isDutch ? BEGINNINGS : 0n);
    // Digit strings of one length order like the numbers they write.
    return (code) => {
      const have = isDutch ? code.slice(0, 4) : code;
      const isBetween = isDigits(have) && have.length === from.length && from <= have && have <= to;
      return isBetween ? { rank: 1, measure } : null;
    };
  }
  const districts = isUnitedKingdom(country) && ends !== null ? districtsOf(ends) : [];
  if (districts.length > 0) {
    const specificity = { rank: 1, measure: BigInt(districts.length) };
    return (code) => {
      const [outward = '', ...more] = code.split(' ');
      const isOne = districts.includes(outward) || districts.includes(outward.replace(/[A-Z]$/, ''));
      return isOne && more.length > 0 ? specificity : null;
    };
  }
  const exact = canonicalCode(country, text);
  return (code) => (code !== '' && code === exact ? { rank: 0, measure: 0n } : null);
}

/** The two texts around the only dash of a pattern; null without one, or with several. */
function endsOf(text: string): [string, string] | null {
  const characters = charactersOf(text).filter((each) => !isWhite(each));
  const parts = characters.map((each, at, all) => {
    const isVowel = each === '\u30fc' && isDigit(all[at - 1]) && isDigit(all[at + 1]);
    return isDash(each) || isVowel ? '-' : each;
  });
  const [from, to, ...more] = parts.join('').split('-');
  return from !== undefined && to !== undefined && more.length === 0 ? [from, to] : null;
}

/** "IV1-IV28: same letters, then numbers, at most 99": the name of each district; none for other ends. */
function districtsOf([from, to]: readonly [string, string]): string[] {
  const [area, first, ...rest] = from.split(/(?=[0-9])(?<![0-9])/);
  if (area === undefined || first === undefined || rest.length > 0 || !/^[A-Z][A-Z]?$/.test(area)) return [];
  const last = to.slice(area.length);
  if (!to.startsWith(area) || ![first, last].every((each) => isDigits(each) && each.length <= 2)) return [];
  return Array.from({ length: 100 }, (_, number) => number)
    .filter((number) => number >= Number(first) && number <= Number(last))
    .map((number) => `${area}${number}`);
}

const isDigits = (text: string | undefined): text is string => text !== undefined && /^[0-9]+$/.test(text);

/** All patterns of a list of subzones with the index of the subzone that each belongs to, in list order. */
export type PatternList = readonly { readonly owner: number; readonly pattern: CodePattern }[];

export const readPatterns = (country: string, subzones: readonly { postalCodes: string }[]): PatternList =>
  subzones.flatMap(({ postalCodes }, owner) =>
    postalCodes
      .split(',')
      .filter((written) => written.trim() !== '')
      .map((written) => ({ owner, pattern: readPattern(country, written) })),
  );

/**
 * Index of the subzone that owns a canonical code, or -1: exact, then narrower range, then longer prefix;
 * ties go to the subzone listed first; an empty code is in none (contract sections 4.4 and 4.6).
 */
export function ownerOf(patterns: PatternList, code: string): number {
  let owner = -1;
  let best: Specificity | null = null;
  for (const each of patterns) {
    const found = each.pattern(code);
    if (found !== null && (best === null || isMoreSpecific(found, best))) {
      best = found;
      owner = each.owner;
    }
  }
  return owner;
}

const isMoreSpecific = (a: Specificity, b: Specificity): boolean =>
  a.rank === b.rank ? a.measure < b.measure : a.rank < b.rank;

/** A positive operator on the destination's postal code; `equals` takes patterns (contract section 3). */
export function postalMatches(
  operator: string,
  country: string,
  code: string,
  alternatives: readonly string[],
): boolean {
  const canonical = canonicalCode(country, code);
  if (operator === 'is_empty') return canonical === '';
  if (operator === 'equals') {
    return alternatives.some((alternative) => readPattern(country, alternative)(canonical) !== null);
  }
  // An alternative that has only separators is empty in canonical form and matches nothing.
  const parts = alternatives.map((part) => canonicalPart(country, part)).filter((part) => part !== '');
  return parts.some((part) => hasPart(operator, canonical, part));
}
