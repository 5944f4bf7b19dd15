/**
 * Zone postal: the patterns of a zone's subzones for codes of one form, and for each what would be lost
 * without it. Exact beats range beats prefix, narrower and longer first, ties to the subzone listed first
 * (contract section 4.4); so the codes of a pattern that would fall elsewhere are those that the next
 * strongest pattern gives to another subzone.
 *
 * Sound: a pattern is called dead only when no code changes its subzone without it, and without all other
 * dead ones. Bounds: linear in the characters of the patterns but for ranges that overlap, of which only
 * so many are compared.
 */

import { NO_OWNER } from '../compile/owner-segments.ts';
import { PostalOwners } from '../compile/postal-owners.ts';
import {
  canonicalPostalCode,
  type PostalForm,
  type PostalPattern,
  readPostalPattern,
  splitPostalPatterns,
} from '../domain/postal-code.ts';
import type { Subzone } from '../domain/zone.ts';
import type { PatternVerdict, PlacedPattern } from './placed-pattern.ts';
import { canMeet, covers, exampleCodes, isMatchable, matchesAtom, type PostalAtom } from './postal-atom.ts';
import { judgeRanges } from './postal-range-verdict.ts';
import type { Steps } from './steps.ts';

const NO_PATTERN = NO_OWNER;

/** Beyond so many patterns in a zone no question is asked that would look at each of them. */
const SCAN_MAX = 1_000;

export class ZonePostal {
  readonly form: PostalForm;
  readonly patterns: readonly PlacedPattern[];
  readonly verdicts: readonly PatternVerdict[];
  /** Each subzone's patterns by which it may get codes. */
  readonly #winning: readonly (readonly PostalPattern[])[];
  /** Canonical code or prefix -> the first pattern that names it, which is the strongest of them. */
  readonly #exacts = new Map<string, number>();
  readonly #prefixes = new Map<string, number>();
  /** Those that a later listed subzone names too. */
  readonly #sharedExacts = new Set<string>();
  readonly #sharedPrefixes = new Set<string>();
  /** The pattern that decides a code, by its index; so do the next two when patterns are left out. */
  readonly #deciders: PostalOwners;
  /** Without exact codes. */
  readonly #weaker: PostalOwners;
  /** Without exact codes and without ranges that are not needed. */
  readonly #weakerNeeded: PostalOwners;
  readonly #examples = new Map<number, string | null>();

  constructor(subzones: readonly Subzone[], form: PostalForm) {
    this.form = form;
    this.patterns = subzones.flatMap(({ postalCodes }, owner) =>
      splitPostalPatterns(postalCodes).flatMap((text): PlacedPattern[] => {
        const pattern = readPostalPattern(form, text);
        return pattern === null ? [] : [{ owner, text, pattern }];
      }),
    );
    const byOwner: number[][] = subzones.map(() => []);
    for (const [index, { owner, pattern }] of this.patterns.entries()) {
      (byOwner[owner] as number[]).push(index);
      if (pattern.kind === 'exact') this.#claim(this.#exacts, this.#sharedExacts, pattern.code, index);
      if (pattern.kind === 'prefix') this.#claim(this.#prefixes, this.#sharedPrefixes, pattern.prefix, index);
    }
    this.#deciders = this.#decidersAmong(() => true);
    const rangeVerdicts = judgeRanges(this.patterns, {
      isMatchable: (pattern) => isMatchable(form, pattern),
      exactOwner: (code) => this.#ownerOf(this.#exacts.get(code) ?? NO_PATTERN),
      prefixOwner: (code) => this.#ownerOf(this.#deciders.prefixOwner(code)),
      prefixes: [...this.#prefixes.keys()],
    });
    const isNeeded = (index: number) => (rangeVerdicts.get(index) ?? 'needed') === 'needed';
    this.#weaker = this.#decidersAmong(({ kind }) => kind !== 'exact');
    this.#weakerNeeded = [...rangeVerdicts.keys()].every(isNeeded)
      ? this.#weaker
      : this.#decidersAmong(({ kind }, index) => kind !== 'exact' && isNeeded(index));
    this.verdicts = this.patterns.map(({ pattern, owner }, index) => {
      if (!isMatchable(form, pattern)) return 'never_wins';
      if (pattern.kind === 'range') return rangeVerdicts.get(index) ?? 'needed';
      return this.#judge(pattern, owner, index);
    });
    this.#winning = byOwner.map((own) =>
      own.flatMap((index) =>
        this.verdicts[index] === 'never_wins' ? [] : [(this.patterns[index] as PlacedPattern).pattern],
      ),
    );
  }

  /** Indexes grow with the order of the subzones, so that ties are settled as the contract says. */
  #decidersAmong(isTaken: (pattern: PostalPattern, index: number) => boolean): PostalOwners {
    return PostalOwners.of(
      this.patterns.flatMap(({ pattern }, index) =>
        isTaken(pattern, index) ? [{ owner: index, pattern }] : [],
      ),
    );
  }

  #claim(first: Map<string, number>, shared: Set<string>, text: string, index: number): void {
    const known = first.get(text);
    if (known === undefined) first.set(text, index);
    else if (this.#ownerOf(known) !== this.#ownerOf(index)) shared.add(text);
  }

  #ownerOf(index: number): number {
    return this.patterns[index]?.owner ?? NO_OWNER;
  }

  #judge(pattern: Exclude<PostalPattern, { kind: 'range' }>, owner: number, index: number): PatternVerdict {
    const isExact = pattern.kind === 'exact';
    const text = isExact ? pattern.code : pattern.prefix;
    const first = (isExact ? this.#exacts : this.#prefixes).get(text) as number;
    if (this.#ownerOf(first) !== owner) return 'never_wins';
    // Listed twice by one subzone: the first of the two will do.
    if (first !== index) return 'redundant';
    if ((isExact ? this.#sharedExacts : this.#sharedPrefixes).has(text)) return 'needed';
    const isLeft = [this.#weaker, this.#weakerNeeded].every(
      (weaker) => this.#ownerOf(nextOf(pattern, weaker)) === owner,
    );
    return isLeft ? 'redundant' : 'needed';
  }

  /** The needed pattern that decides in place of an exact code or a prefix that is not there; -1 = none. */
  next(index: number): number {
    const pattern = this.patterns[index]?.pattern;
    return pattern === undefined ? NO_PATTERN : nextOf(pattern, this.#weakerNeeded);
  }

  /** The pattern that decides a canonical code, or -1. */
  decider(code: string): number {
    return this.#deciders.find(code);
  }

  /** The same for a code as a customer may write it. */
  deciderOfWritten(code: string): number {
    return this.decider(canonicalPostalCode(this.form, code));
  }

  /** False only when no code of this form matches the pattern. */
  canMatch(index: number): boolean {
    const pattern = this.patterns[index]?.pattern;
    return pattern !== undefined && isMatchable(this.form, pattern);
  }

  /** Whether a code as it may be written matches a pattern. */
  isMatched(index: number, code: string): boolean {
    const pattern = this.patterns[index]?.pattern;
    return pattern !== undefined && matchesAtom(pattern, canonicalPostalCode(this.form, code));
  }

  /** Index of the subzone that a canonical code falls into, or -1. */
  owner(code: string): number {
    return this.#ownerOf(this.decider(code));
  }

  /** The patterns by which a subzone may get codes. */
  patternsOf(subzone: number): readonly PostalPattern[] {
    return this.#winning[subzone] ?? [];
  }

  /** False only when no code of this form falls into the subzone. */
  canOwn(subzone: number): boolean {
    return this.patternsOf(subzone).length > 0;
  }

  /** A code that falls into the subzone, as a customer may write it; null when none was found. */
  exampleOf(subzone: number): string | null {
    let example = this.#examples.get(subzone);
    if (example === undefined) {
      example = this.#findExample(subzone);
      this.#examples.set(subzone, example);
    }
    return example;
  }

  #findExample(subzone: number): string | null {
    for (const pattern of this.patternsOf(subzone)) {
      for (const code of exampleCodes(this.form, pattern)) {
        if (this.owner(canonicalPostalCode(this.form, code)) === subzone) return code;
      }
    }
    return null;
  }

  /**
   * True only when no code that matches the atom is in a subzone (or, for -1, in none) that is admitted.
   */
  isForeign(atom: PostalAtom, admits: (subzone: number) => boolean, steps: Steps): boolean {
    if (this.patterns.length > SCAN_MAX) return false;
    steps.spend(this.patterns.length);
    let isCovered = !admits(NO_OWNER);
    for (const [index, { owner, pattern }] of this.patterns.entries()) {
      if (!canMeet(pattern, atom)) continue;
      if (admits(owner) && this.verdicts[index] !== 'never_wins') return false;
      if (covers(pattern, atom)) isCovered = true;
    }
    return isCovered;
  }

  /**
   * A code as a customer may write it that matches the pattern, if there is one that another subzone
   * decides; for a pattern that no code matches, the code that it spells.
   */
  strayOf(index: number): string | null {
    const placed = this.patterns[index];
    if (placed === undefined) return null;
    const canonical = (code: string) => canonicalPostalCode(this.form, code);
    const examples = exampleCodes(this.form, placed.pattern);
    const matching = examples.filter((code) => this.isMatched(index, code));
    return (
      matching.find((code) => this.owner(canonical(code)) !== placed.owner) ??
      matching[0] ??
      examples[0] ??
      null
    );
  }
}

/** The index of the pattern that is next to decide, among those that are weaker than exact codes; -1 = none. */
function nextOf(pattern: PostalPattern, weaker: PostalOwners): number {
  if (pattern.kind === 'exact') return weaker.find(pattern.code);
  if (pattern.kind === 'range' || pattern.prefix === '') return NO_PATTERN;
  return weaker.prefixOwner(pattern.prefix.slice(0, -1));
}
