/**
 * Postal codes: the canonical form in which codes are compared, and the patterns of merchants (contract sections 4.2,
 * 4.3, 4.6 and 12.5). The canonical form depends on the country: there are four forms.
 */

/**
 * Form of a country's codes: `uk` has a space behind its outward part, `us` cuts ZIP+4, `nl` is plain but for its ranges,
 * all other countries have `plain`.
 */
export type PostalForm = 'plain' | 'us' | 'uk' | 'nl';
export const POSTAL_FORMS: readonly PostalForm[] = ['plain', 'us', 'uk', 'nl'];

const UK_COUNTRIES = ['GB', 'GG', 'JE', 'IM'];
const ZIP_COUNTRIES = ['US', 'PR', 'GU', 'VI', 'AS', 'MP', 'FM', 'MH', 'PW'];
const FORMS: ReadonlyMap<string, PostalForm> = new Map([
  ...UK_COUNTRIES.map((country) => [country, 'uk'] as const),
  ...ZIP_COUNTRIES.map((country) => [country, 'us'] as const),
  ['NL', 'nl'],
]);

/** The form of an ISO country code in upper case. */
export const postalFormOf = (country: string): PostalForm => FORMS.get(country) ?? 'plain';

/** Most codes have nothing to remove. */
const PACKED = /^[0-9A-Z]+$/;
const ASCII = /^[\t-~]*$/;

/**
 * The text in upper case and NFKC, each dash as a hyphen, without the postal mark and without characters that do not print
 * (Cf). White space stays. U+30FC, the long vowel of katakana, is a dash where it stands between digits.
 */
function legible(text: string): string {
  if (ASCII.test(text)) return text.toUpperCase();
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\p{Cf}\u3012]/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/(?<=[0-9][\s-]*)\u30fc(?=[\s-]*[0-9])/g, '-');
}

/** In NFKC again: a mark may follow a letter now that what stood between them is gone. */
const rejoined = (text: string): string => (ASCII.test(text) ? text : text.normalize('NFKC'));

const NINE_DIGITS = /^[0-9]{9}$/;
/** A whole outward part of a British code: an area of one or two letters and a district. */
const OUTWARD = /^[A-Z]{1,2}[0-9][0-9A-Z]?$/;

/** The canonical form of a whole code (contract sections 4.2 and 12.5). */
export function canonicalPostalCode(form: PostalForm, code: string): string {
  const packed = PACKED.test(code) ? code : packedText(code);
  if (form === 'us') return packed.length === 9 && NINE_DIGITS.test(packed) ? packed.slice(0, 5) : packed;
  if (form !== 'uk') return packed;
  if (packed.length >= 5 && packed.length <= 7) return `${packed.slice(0, -3)} ${packed.slice(-3)}`;
  return OUTWARD.test(packed) ? `${packed} ` : packed;
}

const packedText = (text: string): string => rejoined(legible(text).replace(/[\s-]+/g, ''));

/**
 * The canonical form of part of a trimmed code: a prefix, or the operand of `contains`. A space of the form `uk` stays,
 * also before a `*`: `PA6 *` is the district PA6 and does not match PA67.
 */
export function canonicalPostalPart(form: PostalForm, part: string): string {
  if (form !== 'uk') return packedText(part);
  const spaced = legible(part).replace(/-+/g, '').replace(/\s+/g, ' ');
  return rejoined(spaced.trimStart());
}

export type PostalPattern =
  | { readonly kind: 'exact'; readonly code: string }
  | PostalRange
  /** "" matches every code that is not empty. */
  | { readonly kind: 'prefix'; readonly prefix: string };

/** Both ends are included. */
export type PostalRange =
  /** Digit strings of equal length; a matching code has the same length. */
  | { readonly kind: 'range'; readonly from: string; readonly to: string }
  /** Four digits each, with which a matching code begins; only in canonical form, of Dutch ranges. */
  | { readonly kind: 'beginnings'; readonly from: string; readonly to: string }
  /** British districts of one area by their numbers; in canonical form only in the form `uk`. */
  | { readonly kind: 'districts'; readonly area: string; readonly from: string; readonly to: string };

const RANGE = /^([0-9]+)-([0-9]+)$/;
const DISTRICTS = /^([A-Z]{1,2})([0-9]{1,2})-\1([0-9]{1,2})$/;
/** Numbers of this many digits are exact in a double; no country has codes of so many. */
export const RANGE_DIGITS_MAX = 15;
/** Digits of a Dutch code, before its letters. */
export const DUTCH_DIGITS = 4;

/** True when `text` holds only spaces, hyphens and what a canonical code leaves out. */
const hasNoCode = (text: string): boolean => packedText(text) === '';

/** The defect of part of a code (the operand of an operator such as `contains`), or null. */
export const postalPartDefect = (part: string): string | null =>
  hasNoCode(part) ? `"${part}" has no character of a postal code` : null;

/**
 * Parses one pattern; a string result is its defect. `canonicalPattern` turns the pattern into its canonical form.
 */
export function parsePostalPattern(text: string): PostalPattern | string {
  const trimmed = text.trim();
  // Without this rule a list with a missing comma would be one long code.
  if (/[\n\r]/.test(trimmed)) return `"${trimmed}" has a line break: a comma separates patterns`;
  const plain = legible(trimmed).trim();
  const star = plain.indexOf('*');
  if (star >= 0 && star !== plain.length - 1) return `"${trimmed}" has a * that is not at its end`;
  if (plain === '*') return { kind: 'prefix', prefix: '' };
  if (hasNoCode(plain.replace('*', ''))) return `"${trimmed}" has no character of a postal code`;
  if (star >= 0) return { kind: 'prefix', prefix: plain.slice(0, -1) };
  return parseRange(plain) ?? { kind: 'exact', code: plain };
}

/** Null when the text is no range; a string result is its defect. */
function parseRange(text: string): PostalRange | string | null {
  const packed = text.replace(/\s+/g, '');
  const [, from = '', to = ''] = RANGE.exec(packed) ?? [];
  const isRange = from !== '' && from.length === to.length;
  const [, area = '', first = '', last = ''] = isRange ? [] : (DISTRICTS.exec(packed) ?? []);
  if (!isRange && area === '') return null;
  if (from.length > RANGE_DIGITS_MAX) return `the range "${text}" has over ${RANGE_DIGITS_MAX} digits`;
  if (Number(from) > Number(to) || Number(first) > Number(last))
    return `the range "${text}" ends before it begins`;
  return isRange ? { kind: 'range', from, to } : { kind: 'districts', area, from: first, to: last };
}

/** The pattern as codes of this form are compared with it. */
export function canonicalPattern(form: PostalForm, pattern: PostalPattern): PostalPattern {
  const { kind } = pattern;
  if (kind === 'exact') return { kind, code: canonicalPostalCode(form, pattern.code) };
  if (kind === 'prefix') return { kind, prefix: canonicalPostalPart(form, pattern.prefix) };
  const { from, to } = pattern;
  if (kind === 'districts' && form !== 'uk')
    return { kind: 'exact', code: `${pattern.area}${from}${pattern.area}${to}` };
  return kind === 'range' && form === 'nl' && from.length === DUTCH_DIGITS
    ? { kind: 'beginnings', from, to }
    : pattern;
}

/** Parses a pattern into its canonical form; null when `parsePostalPattern` finds a defect. */
export function readPostalPattern(form: PostalForm, text: string): PostalPattern | null {
  const pattern = parsePostalPattern(text);
  return typeof pattern === 'string' ? null : canonicalPattern(form, pattern);
}

const DIGITS = /^[0-9]+$/;
/** A canonical British code: its area, the number of its district, perhaps a letter of the district, a space. */
const BRITISH = /^([A-Z]{1,2})(0|[1-9][0-9]?)[A-Z]? /;

/** The area and the number of the district of a canonical British code; null for a code of another shape. */
export function districtOf(code: string): { readonly area: string; readonly number: number } | null {
  const [, area, number] = BRITISH.exec(code) ?? [];
  return area === undefined ? null : { area, number: Number(number) };
}

/** True when a canonical code matches a pattern in canonical form; the empty code matches none. */
export function matchesPostalPattern(pattern: PostalPattern, code: string): boolean {
  switch (pattern.kind) {
    case 'exact':
      return code === pattern.code;
    case 'prefix':
      return code !== '' && code.startsWith(pattern.prefix);
    case 'districts': {
      const district = districtOf(code);
      const [from, to] = [Number(pattern.from), Number(pattern.to)];
      return district?.area === pattern.area && from <= district.number && district.number <= to;
    }
    case 'range':
      return code.length === pattern.from.length && isDigitsBetween(pattern, code);
    case 'beginnings':
      return isDigitsBetween(pattern, code.slice(0, DUTCH_DIGITS));
  }
}

const isDigitsBetween = ({ from, to }: PostalRange, digits: string): boolean =>
  digits.length === from.length && DIGITS.test(digits) && from <= digits && digits <= to;

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
  postalCodes
    .split(',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '');
