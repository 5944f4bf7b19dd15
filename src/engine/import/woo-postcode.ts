/**
 * WooCommerce's postcodes as patterns of this service.
 *
 * In WooCommerce a range of numbers `a...b` contains every number in between, with any leading zeros; it compares a code
 * with letters as text, so 1099 AB comes after 1099. In any other range each character counts as two digits
 * (A = 01 .. Z = 26), spaces are dropped, and the ends are padded with zeros.
 */
import { RANGE_DIGITS_MAX } from '../domain/postal-code.ts';

const packed = (text: string): string => text.toUpperCase().replace(/[\s-]+/g, '');

/** The ends of a range, without a trailing `*`; one element for any other line. */
const endsOf = (text: string): readonly string[] =>
  text.split('...').map((end) => packed(end).replace(/\*$/, ''));

/** Digits at the beginning of a Dutch code. */
const DUTCH_DIGITS = 4;

const isNumber = (text: string): boolean => /^\d+$/.test(text);

/**
 * Patterns for one line; a string is the reason for refusing it. `isDutch` says whether the zone has the Netherlands, where a
 * range of four digits takes codes with letters.
 */
export function patternsOfWoo(text: string, isDutch: boolean): readonly string[] | string {
  const ends = endsOf(text);
  if (ends.length === 2) {
    const [first, last] = ends as [string, string];
    if (!/^[A-Z0-9]+$/.test(first) || !/^[A-Z0-9]+$/.test(last)) return 'its ends are not letters and digits';
    // With a * the ends are no numbers.
    const areNumbers = ends.every(isNumber) && !text.includes('*');
    return areNumbers ? numberRanges(first, last, isDutch) : letterRanges(first, last);
  }
  if (ends.length > 2) return 'a range has two ends';
  if (!/^[A-Za-z0-9 -]*[A-Za-z0-9][ ]?\*?$/.test(text.trim()))
    return 'it is not a code, or a beginning followed by *';
  // A hyphen between numbers would be a range here.
  return [text.trim().toUpperCase().replaceAll('-', '')];
}

function numberRanges(first: string, last: string, isDutch: boolean): readonly string[] | string {
  if (last.length > RANGE_DIGITS_MAX || first.length > RANGE_DIGITS_MAX)
    return 'its ends have too many digits';
  const [from, to] = [Number(first), Number(last)];
  if (from > to) return 'it ends before it begins';
  const ranges: string[] = [];
  const digitsMax = Math.max(first.length, last.length);
  for (let digits = String(from).length; digits <= digitsMax; digits++) {
    const bounds = [from, Math.min(to, 10 ** digits - 1)];
    const [low, high] = bounds.map((bound) => String(bound).padStart(digits, '0'));
    if (!isDutch || digits !== DUTCH_DIGITS) ranges.push(`${low}-${high}`);
    else if (first.length === digits && last.length === digits) {
      // Of the last number WooCommerce takes the code without letters only.
      if (from < to) ranges.push(`${low}-${String(to - 1).padStart(digits, '0')}`);
      ranges.push(last);
    }
  }
  return ranges;
}

const DIGITS = [...'0123456789'];
const CHARACTERS = [...DIGITS, ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
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
  const characters = isNumber(first + last) ? DIGITS : CHARACTERS;
  const between = (start: string, isWanted: (rank: number) => boolean): void => {
    for (const character of characters)
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
