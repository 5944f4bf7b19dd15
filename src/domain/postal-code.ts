/**
 * Postal codes: the canonical form in which codes are compared, and the patterns of merchants (contract sections 4.2,
 * 4.3 and 4.6). The canonical form depends on the country: there are three forms.
 */

/** Form of a country's codes: `uk` keeps an inner space, `us` cuts ZIP+4, all other countries have `plain`. */
export type PostalForm = 'plain' | 'us' | 'uk';
export const POSTAL_FORMS: readonly PostalForm[] = ['plain', 'us', 'uk'];

const UK_COUNTRIES: ReadonlySet<string> = new Set(['GB', 'GG', 'JE', 'IM']);

/** The form of an ISO country code in upper case. */
export const postalFormOf = (country: string): PostalForm =>
  country === 'US' ? 'us' : UK_COUNTRIES.has(country) ? 'uk' : 'plain';

const NINE_DIGITS = /^[0-9]{9}$/;

/** Already canonical in a form without inner space, with too few digits for ZIP+4. */
const PACKED = /^[0-9A-Z]{1,8}$/;

/** The canonical form of a whole code (contract section 4.2). */
export function canonicalPostalCode(form: PostalForm, code: string): string {
  if (form === 'uk') {
    const packed = code.toUpperCase().replace(/\s+/g, '');
    return packed.length >= 5 && packed.length <= 7 ? `${packed.slice(0, -3)} ${packed.slice(-3)}` : packed;
  }
  // Most codes arrive in canonical form.
  if (PACKED.test(code)) return code;
  const packed = code.toUpperCase().replace(/[\s-]+/g, '');
  return form === 'us' && NINE_DIGITS.test(packed) ? packed.slice(0, 5) : packed;
}

/**
 * The canonical form of part of a trimmed code: a prefix, or the operand of `contains`. A space of the form `uk` stays,
 * also before a `*`: `PA6 *` is the district PA6 and does not match PA67.
 */
export const canonicalPostalPart = (form: PostalForm, part: string): string =>
  form === 'uk' ? part.toUpperCase().replace(/\s+/g, ' ') : part.toUpperCase().replace(/[\s-]+/g, '');

export type PostalPattern =
  | { readonly kind: 'exact'; readonly code: string }
  /** Digit strings of equal length, both ends included; a matching code has the same length. */
  | { readonly kind: 'range'; readonly from: string; readonly to: string }
  /** "" matches every code that is not empty. */
  | { readonly kind: 'prefix'; readonly prefix: string };

const RANGE = /^([0-9]+)-([0-9]+)$/;
/** Numbers of this many digits are exact in a double; no country has codes of so many. */
export const RANGE_DIGITS_MAX = 15;

/** True when `text` holds only spaces and hyphens. */
const hasNoCode = (text: string): boolean => text.replace(/[\s-]+/g, '') === '';

/** The defect of part of a code (the operand of an operator such as `contains`), or null. */
export const postalPartDefect = (part: string): string | null =>
  hasNoCode(part) ? `"${part}" has no character of a postal code` : null;

/**
 * Parses one pattern; a string result is its defect. `canonicalPattern` turns the pattern into its canonical form.
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
  const { kind } = pattern;
  if (kind === 'exact') return { kind, code: canonicalPostalCode(form, pattern.code) };
  if (kind === 'prefix') return { kind, prefix: canonicalPostalPart(form, pattern.prefix) };
  return pattern;
}

/** Parses a pattern into its canonical form; null when `parsePostalPattern` finds a defect. */
export function readPostalPattern(form: PostalForm, text: string): PostalPattern | null {
  const pattern = parsePostalPattern(text);
  return typeof pattern === 'string' ? null : canonicalPattern(form, pattern);
}

const DIGITS = /^[0-9]+$/;

/** True when a canonical code matches a pattern in canonical form; the empty code matches none. */
export function matchesPostalPattern(pattern: PostalPattern, code: string): boolean {
  if (pattern.kind === 'exact') return code === pattern.code;
  if (pattern.kind === 'prefix') return code !== '' && code.startsWith(pattern.prefix);
  const { from, to } = pattern;
  return code.length === from.length && DIGITS.test(code) && from <= code && code <= to;
}

/** The patterns of a subzone's `postalCodes` text, trimmed, one by one; "" between two commas that have none. */
export function* eachPostalPattern(postalCodes: string): Generator<string> {
  for (let from = 0; from <= postalCodes.length; ) {
    const comma = postalCodes.indexOf(',', from);
    const to = comma < 0 ? postalCodes.length : comma;
    yield postalCodes.slice(from, to).trim();
    from = to + 1;
  }
}

/** All patterns of a `postalCodes` text, without empty ones. */
export const splitPostalPatterns = (postalCodes: string): string[] =>
  [...eachPostalPattern(postalCodes)].filter((pattern) => pattern !== '');
