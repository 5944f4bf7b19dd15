/**
 * Postal owners: which owner's pattern decides a postal code. Exact beats range beats prefix, a narrower range
 * and a longer prefix win, ties go to the lowest owner (contract section 4.4). In a zone the owner of a pattern
 * is the index of its subzone.
 *
 * Codes of digits are stored as numbers and their patterns as segments of numbers: a look-up among 100,000 patterns
 * takes at most 1.5 times as long as among ten. Every other code is looked up in one map of exact codes, then in one
 * map per prefix length. Memory: linear in the characters of the patterns.
 */
import {
  eachPostalPattern,
  type PostalForm,
  type PostalPattern,
  readPostalPattern,
} from '../domain/postal-code.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { valueAt } from '../runtime/map-entries.ts';
import { NO_OWNER, type OwnedInterval, OwnerSegments } from './owner-segments.ts';

/** Longer codes of digits are looked up like codes with letters. */
const DIGITS_MAX = 13;
/**
 * Number of places of an encoded code. Digit d is encoded as d + 1 in base 11 and the number is padded with zeros, so
 * a prefix and all codes that begin with it form one interval. There is one place more than digits, so that the
 * interval of a prefix is always wider than that of an exact code.
 */
const PLACES = DIGITS_MAX + 1;
const FILLERS: readonly number[] = Array.from({ length: PLACES + 1 }, (_, places) => 11 ** places);

export interface OwnedPattern {
  readonly owner: number;
  readonly pattern: PostalPattern;
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
function placedNumber(text: string): number {
  if (text.length > DIGITS_MAX) return -1;
  return digitsNumber(text, 11, 1) * (FILLERS[PLACES - text.length] as number);
}

export class PostalOwners {
  /** Exact codes and prefixes of digits, by `placedNumber`; the owners are tags. */
  readonly #digits: OwnerSegments | null;
  /** Ranges by length of their codes. */
  readonly #ranges: readonly (OwnerSegments | undefined)[];
  /** Exact codes that are not in `#digits`. */
  readonly #exacts: ReadonlyMap<string, Tag>;
  /** All prefixes, the longest first. */
  readonly #prefixes: readonly PrefixesOfLength[];

  private constructor(patterns: PatternCollector, digits: OwnerSegments | null, ranges: OwnerSegments[]) {
    this.#digits = digits;
    this.#ranges = ranges;
    this.#exacts = patterns.exacts;
    this.#prefixes = [...patterns.prefixes]
      .map(([length, tags]) => ({ length, tags }))
      .sort((a, b) => b.length - a.length);
  }

  static *collected(patterns: PatternCollector, shouldYield: ShouldYield): WorkSteps<PostalOwners> {
    const { digits, ranges } = patterns;
    const segments: OwnerSegments[] = [];
    for (const [length, intervals] of ranges)
      segments[length] = yield* OwnerSegments.of(intervals, shouldYield);
    const ofDigits = digits.length === 0 ? null : yield* OwnerSegments.of(digits, shouldYield);
    return new PostalOwners(patterns, ofDigits, segments);
  }

  /** `patterns` are canonical and ordered by owner. Of two equal patterns the first wins. */
  static of(patterns: Iterable<OwnedPattern>): PostalOwners {
    const collector = new PatternCollector();
    for (const { owner, pattern } of patterns) collector.add(pattern, owner);
    return finishSteps(PostalOwners.collected(collector, NEVER));
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
    const number = placedNumber(code);
    if (number >= 0) return this.#digits === null ? NO_TAG : this.#digits.find(number);
    return this.#exacts.get(code) ?? this.#longestPrefix(code);
  }

  /** Returns the owner of the longest prefix that a text begins with, or `NO_OWNER`; the text may be a prefix or "". */
  prefixOwner(text: string): number {
    return textOwner(this.#longestPrefix(text));
  }

  #longestPrefix(code: string): Tag {
    for (const { length, tags } of this.#prefixes) {
      const tag = length > code.length ? undefined : tags.get(code.slice(0, length));
      if (tag !== undefined) return tag;
    }
    return NO_TAG;
  }

  /** Returns the owners of the ranges that decide the codes of a range among ranges alone; it is one of them. */
  rangeOwners({ from, to }: PostalRange): Iterable<number> {
    return this.#ranges[from.length]?.findAll(Number(from), Number(to)) ?? [];
  }

  #findRange(code: string): number {
    const ranges = this.#ranges[code.length];
    if (ranges === undefined) return NO_OWNER;
    const number = digitsNumber(code, 10, 0);
    return number < 0 ? NO_OWNER : ranges.find(number);
  }
}

export type PostalRange = Extract<PostalPattern, { kind: 'range' }>;

interface PrefixesOfLength {
  readonly length: number;
  readonly tags: ReadonlyMap<string, Tag>;
}

/** Canonical patterns, added in the order of their owners. */
class PatternCollector {
  readonly digits: OwnedInterval[] = [];
  /** Ranges by length of their codes. */
  readonly ranges = new Map<number, OwnedInterval[]>();
  readonly exacts = new Map<string, Tag>();
  /** Prefixes by length. */
  readonly prefixes = new Map<number, Map<string, Tag>>();

  add(pattern: PostalPattern, owner: number): void {
    switch (pattern.kind) {
      case 'exact':
        this.#addExact(pattern.code, 2 * owner + 1);
        break;
      case 'prefix':
        this.#addPrefix(pattern.prefix, 2 * owner);
        break;
      case 'range':
        valueAt(this.ranges, pattern.from.length, (): OwnedInterval[] => []).push({
          from: digitsNumber(pattern.from, 10, 0),
          to: digitsNumber(pattern.to, 10, 0),
          owner,
        });
    }
  }

  #addExact(code: string, tag: Tag): void {
    const number = placedNumber(code);
    if (number >= 0) this.digits.push({ from: number, to: number, owner: tag });
    else if (!this.exacts.has(code)) this.exacts.set(code, tag);
  }

  #addPrefix(prefix: string, tag: Tag): void {
    const number = placedNumber(prefix);
    if (number >= 0) {
      const width = FILLERS[PLACES - prefix.length] as number;
      this.digits.push({ from: number, to: number + width - 1, owner: tag });
    }
    const tags = valueAt(this.prefixes, prefix.length, () => new Map<string, Tag>());
    if (!tags.has(prefix)) tags.set(prefix, tag);
  }
}

/**
 * Builds the postal owners of a zone for one form of codes, and can yield. The owner of a pattern is the index of its
 * subzone. Skips patterns with a defect; writes refuse them, so a stored configuration has none.
 */
export function* postalOwnersSteps(
  subzones: readonly { readonly postalCodes: string }[],
  form: PostalForm,
  shouldYield: ShouldYield,
): WorkSteps<PostalOwners> {
  const collector = new PatternCollector();
  for (const [owner, { postalCodes }] of subzones.entries()) {
    for (const text of eachPostalPattern(postalCodes)) {
      const pattern = readPostalPattern(form, text);
      if (pattern !== null) collector.add(pattern, owner);
      if (shouldYield()) yield;
    }
  }
  return yield* PostalOwners.collected(collector, shouldYield);
}
