/**
 * Postal range verdict: what would be lost without a range of a zone. Ranges are cut where others begin or
 * end; on each piece on which the range is the strongest, the next strongest decides whether the codes
 * would stay in the subzone.
 *
 * Bounds: a range is compared with at most NEIGHBOURS_MAX others, and nothing is said of one with more.
 */
import type { PostalPattern } from '../domain/postal-code.ts';
import type { PatternVerdict, PlacedPattern } from './placed-pattern.ts';
import { canMeet, codesOf, commonBeginning } from './postal-atom.ts';

const NEIGHBOURS_MAX = 64;
/** Ranges open at once beyond which the ranges of this length are not judged. */
const OPEN_MAX = 500;
/** Codes of a piece that are looked at one by one. */
const CODES_MAX = 256;
const PREFIXES_MAX = 2_000;

interface Surroundings {
  isMatchable(pattern: PostalPattern): boolean;
  /** Index of the subzone that an exact pattern gives a code, or -1. */
  exactOwner(code: string): number;
  /** Index of the subzone that prefixes alone give a code, or -1. */
  prefixOwner(code: string): number;
  readonly prefixes: readonly string[];
}

interface Range {
  /** Index among the patterns: of two equal ranges the lower is the stronger. */
  readonly index: number;
  readonly owner: number;
  readonly from: number;
  readonly to: number;
  readonly digits: number;
  readonly neighbours: Range[];
  isCrowded: boolean;
  isNeeded: boolean;
}

/** Verdicts by the index of the pattern; a range that was not compared with all others has none. */
export function judgeRanges(
  patterns: readonly PlacedPattern[],
  around: Surroundings,
): ReadonlyMap<number, PatternVerdict> {
  const byDigits = new Map<number, Range[]>();
  for (const [index, { owner, pattern }] of patterns.entries()) {
    if (pattern.kind !== 'range' || !around.isMatchable(pattern)) continue;
    const digits = pattern.from.length;
    const list = byDigits.get(digits) ?? [];
    const [from, to] = [Number(pattern.from), Number(pattern.to)];
    list.push({ index, owner, from, to, digits, neighbours: [], isCrowded: false, isNeeded: true });
    byDigits.set(digits, list);
  }
  const verdicts = new Map<number, PatternVerdict>();
  for (const list of byDigits.values()) {
    if (!connect(list)) continue;
    for (const range of list) {
      const verdict = judge(range, around);
      verdicts.set(range.index, verdict);
      // All that is not needed may go at once: the verdicts to come do not lean on it.
      range.isNeeded = verdict === 'needed';
    }
  }
  return verdicts;
}

/** Tells each range which others it overlaps; false when too many overlap at once. */
function connect(ranges: readonly Range[]): boolean {
  let open: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    open = open.filter((other) => other.to >= range.from);
    if (open.length > OPEN_MAX) return false;
    for (const other of open) {
      meet(range, other);
      meet(other, range);
    }
    open.push(range);
  }
  return true;
}

function meet(range: Range, other: Range): void {
  if (range.neighbours.length < NEIGHBOURS_MAX) range.neighbours.push(other);
  else range.isCrowded = true;
}

function isStronger(a: Range, b: Range): boolean {
  const widths = a.to - a.from - (b.to - b.from);
  return widths < 0 || (widths === 0 && a.index < b.index);
}

function judge(range: Range, around: Surroundings): PatternVerdict {
  if (range.isCrowded) return 'needed';
  const { from, to, owner, digits, neighbours } = range;
  const cuts = neighbours
    .flatMap((other) => [other.from, other.to + 1])
    .filter((cut) => cut > from && cut <= to);
  const starts = [...new Set([from, ...cuts])].sort((a, b) => a - b);
  let goesElsewhere = false;
  let wins = false;
  for (const [i, start] of starts.entries()) {
    const end = (starts[i + 1] ?? to + 1) - 1;
    const piece = {
      from: String(start).padStart(digits, '0'),
      to: String(end).padStart(digits, '0'),
    };
    // An exact code beats every range.
    const exactOwners = exactOwnersOf(piece, around);
    if (exactOwners !== null) {
      goesElsewhere ||= exactOwners.some((each) => each !== owner);
      continue;
    }
    const holding = neighbours.filter((other) => other.from <= start && other.to >= end);
    const decider = strongest(stronger(holding, range)) ?? range;
    const needed = holding.filter(({ isNeeded }) => isNeeded);
    const isLeft = (next: Range | null) =>
      next === null ? arePrefixedBy(decider.owner, piece, around) : next.owner === decider.owner;
    // Without all that is not needed, the piece has to stay where it is, too.
    if (stronger(needed, range).length === 0 && !isLeft(strongest(needed))) return 'needed';
    goesElsewhere ||= decider.owner !== owner;
    if (decider !== range) continue;
    wins = true;
    if (!isLeft(strongest(holding))) return 'needed';
  }
  return wins || !goesElsewhere ? 'redundant' : 'never_wins';
}

const stronger = (ranges: readonly Range[], than: Range): readonly Range[] =>
  ranges.filter((each) => isStronger(each, than));

const strongest = (ranges: readonly Range[]): Range | null =>
  ranges.reduce<Range | null>((best, each) => (best === null || isStronger(each, best) ? each : best), null);

interface Piece {
  readonly from: string;
  readonly to: string;
}

/** The subzones that exact patterns give the codes of a piece; null when a code is not an exact pattern. */
function exactOwnersOf(piece: Piece, { exactOwner }: Surroundings): readonly number[] | null {
  if (exactOwner(piece.from) < 0) return null;
  const owners = codesOf({ kind: 'range', ...piece }, CODES_MAX)?.map(exactOwner);
  return owners === undefined || owners.includes(-1) ? null : owners;
}

/** True only when prefixes give every code of the piece, but for exact patterns, to the subzone. */
function arePrefixedBy(owner: number, piece: Piece, around: Surroundings): boolean {
  const isKept = (code: string) => around.exactOwner(code) >= 0 || around.prefixOwner(code) === owner;
  if (!isKept(piece.from)) return false;
  const codes = codesOf({ kind: 'range', ...piece }, CODES_MAX);
  if (codes !== null) return codes.every(isKept);
  const common = commonBeginning(piece.from, piece.to);
  if (around.prefixOwner(common) !== owner || around.prefixes.length > PREFIXES_MAX) return false;
  return around.prefixes.every(
    (prefix) =>
      prefix.length <= common.length ||
      !canMeet({ kind: 'prefix', prefix }, { kind: 'range', ...piece }) ||
      around.prefixOwner(prefix) === owner,
  );
}
