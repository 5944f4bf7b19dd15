/**
 * Postal owners: which owner's pattern decides a postal code. Exact beats range beats prefix, a narrower range
 * and a longer prefix win, ties go to the lowest owner (contract section 4.4). In a zone the owner of a pattern
 * is the index of its subzone.
 *
 * Codes of digits are stored as numbers and their patterns as segments of numbers: a look-up among 100,000 patterns
 * takes at most 1.5 times as long as among ten. Every other code is looked up in one map of exact codes, then in one
 * map per prefix length. Memory: linear in the characters of the patterns.
 */

import { valueAt } from '../../base/runtime/map-entries.ts';
import {
  DUTCH_DIGITS,
  districtOf,
  eachPostalPattern,
  type PostalForm,
  type PostalPattern,
  type PostalRange,
  readPostalPattern,
} from '../domain/postal-code.ts';
import { NO_OWNER, type OwnedInterval, OwnerSegments } from './owner-segments.ts';

/** Longer codes of digits are looked up like codes with letters. */
const DIGITS_MAX = 13;
/**
 * Digits of an encoded code, in base 11. Digit d is encoded as d + 1 and the number is padded with zeros, so a prefix
 * and all codes that begin with it form one interval. There is one digit more than the longest code has, so that the
 * interval of a prefix is always wider than that of an exact code.
 */
const ENCODED_DIGITS = DIGITS_MAX + 1;
const FILLERS: readonly number[] = Array.from({ length: ENCODED_DIGITS + 1 }, (_, digits) => 11 ** digits);

export interface OwnedPattern {
  readonly owner: number;
  /** In canonical form; null for one with a defect, which matches nothing. */
  readonly pattern: PostalPattern | null;
}

/** An exact code or a prefix with its owner, as one number: twice the owner, plus one for an exact code. */
type Tag = number;
const NO_TAG: Tag = NO_OWNER;
const isOfExact = (tag: Tag): boolean => tag !== NO_TAG && tag % 2 === 1;
const textOwner = (tag: Tag): number => (tag === NO_TAG ? NO_OWNER : tag >> 1);

/** Returns the number with the digits of a text, each increased by `added`; -1 when the text is not all digits. */
function digitsNumber(text: string, base: number, added: number): number {
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    number = base * number + digit + added;
  }
  return number;
}

/** Returns the number of a code or prefix in the digit segments; -1 when it has none. */
function encodedNumber(text: string): number {
  if (text.length > DIGITS_MAX) return -1;
  return digitsNumber(text, 11, 1) * (FILLERS[ENCODED_DIGITS - text.length] as number);
}

export class PostalOwners {
  /** Exact codes and prefixes of digits, by `encodedNumber`; the owners are tags. */
  #digits: OwnerSegments | null = null;
  /** Ranges of whole codes by the length of these. */
  readonly #ranges: (OwnerSegments | undefined)[] = [];
  /** Ranges of the beginnings of codes. */
  #beginnings: OwnerSegments | null = null;
  /** Ranges of districts by their area. */
  readonly #districts = new Map<string, OwnerSegments>();
  /** Exact codes that are not in `#digits`. */
  readonly #exacts = new Map<string, Tag>();
  /** All prefixes, the longest first. */
  #prefixes: readonly PrefixesOfLength[] = [];

  /** The patterns are ordered by owner. Of two equal patterns the first wins. */
  static of(patterns: Iterable<OwnedPattern>): PostalOwners {
    const owners = new PostalOwners();
    const digits: OwnedInterval[] = [];
    const ranges = new Map<number, OwnedInterval[]>();
    const beginnings: OwnedInterval[] = [];
    const districts = new Map<string, OwnedInterval[]>();
    const prefixes = new Map<number, Map<string, Tag>>();
    for (const { owner, pattern } of patterns) {
      switch (pattern?.kind) {
        case 'exact': {
          const from = encodedNumber(pattern.code);
          if (from >= 0) digits.push({ from, to: from, owner: 2 * owner + 1 });
          else valueAt(owners.#exacts, pattern.code, () => 2 * owner + 1);
          break;
        }
        case 'prefix': {
          const { prefix } = pattern;
          const from = encodedNumber(prefix);
          const width = FILLERS[ENCODED_DIGITS - prefix.length] as number;
          if (from >= 0) digits.push({ from, to: from + width - 1, owner: 2 * owner });
          valueAt(valueAt(prefixes, prefix.length, newMap), prefix, () => 2 * owner);
          break;
        }
        case 'range':
          valueAt(ranges, pattern.from.length, newList).push(intervalOf(pattern, owner));
          break;
        case 'beginnings':
          beginnings.push(intervalOf(pattern, owner));
          break;
        case 'districts':
          valueAt(districts, pattern.area, newList).push(intervalOf(pattern, owner));
      }
    }
    for (const [length, intervals] of ranges) owners.#ranges[length] = OwnerSegments.of(intervals);
    if (beginnings.length > 0) owners.#beginnings = OwnerSegments.of(beginnings);
    for (const [area, intervals] of districts) owners.#districts.set(area, OwnerSegments.of(intervals));
    if (digits.length > 0) owners.#digits = OwnerSegments.of(digits);
    owners.#prefixes = Array.from(prefixes, ([length, tags]) => ({ length, tags })).sort(
      (a, b) => b.length - a.length,
    );
    return owners;
  }

  /** Returns the owner of a canonical code, or `NO_OWNER`; an empty code never has an owner. */
  find(code: string): number {
    if (code === '') return NO_OWNER;
    const tag = this.#strongestText(code);
    if (isOfExact(tag)) return textOwner(tag);
    const range = this.#findRange(code);
    return range === NO_OWNER ? textOwner(tag) : range;
  }

  /** The tag of the exact code, or of the longest prefix. */
  #strongestText(code: string): Tag {
    const number = encodedNumber(code);
    if (number >= 0) return this.#digits === null ? NO_TAG : this.#digits.find(number);
    return this.#exacts.get(code) ?? this.#longestPrefix(code);
  }

  #longestPrefix(code: string): Tag {
    for (const { length, tags } of this.#prefixes) {
      const tag = length > code.length ? undefined : tags.get(code.slice(0, length));
      if (tag !== undefined) return tag;
    }
    return NO_TAG;
  }

  /**
   * Returns the owners of the ranges that decide the codes of this stored range, if exact codes, prefixes and ranges of
   * another kind are ignored.
   */
  rangeOwners(range: PostalRange): Iterable<number> {
    return this.#segmentsOf(range)?.findAll(Number(range.from), Number(range.to)) ?? [];
  }

  #segmentsOf(range: PostalRange): OwnerSegments | null | undefined {
    if (range.kind === 'districts') return this.#districts.get(range.area);
    return range.kind === 'beginnings' ? this.#beginnings : this.#ranges[range.from.length];
  }

  #findRange(code: string): number {
    const owner = ownerOfDigits(this.#ranges[code.length], code);
    if (owner !== NO_OWNER) return owner;
    if (this.#beginnings !== null && code.length >= DUTCH_DIGITS)
      return ownerOfDigits(this.#beginnings, code.slice(0, DUTCH_DIGITS));
    const district = this.#districts.size === 0 ? null : districtOf(code);
    return district === null
      ? NO_OWNER
      : (this.#districts.get(district.area)?.find(district.number) ?? NO_OWNER);
  }
}

const intervalOf = ({ from, to }: PostalRange, owner: number): OwnedInterval => ({
  from: Number(from),
  to: Number(to),
  owner,
});

function ownerOfDigits(segments: OwnerSegments | undefined, digits: string): number {
  if (segments === undefined) return NO_OWNER;
  const number = digitsNumber(digits, 10, 0);
  return number < 0 ? NO_OWNER : segments.find(number);
}

interface PrefixesOfLength {
  readonly length: number;
  readonly tags: ReadonlyMap<string, Tag>;
}

const newMap = () => new Map<string, Tag>();
const newList = (): OwnedInterval[] => [];

/**
 * The postal owners of a zone for one form of codes. The owner of a pattern is the index of its
 * subzone. Writes refuse patterns with a defect, so a stored configuration has none.
 */
export const postalOwnersOf = (
  subzones: readonly { readonly postalCodes: string }[],
  form: PostalForm,
): PostalOwners => PostalOwners.of(patternsOf(subzones, form));

function* patternsOf(
  subzones: readonly { readonly postalCodes: string }[],
  form: PostalForm,
): Generator<OwnedPattern> {
  for (const [owner, { postalCodes }] of subzones.entries()) {
    for (const text of eachPostalPattern(postalCodes))
      yield { owner, pattern: readPostalPattern(form, text) };
  }
}
