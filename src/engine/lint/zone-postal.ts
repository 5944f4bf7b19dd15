/**
 * Zone postal: the patterns of a zone's subzones for codes of one form. Finds the pattern that decides a code (contract
 * section 4.4), and judges which patterns never decide one.
 *
 * Sound: removing one or all of these changes the subzone of no code. A range is judged only against other ranges, not
 * against exact codes and prefixes.
 * Bounds: linear in the characters of the patterns, and NEIGHBOURS_MAX neighbours of a range.
 */

import { valueAt } from '../../base/runtime/map-entries.ts';
import { NO_OWNER } from '../compile/owner-segments.ts';
import { PostalOwners } from '../compile/postal-owners.ts';
import {
  canonicalPostalCode,
  matchesPostalPattern,
  type PostalForm,
  type PostalPattern,
  type PostalRange,
  readPostalPattern,
  splitPostalPatterns,
} from '../domain/postal-code.ts';
import type { Subzone } from '../domain/zone.ts';
import { exampleCodes, isWrittenIn } from '../probes/postal-examples.ts';

/** A pattern in its zone. */
export interface PlacedPattern {
  /** Index of its subzone. */
  readonly owner: number;
  /** The pattern as the merchant wrote it. */
  readonly text: string;
  readonly pattern: PostalPattern;
}

/** A range whose codes more ranges than this decide is not judged. */
const NEIGHBOURS_MAX = 128;

export class ZonePostal {
  readonly form: PostalForm;
  readonly patterns: readonly PlacedPattern[];
  /** For each pattern, whether patterns of other subzones decide every code that it matches. */
  readonly neverWins: readonly boolean[];
  /** The subzones with a pattern that may decide codes. */
  readonly #winning: ReadonlySet<number>;
  /** Index of the pattern that decides a code: among all, among ranges only. */
  readonly #deciders: PostalOwners;
  readonly #ranges: PostalOwners;

  constructor(subzones: readonly Subzone[], form: PostalForm) {
    this.form = form;
    this.patterns = subzones.flatMap(({ postalCodes }, owner) =>
      splitPostalPatterns(postalCodes).flatMap((text): PlacedPattern[] => {
        const pattern = readPostalPattern(form, text);
        return pattern === null ? [] : [{ owner, text, pattern }];
      }),
    );
    this.#deciders = this.#decidersAmong(() => true);
    this.#ranges = this.#decidersAmong(isRange);
    this.neverWins = this.#judgeAll();
    const winning = this.patterns.filter((_, index) => !this.neverWins[index]);
    this.#winning = new Set(winning.map(({ owner }) => owner));
  }

  /** Indexes follow the order of the subzones, so ties are resolved as in the contract. */
  #decidersAmong(isTaken: (pattern: PostalPattern) => boolean): PostalOwners {
    return PostalOwners.of(
      this.patterns.flatMap(({ pattern }, index) => (isTaken(pattern) ? [{ owner: index, pattern }] : [])),
    );
  }

  #ownerOf(index: number): number {
    return this.patterns[index]?.owner ?? NO_OWNER;
  }

  #judgeAll(): readonly boolean[] {
    /** Name of a pattern -> the subzone that lists it first. */
    const first = new Map<string, number>();
    for (const { pattern, owner } of this.patterns) valueAt(first, nameOf(pattern), () => owner);
    return this.patterns.map(({ pattern, owner }, index) => {
      if (!isMatchable(this.form, pattern)) return true;
      return isRange(pattern)
        ? this.#isOutranked(pattern, owner, index)
        : first.get(nameOf(pattern)) !== owner;
    });
  }

  #isOutranked(range: PostalRange, owner: number, index: number): boolean {
    let [isElsewhere, left] = [false, NEIGHBOURS_MAX];
    for (const decider of this.#ranges.rangeOwners(range)) {
      if (decider === index || left-- === 0) return false;
      isElsewhere ||= this.#ownerOf(decider) !== owner;
    }
    return isElsewhere;
  }

  /** Returns the pattern that decides a code as a customer may write it, or -1. */
  decider(code: string): number {
    return this.#deciders.find(canonicalPostalCode(this.form, code));
  }

  /** False only when no code of this form matches the pattern. */
  canMatch(index: number): boolean {
    return isMatchable(this.form, (this.patterns[index] as PlacedPattern).pattern);
  }

  /** False only when no code of this form falls into the subzone. */
  canOwn(subzone: number): boolean {
    return this.#winning.has(subzone);
  }

  /**
   * Returns a code that matches the pattern, if possible one that another subzone owns, and one that the country writes; null
   * when none is known.
   */
  strayOf(index: number, country: string): string | null {
    const { pattern, owner } = this.patterns[index] as PlacedPattern;
    const matching = exampleCodes(this.form, pattern).filter((code) =>
      matchesPostalPattern(pattern, canonicalPostalCode(this.form, code)),
    );
    const written = matching.filter((code) => isWrittenIn(country, code));
    const codes = written.length > 0 ? written : matching;
    return codes.find((code) => this.#ownerOf(this.decider(code)) !== owner) ?? codes[0] ?? null;
  }
}

const isRange = (pattern: PostalPattern): pattern is PostalRange => 'from' in pattern;

/** True for lengths that no canonical code of digits has: ZIP+4 is shortened, a UK code gets a space. */
const hasNoSuchDigits = (form: PostalForm, length: number): boolean =>
  (form === 'us' && length === 9) || (form === 'uk' && length >= 5 && length <= 7);

/**
 * False only when no canonical code of the form matches. In the UK form a code has no space, or one with 2 to 4 characters
 * before it and 3 after.
 */
export function isMatchable(form: PostalForm, pattern: PostalPattern): boolean {
  if (pattern.kind === 'range') return !hasNoSuchDigits(form, pattern.from.length);
  if (form !== 'uk' || pattern.kind !== 'prefix') return true;
  const space = pattern.prefix.indexOf(' ');
  if (space < 0) return true;
  const after = pattern.prefix.slice(space + 1);
  return space >= 2 && space <= 4 && after.length <= 3 && !after.includes(' ');
}

/** Returns a key that is equal for equal exact codes and for equal prefixes. */
function nameOf(pattern: PostalPattern | undefined): string {
  return pattern?.kind === 'prefix' ? `${pattern.prefix}*` : pattern?.kind === 'exact' ? pattern.code : '';
}
