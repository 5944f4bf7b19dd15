/**
 * Postal codes: the canonical form in which codes are compared and the patterns a merchant writes
 * (contract sections 4.2, 4.3 and 4.6). How a code is written depends on the country, in three ways.
 */

/** How a country writes its codes: `uk` keeps an inner space, `us` cuts ZIP+4, `plain` is every other. */
export type PostalForm = 'plain' | 'us' | 'uk';
export const POSTAL_FORMS: readonly PostalForm[] = ['plain', 'us', 'uk'];

const UK_COUNTRIES: ReadonlySet<string> = new Set(['GB', 'GG', 'JE', 'IM']);

/** A country as a client wrote it, in upper case. Most are: measured, the look costs a tenth of the conversion. */
export function countryCode(country: string): string {
  const isUpper =
    country.length === 2 && isUpperLetter(country.charCodeAt(0)) && isUpperLetter(country.charCodeAt(1));
  return isUpper ? country : country.toUpperCase();
}

const isUpperLetter = (unit: number): boolean => unit >= 0x41 && unit <= 0x5a;

/** `country` is an ISO code in upper case. */
export const postalFormOf = (country: string): PostalForm =>
  country === 'US' ? 'us' : UK_COUNTRIES.has(country) ? 'uk' : 'plain';

const NINE_DIGITS = /^[0-9]{9}$/;

/**
 * True when the part `from` to `to - 1` is canonical as it stands wherever no space is put in: at least one
 * character, upper-case letters and digits only, and too few digits for ZIP+4.
 */
export function isPackedPostalCode(code: string, from = 0, to = code.length): boolean {
  if (to - from > 8 || from === to) return false;
  for (let i = from; i < to; i++) {
    const unit = code.charCodeAt(i);
    if (!((unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a))) return false;
  }
  return true;
}

/** The canonical form of a whole code: upper case without spaces and hyphens; see contract section 4.2. */
export function canonicalPostalCode(form: PostalForm, code: string): string {
  if (form === 'uk') {
    const packed = code.toUpperCase().replace(/\s+/g, '');
    return packed.length >= 5 && packed.length <= 7 ? `${packed.slice(0, -3)} ${packed.slice(-3)}` : packed;
  }
  // Most codes arrive as they should be; measured: the look costs a tenth of the replacement.
  if (isPackedPostalCode(code)) return code;
  const packed = code.toUpperCase().replace(/[\s-]+/g, '');
  return form === 'us' && NINE_DIGITS.test(packed) ? packed.slice(0, 5) : packed;
}

/**
 * Part of a trimmed code (a prefix, or the text of `contains`): like a whole one, but a UK space stays as
 * written, also the one before a `*`: `PA6 *` is the district PA6 and does not catch PA67.
 */
export const canonicalPostalPart = (form: PostalForm, part: string): string =>
  form === 'uk' ? part.toUpperCase().replace(/\s+/g, ' ') : part.toUpperCase().replace(/[\s-]+/g, '');

export type PostalPattern =
  | { readonly kind: 'exact'; readonly code: string }
  /** Both ends included; digit strings of equal length, which a matching code has too. */
  | { readonly kind: 'range'; readonly from: string; readonly to: string }
  /** "" = every code that is not empty. */
  | { readonly kind: 'prefix'; readonly prefix: string };

const RANGE = /^([0-9]+)-([0-9]+)$/;
/** So that both ends of a range are exact as numbers; no country comes near it. */
export const RANGE_DIGITS_MAX = 15;

/** True when nothing of `text` is left once spaces and hyphens are gone. */
const hasNoCode = (text: string): boolean => text.replace(/[\s-]+/g, '') === '';

/** What is wrong with part of a code (the operand of `contains` and its like), or null. */
export const postalPartDefect = (part: string): string | null =>
  hasNoCode(part) ? `"${part}" has no character of a postal code` : null;

/**
 * Reads one pattern as it is written. A string result is what is wrong with it. The pattern is not yet
 * canonical: `canonicalPattern` makes it so for a form.
 */
export function parsePostalPattern(text: string): PostalPattern | string {
  const trimmed = text.trim();
  const star = trimmed.indexOf('*');
  if (star >= 0 && star !== trimmed.length - 1) return `"${trimmed}" has a * that is not at its end`;
  if (trimmed === '*') return { kind: 'prefix', prefix: '' };
  if (hasNoCode(trimmed.replace('*', ''))) return `"${trimmed}" has no character of a postal code`;
  if (star >= 0) return { kind: 'prefix', prefix: trimmed.slice(0, -1) };
  const range = RANGE.exec(trimmed.replace(/\s+/g, ''));
  if (range?.[1] !== undefined && range[2] !== undefined && range[1].length === range[2].length) {
    if (range[1].length > RANGE_DIGITS_MAX)
      return `the range "${trimmed}" has over ${RANGE_DIGITS_MAX} digits`;
    return range[1] <= range[2]
      ? { kind: 'range', from: range[1], to: range[2] }
      : `the range "${trimmed}" ends before it begins`;
  }
  return { kind: 'exact', code: trimmed };
}

/** The pattern as codes of this form are compared with it. */
export function canonicalPattern(form: PostalForm, pattern: PostalPattern): PostalPattern {
  switch (pattern.kind) {
    case 'exact':
      return { kind: 'exact', code: canonicalPostalCode(form, pattern.code) };
    case 'prefix':
      return { kind: 'prefix', prefix: canonicalPostalPart(form, pattern.prefix) };
    case 'range':
      return pattern;
  }
}

/** The patterns of a subzone's `postalCodes` text; empty ones between commas are dropped. */
export const splitPostalPatterns = (postalCodes: string): string[] =>
  postalCodes
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
