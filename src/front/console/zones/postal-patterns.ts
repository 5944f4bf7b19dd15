/**
 * Postal patterns as people type them: where one ends and the next begins, what is wrong with one for the countries of its
 * zone, and what it covers. What a pattern means is said by the engine alone.
 */
import {
  eachPostalPattern,
  type PostalPattern,
  parsePostalPattern,
  postalFormOf,
  readPostalPattern,
} from '../../../engine/domain/postal-code.ts';
import { formatMayMatch, postalFormatOf } from '../../../engine/domain/postal-format.ts';
import { isMatchable } from '../../../engine/lint/zone-postal.ts';
import { numberText } from '../english.ts';
import { ANY_COUNTRY, countryName } from '../place-names.ts';
import { listed } from '../words.ts';

/** A code has at most this many groups of characters. */
const GROUPS_MAX = 3;
const DASHES = /\s*[\p{Pd}\u2212]\s*/gu;
/** What people write between the ends of a range. */
const UNTIL = /(?<=\d)\s*(?:bis|to)\s*(?=\d)|\s+(?:bis|to)\s+/gi;
/** What stands before a code in an address beside the code of the country: the sign of its cars. */
const CAR_SIGNS: Readonly<Record<string, string>> = {
  ...{ AT: 'A', BE: 'B', DE: 'D', ES: 'E', FI: 'FIN', FR: 'F', HU: 'H', IT: 'I', LI: 'FL' },
  ...{ LU: 'L', NO: 'N', PT: 'P', SE: 'S', SI: 'SLO' },
};
/** Codes of so many digits stand alone: no country writes two such groups as one code. */
const WHOLE = /^[0-9]{4,}(?:-[0-9]{4,})?\*?$/;
const UNEVEN = /^([0-9]+)-([0-9]+)$/;

const isAnyMeant = (countries: readonly string[]): boolean =>
  countries.length === 0 || countries.includes(ANY_COUNTRY);

/** The pattern as codes of the country are compared with it; null when none can match it, or it has a defect. */
function patternIn(country: string, text: string): PostalPattern | null {
  const form = postalFormOf(country);
  const pattern = readPostalPattern(form, text);
  const isPossible =
    pattern !== null && isMatchable(form, pattern) && formatMayMatch(postalFormatOf(country), pattern);
  return isPossible ? pattern : null;
}

function isPossible(countries: readonly string[], text: string): boolean {
  if (typeof parsePostalPattern(text) === 'string') return false;
  return isAnyMeant(countries) || countries.some((country) => patternIn(country, text) !== null);
}

/**
 * The patterns in a text, at commas, semicolons, line breaks, and at the spaces that are not part of a code of these
 * countries: `25845 25846` are two German codes, `SW1A 1AA` is one British code.
 */
export function splitPatterns(countries: readonly string[], text: string): readonly string[] {
  const bare = bareCodes(countries);
  return text.split(/[,;/\n\r\t]+/).flatMap((piece) => {
    const words = bare(piece.trim().replace(UNTIL, '-').replace(DASHES, '-')).trim().split(/\s+/);
    if (words.length === 1 || words.every((word) => WHOLE.test(word))) return words.filter(Boolean);
    const found = splitWords(countries, words);
    return found ?? [words.join(' ')];
  });
}

/** Takes the sign of a country of the zone away: `D-25845` and `DE 25845` are 25845 in Germany. */
function bareCodes(countries: readonly string[]): (text: string) => string {
  if (isAnyMeant(countries)) return (text) => text;
  const signs = countries.flatMap((country) => [country, CAR_SIGNS[country] ?? country]).join('|');
  const sign = new RegExp(`(?<![A-Z0-9])(?:${signs})-(?=\\d)|^(?:${signs})\\s*(?=\\d{3})`, 'gi');
  return (text) => (isPossible(countries, text) ? text : text.replace(sign, ''));
}

/** The longest codes first; null where a word is in none. */
function splitWords(countries: readonly string[], words: readonly string[]): readonly string[] | null {
  const found: string[] = [];
  for (let at = 0; at < words.length; ) {
    const rest = words.length - at;
    const counts = Array.from(
      { length: Math.min(GROUPS_MAX, rest) },
      (_, less) => Math.min(GROUPS_MAX, rest) - less,
    );
    const count = counts.find((each) => isPossible(countries, words.slice(at, at + each).join(' ')));
    if (count === undefined) return null;
    found.push(words.slice(at, at + count).join(' '));
    at += count;
  }
  return found;
}

/** What is wrong with a pattern in a zone of these countries, or null. */
export function patternFault(countries: readonly string[], text: string): string | null {
  const parsed = parsePostalPattern(text);
  const plain = text.replace(DASHES, '-').trim();
  const [, from = '', to = ''] = UNEVEN.exec(plain) ?? [];
  if (typeof parsed === 'string') {
    const isReversed = from !== '' && from.length === to.length && from > to;
    return isReversed ? `${parsed}: write ${to}-${from}` : parsed;
  }
  if (isPossible(countries, text)) return null;
  if (from !== '' && from.length !== to.length)
    return `the ends of the range “${plain}” have different lengths`;
  const places = listed(countries.map(countryName));
  const fault = `no postal code of ${places} matches “${plain}”${formatWords(countries)}`;
  // More than one code, or words: how several are written.
  return /\s|\p{L}{3}/u.test(plain) && countries.every(hasDigitsOnly)
    ? `${fault}. Write codes such as 25845, ranges such as 25845-25849 and beginnings such as 258*`
    : fault;
}

const hasDigitsOnly = (country: string): boolean =>
  postalFormatOf(country)?.every((template) => /^[#\d]+$/.test(template)) === true;

/** What postal codes of the only country look like. */
function formatWords(countries: readonly string[]): string {
  const [country = ''] = countries;
  const format = postalFormatOf(country);
  if (countries.length !== 1 || format === null) return '';
  const isDigits = format.every((template) => /^#+$/.test(template));
  if (isDigits) return `: ${listed([...new Set(format.map(({ length }) => String(length)))])} digits there`;
  const example = format.at(-1)?.replace(/#/g, '1').replace(/[@?]/g, 'A');
  return `: codes there look like ${example}`;
}

const numbered = (count: number, noun: string): string =>
  `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;

/** What a pattern covers in a zone of these countries, in a few words; "" for one code. */
export function patternCover(countries: readonly string[], text: string): string {
  const country = countries.find((each) => each !== ANY_COUNTRY && patternIn(each, text) !== null);
  const pattern = country === undefined ? parsePostalPattern(text) : patternIn(country, text);
  if (pattern === null || typeof pattern === 'string' || pattern.kind === 'exact') return '';
  if (pattern.kind === 'prefix') {
    if (pattern.prefix === '') return 'every code';
    const count = country === undefined || countries.length > 1 ? null : codesWith(country, pattern.prefix);
    return count === null ? `codes that begin with ${pattern.prefix.trim()}` : numbered(count, 'code');
  }
  const count = Number(pattern.to) - Number(pattern.from) + 1;
  return numbered(
    count,
    pattern.kind === 'districts' ? 'district' : pattern.kind === 'range' ? 'code' : 'number',
  );
}

/** How many codes of digits a country could have with this beginning; null where codes have letters. */
function codesWith(country: string, prefix: string): number | null {
  const format = postalFormatOf(country) ?? [''];
  const [template = '', ...others] = format.filter((each) => each.length >= prefix.length);
  const rest = template.slice(prefix.length);
  return others.length > 0 || !/^#*$/.test(rest) || template === '' ? null : 10 ** rest.length;
}

/** From this share of the codes of a country on, a pattern leaves next to none out. */
const NEARLY_ALL = 0.9;

/** What a pattern is of the codes of a zone that it covers nearly or wholly, in a few words; "" for other patterns. */
export function wholeCover(countries: readonly string[], text: string): string {
  const parsed = parsePostalPattern(text);
  if (typeof parsed === 'string') return '';
  if (parsed.kind === 'prefix' && parsed.prefix === '') return 'every code of the zone';
  if (parsed.kind !== 'range') return '';
  const share = (Number(parsed.to) - Number(parsed.from) + 1) / 10 ** parsed.to.length;
  const covered = share < NEARLY_ALL ? [] : countries.filter((country) => patternIn(country, text) !== null);
  if (covered.length === 0) return '';
  const places = covered.length === countries.length ? 'the zone' : listed(covered.map(countryName));
  return `${share === 1 ? 'every' : 'nearly every'} code of ${places}`;
}

export const patternText = (countries: readonly string[], text: string): string => {
  const cover = patternCover(countries, text);
  return cover === '' ? text : `${text}: ${cover}`;
};

/** The patterns of a subzone's text, and the faults of those that have one, by their place. */
export function patternsOf(
  countries: readonly string[],
  postalCodes: string,
): { readonly patterns: readonly string[]; readonly faults: ReadonlyMap<number, string> } {
  const patterns = [...eachPostalPattern(postalCodes)].filter((text) => text !== '');
  const faults = patterns.flatMap((text, at) => {
    const fault = patternFault(countries, text);
    return fault === null ? [] : [[at, fault] as const];
  });
  return { patterns, faults: new Map(faults) };
}
