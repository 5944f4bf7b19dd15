/**
 * Aligns two ordered lists of records by id: which records are in both lists, which were removed, and which of the
 * common records keep their place. Diff, comparison and bulk replacement use this alignment. It is linear; a common
 * prefix and a common suffix are skipped.
 */
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';

export interface Identified {
  readonly id: string;
}

export interface Alignment {
  /** The aligned records of `to` are at `start` to `end`; outside this range both lists hold the same objects. */
  readonly start: number;
  readonly end: number;
  /** For each aligned record the index in `from` of the record with the same id, or -1 for a new record. */
  readonly fromIndexes: Int32Array;
  /** Indexes in `from` of the records that `to` does not have, ascending. */
  readonly removed: readonly number[];
}

/** Ids must be unique within each list. */
export function* alignSteps(
  from: readonly Identified[],
  to: readonly Identified[],
  shouldYield: ShouldYield,
): WorkSteps<Alignment> {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start++;
  let rest = 0;
  while (rest < shorter - start && from[from.length - 1 - rest] === to[to.length - 1 - rest]) rest++;
  const end = to.length - rest;
  const unmatched = new Map<string, number>();
  for (let index = start; index < from.length - rest; index++) {
    unmatched.set(from[index]?.id ?? '', index);
    if (shouldYield()) yield;
  }
  const fromIndexes = new Int32Array(end - start).fill(-1);
  for (let index = start; index < end; index++) {
    if (shouldYield()) yield;
    const id = to[index]?.id ?? '';
    const fromIndex = unmatched.get(id);
    if (fromIndex === undefined) continue;
    fromIndexes[index - start] = fromIndex;
    unmatched.delete(id);
  }
  return { start, end, fromIndexes, removed: [...unmatched.values()] };
}

/**
 * For each aligned record, 1 when it keeps its place relative to all other such records: a longest increasing
 * subsequence of `fromIndexes`. Of several longest subsequences it is the one with the most records at their old index,
 * so that in a reversed list the middle record does not count as moved. A new record gets 0.
 */
export function stayingRecords({ start, fromIndexes }: Pick<Alignment, 'start' | 'fromIndexes'>): Uint8Array {
  const isAtItsIndex = (at: number): boolean => fromIndexes[at] === start + at;
  const stays = markRun(longestRun(fromIndexes));
  const movesToItsIndex = stays.some((stay, at) => stay === 0 && isAtItsIndex(at));
  return movesToItsIndex ? markRun(heaviestRun(fromIndexes, isAtItsIndex)) : stays;
}

/**
 * An increasing subsequence: the index of its last element, and for each element the index of its predecessor, or -1.
 */
interface Run {
  readonly last: number;
  readonly previous: Int32Array;
}

function markRun({ last, previous }: Run): Uint8Array {
  const marks = new Uint8Array(previous.length);
  for (let at = last; at >= 0; at = previous[at] as number) marks[at] = 1;
  return marks;
}
/** Patience sorting: linear for a sorted list. */
function longestRun(values: Int32Array): Run {
  const { length } = values;
  // tails[k] = index of the smallest last element of any increasing run of length k + 1 seen so far.
  const tails = new Int32Array(length);
  const previous = new Int32Array(length);
  const valueOfTail = (run: number): number => values[tails[run] as number] as number;
  let longest = 0;
  for (let index = 0; index < length; index++) {
    const value = values[index] as number;
    if (value < 0) continue;
    let low = 0;
    let high = longest;
    if (high > 0 && valueOfTail(high - 1) < value) low = high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (valueOfTail(middle) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : (tails[low - 1] as number);
    tails[low] = index;
    if (low === longest) longest++;
  }
  return { last: longest === 0 ? -1 : (tails[longest - 1] as number), previous };
}

/** The longest run with the most preferred elements, found with a binary indexed tree that stores the best runs. */
function heaviestRun(values: Int32Array, isPreferred: (at: number) => boolean): Run {
  const { length } = values;
  // Stays below 2^53 for ten million elements.
  const unit = length + 1;
  const weights = new Float64Array(length);
  const previous = new Int32Array(length);
  // best[n] = the element that ends the heaviest run among the values that tree node n covers.
  const best = new Int32Array(values.reduce((most, value) => Math.max(most, value), -1) + 2).fill(-1);
  const weightOf = (at: number): number => (at < 0 ? 0 : (weights[at] as number));
  let last = -1;
  for (let at = 0; at < length; at++) {
    const value = values[at] as number;
    if (value < 0) continue;
    let before = -1;
    for (let node = value; node > 0; node -= node & -node) {
      const candidate = best[node] as number;
      if (weightOf(candidate) > weightOf(before)) before = candidate;
    }
    previous[at] = before;
    weights[at] = weightOf(before) + unit + (isPreferred(at) ? 1 : 0);
    if (weightOf(at) > weightOf(last)) last = at;
    for (let node = value + 1; node < best.length; node += node & -node) {
      if (weightOf(at) > weightOf(best[node] as number)) best[node] = at;
    }
  }
  return { last, previous };
}
