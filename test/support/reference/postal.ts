/** Postal codes by linear scan: every pattern is tried, the most specific one wins (contract section 4). */
import { hasPart } from './operator.ts';

const isUnitedKingdom = (country: string): boolean => ['GB', 'GG', 'JE', 'IM'].includes(country);

/** "Upper case, spaces and hyphens removed"; four UK countries and the US differ (contract section 4.2). */
export function canonicalCode(country: string, code: string): string {
  const upper = code.toUpperCase();
  if (isUnitedKingdom(country)) {
    const packed = upper.replace(/\s/g, '');
    if (packed.length < 5 || packed.length > 7) return packed;
    return `${packed.slice(0, packed.length - 3)} ${packed.slice(packed.length - 3)}`;
  }
  const packed = upper.replace(/[\s-]/g, '');
  if (country === 'US' && /^[0-9]{9}$/.test(packed)) return packed.slice(0, 5);
  return packed;
}

/**
 * The text of a prefix, `contains`, `starts_with` or `ends_with`: only a part of a code, so neither ZIP+4
 * nor the place of the UK space can be known; "a prefix in the four UK countries keeps its inner space"
 * (contract section 4.3), and one before the `*` is inner too: `PA6 *` is not `PA6*`.
 */
export const canonicalPart = (country: string, part: string): string =>
  isUnitedKingdom(country)
    ? part.toUpperCase().replace(/\s+/g, ' ')
    : part.toUpperCase().replace(/[\s-]/g, '');

/** How specific a pattern that matched is; a smaller rank wins, then a smaller measure (contract section 4.4). */
export interface Specificity {
  /** 0 exact, 1 range, 2 prefix. */
  readonly rank: number;
  /** Of a range its width, of a prefix minus its length: narrower and longer come first. */
  readonly measure: bigint;
}

export type CodePattern = (code: string) => Specificity | null;

/** One pattern as a test of canonical codes (contract section 4.3). */
export function readPattern(country: string, written: string): CodePattern {
  const text = written.trim();
  if (text.endsWith('*')) {
    const prefix = canonicalPart(country, text.slice(0, -1));
    const specificity = { rank: 2, measure: -BigInt(prefix.length) };
    // A lone `*` matches every code that is not empty (contract section 4.6).
    return (code) => (code !== '' && code.startsWith(prefix) ? specificity : null);
  }
  const [from, to, ...more] = text.replace(/\s/g, '').split('-');
  if (isDigits(from) && isDigits(to) && from.length === to.length && more.length === 0) {
    const specificity = { rank: 1, measure: BigInt(to) - BigInt(from) };
    // Digit strings of one length order like the numbers they write.
    return (code) =>
      isDigits(code) && code.length === from.length && from <= code && code <= to ? specificity : null;
  }
  const exact = canonicalCode(country, text);
  return (code) => (code !== '' && code === exact ? { rank: 0, measure: 0n } : null);
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
