/**
 * WooCommerce's postcodes as patterns of this service, and the codes on which the two differ.
 *
 * In WooCommerce a range of numbers `a...b` contains every number in between, with any leading zeros; in any other
 * range each character counts as two digits (A = 01 .. Z = 26), spaces are dropped, and the ends are padded with zeros.
 * In this service a code of the United Kingdom keeps its space, so that KW1 5AA is not in KW15.
 */
import {
  canonicalPostalCode,
  matchesPostalPattern,
  type PostalForm,
  RANGE_DIGITS_MAX,
  readPostalPattern,
} from '../domain/postal-code.ts';

const packed = (text: string): string => text.toUpperCase().replace(/[\s-]+/g, '');

/** The ends of a range, without a trailing `*`; one element for any other line. */
const endsOf = (text: string): readonly string[] =>
  text.split('...').map((end) => packed(end).replace(/\*$/, ''));

const isNumber = (text: string): boolean => /^\d+$/.test(text);

/** Patterns for one line; a string is the reason for refusing it. */
export function patternsOfWoo(text: string): readonly string[] | string {
  const ends = endsOf(text);
  if (ends.length === 2) {
    const [first, last] = ends as [string, string];
    if (!/^[A-Z0-9]+$/.test(first) || !/^[A-Z0-9]+$/.test(last)) return 'its ends are not letters and digits';
    return ends.every(isNumber) ? numberRanges(first, last) : letterRanges(first, last);
  }
  if (ends.length > 2) return 'a range has two ends';
  if (!/^[A-Za-z0-9 -]*[A-Za-z0-9][ ]?\*?$/.test(text.trim()))
    return 'it is not a code, or a beginning followed by *';
  // A hyphen between numbers would be a range here.
  return [text.trim().toUpperCase().replaceAll('-', '')];
}

function numberRanges(first: string, last: string): readonly string[] | string {
  if (last.length > RANGE_DIGITS_MAX || first.length > RANGE_DIGITS_MAX)
    return 'its ends have too many digits';
  const [from, to] = [Number(first), Number(last)];
  if (from > to) return 'it ends before it begins';
  const ranges: string[] = [];
  const digitsMax = Math.max(first.length, last.length);
  for (let digits = String(from).length; digits <= digitsMax; digits++) {
    const bounds = [from, Math.min(to, 10 ** digits - 1)];
    ranges.push(bounds.map((bound) => String(bound).padStart(digits, '0')).join('-'));
  }
  return ranges;
}

const CHARACTERS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** 0 to 26; a digit and a letter may have the same value. */
const rankOf = (character: string): number =>
  /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 64;

/** The two digits of each character, in order. */
const ranksOf = (code: string): string =>
  [...code].map((character) => String(rankOf(character)).padStart(2, '0')).join('');

function letterRanges(first: string, last: string): readonly string[] | string {
  if (BigInt(ranksOf(first).padEnd(last.length * 2, '0')) > BigInt(ranksOf(last)))
    return 'it ends before it begins';
  const patterns = new Set<string>();
  const between = (start: string, isWanted: (rank: number) => boolean): void => {
    for (const character of CHARACTERS)
      if (isWanted(rankOf(character))) patterns.add(`${start}${character}*`);
  };
  let common = 0;
  while (common < first.length && first[common] === last[common]) common++;
  const [low, high] = [first[common], last[common]];
  if (low !== undefined && high !== undefined) {
    between(first.slice(0, common), (rank) => rank > rankOf(low) && rank < rankOf(high));
    for (let at = common + 1; at < first.length; at++) {
      between(first.slice(0, at), (rank) => rank > rankOf(first[at] ?? ''));
    }
    patterns.add(`${first}*`);
  }
  for (let at = low === undefined ? common : common + 1; at < last.length; at++) {
    if (at >= first.length) patterns.add(last.slice(0, at));
    between(last.slice(0, at), (rank) => rank < rankOf(last[at] ?? ''));
  }
  patterns.add(last);
  return [...patterns];
}

/** Texts of digits, compared as numbers; both ends are included. */
const isBetween = (text: string, first: string, last: string): boolean =>
  BigInt(text) >= BigInt(first) && BigInt(text) <= BigInt(last);

/** True when WooCommerce's line contains the code. */
function wooTakes(text: string, form: PostalForm, code: string): boolean {
  const ends = endsOf(text);
  const asked = packed(code);
  if (ends.length === 2) {
    const [first, last] = ends as [string, string];
    if (ends.every(isNumber)) return isNumber(asked) && isBetween(asked, first, last);
    const ranks = ranksOf(asked);
    const filled = (end: string) => ranksOf(end).padEnd(ranks.length, '0');
    return isBetween(ranks, filled(first), filled(last));
  }
  const line = text.trim().toUpperCase();
  if (!line.endsWith('*')) return packed(line) === asked;
  const start = line.slice(0, -1);
  if (form !== 'uk') return asked.startsWith(packed(start));
  return canonicalPostalCode(form, code).startsWith(start);
}

/** True when one of the patterns matches a code. */
export function oursTake(patterns: readonly string[], form: PostalForm, code: string): boolean {
  const asked = canonicalPostalCode(form, code);
  return patterns.some((text) => {
    const pattern = readPostalPattern(form, text);
    return pattern !== null && matchesPostalPattern(pattern, asked);
  });
}

interface PostalDifference {
  readonly code: string;
  readonly why: string;
  /** A code that matches in only one of the two systems. */
  readonly witness: string;
}

/** Where a line and its patterns differ, each kind of difference once, with a code that was tried on both. */
export function differencesOf(
  text: string,
  patterns: readonly string[],
  forms: ReadonlySet<PostalForm>,
): PostalDifference[] {
  const found: PostalDifference[] = [];
  for (const form of forms) {
    for (const { code, why, witnesses } of suspicions(text, form)) {
      const witness = witnesses.find((each) => wooTakes(text, form, each) !== oursTake(patterns, form, each));
      if (witness !== undefined && !found.some((each) => each.code === code))
        found.push({ code, why, witness });
    }
  }
  return found;
}

interface Suspicion extends Omit<PostalDifference, 'witness'> {
  readonly witnesses: readonly string[];
}

function suspicions(text: string, form: PostalForm): Suspicion[] {
  const ends = endsOf(text);
  const list: Suspicion[] = [];
  const suspect = (code: string, why: string, witnessesOf: (end: string) => string | readonly string[]) =>
    list.push({ code, why, witnesses: ends.flatMap(witnessesOf) });
  if (form === 'us' && !text.trim().endsWith('*')) {
    const why = 'a ZIP+4 code counts as its five digits here; WooCommerce compares it whole';
    suspect('zip_plus_4', why, (end) => `${end}-1234`);
  }
  if (ends.length < 2) return list;
  if (ends.every(isNumber)) {
    const why = 'WooCommerce also takes longer codes that zeros lead into the range';
    suspect('leading_zeros', why, (end) => `0${end}`);
    return list;
  }
  if (form === 'uk') {
    const why = 'WooCommerce drops the space of a code, so it also takes codes of shorter districts';
    suspect('space_in_code', why, (end) => [`${end.slice(0, -1)} ${end.slice(-1)}AA`, `${end} 0AA`]);
  }
  const asLetters = (end: string) =>
    end.replace(/[1-9](?=\d*$)/g, (digit) => CHARACTERS[9 + Number(digit)] ?? '');
  const why = 'WooCommerce counts the letters A to I as the digits 1 to 9 in a range';
  suspect('letters_as_digits', why, (end) => [`${asLetters(end)}1AA`, asLetters(end)]);
  suspect('filled_with_zeros', 'WooCommerce fills the end of a range up with zeros', (end) => `${end}0`);
  return list;
}
