/**
 * Lines up two ordered lists of records by id: who is in both, who left, and which of those in both can
 * keep their place. Diff, comparison and bulk replacement all start here.
 *
 * Cost: nothing where both lists are the same at their beginning and end; where they go on alike, but for a
 * record gone or new now and then, they are only walked; hashing is paid for the rest.
 */
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { windowOf } from './list-window.ts';

export interface Identified {
  readonly id: string;
}

export interface Alignment {
  /** The records of `to` that are lined up; before and behind them both lists are the same by identity. */
  readonly start: number;
  readonly end: number;
  /** For each of them the index in `from` of the record with the same id, or -1 when it is new. */
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
  if (shouldYield()) yield;
  const { start, fromEnd, toEnd } = windowOf(from, to);
  const fromIndexes = new Int32Array(toEnd - start).fill(-1);
  // Identity first: a shared record is then not even looked at.
  const match = (a: number, b: number) => from[a] === to[b] || from[a]?.id === to[b]?.id;
  const unmatched = new Map<string, number>();
  const open: number[] = [];
  let f = start;
  let t = start;
  while (f < fromEnd && t < toEnd) {
    if (shouldYield()) yield;
    if (match(f, t)) {
      fromIndexes[t++ - start] = f++;
      continue;
    }
    // One record gone, or one new, and the lists go on together.
    const gone = match(f + 1, t);
    const isNew = !gone && match(f, t + 1);
    if (!isNew) unmatched.set(from[f]?.id ?? '', f++);
    if (!gone) open.push(t++);
  }
  for (; f < fromEnd; f++) {
    unmatched.set(from[f]?.id ?? '', f);
    if (shouldYield()) yield;
  }
  for (; t < toEnd; t++) open.push(t);
  for (const index of open) {
    if (shouldYield()) yield;
    const id = to[index]?.id ?? '';
    const fromIndex = unmatched.get(id);
    if (fromIndex === undefined) continue;
    fromIndexes[index - start] = fromIndex;
    unmatched.delete(id);
  }
  return { start, end: toEnd, fromIndexes, removed: [...unmatched.values()] };
}

/** The same at once. */
export const alignLists = (from: readonly Identified[], to: readonly Identified[]): Alignment =>
  finishSteps(alignSteps(from, to, NEVER));

/**
 * For each record that was lined up, 1 when it can keep its place relative to all others that do: a longest
 * increasing subsequence of `fromIndexes`, and of the longest one with the most records at the very index that they
 * had, so that of a list turned round the middle is not said to move to where it was. A new record gets 0.
 */
export function stayingRecords({ start, fromIndexes }: Pick<Alignment, 'start' | 'fromIndexes'>): Uint8Array {
  const isAtItsIndex = (at: number): boolean => fromIndexes[at] === start + at;
  const stays = markRun(longestRun(fromIndexes));
  const movesToItsIndex = stays.some((stay, at) => stay === 0 && isAtItsIndex(at));
  return movesToItsIndex ? markRun(heaviestRun(fromIndexes, isAtItsIndex)) : stays;
}

/** An increasing subsequence: its last element, and of each element the one before it, or -1. */
interface Run {
  readonly last: number;
  readonly previous: Int32Array;
}

function markRun({ last, previous }: Run): Uint8Array {
  const marks = new Uint8Array(previous.length);
  for (let at = last; at >= 0; at = previous[at] as number) marks[at] = 1;
  return marks;
}

/** By patience sorting; a list in order costs one look each. */
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

/** A longest run, and of those one with the most preferred elements. By a binary indexed tree of the best runs. */
function heaviestRun(values: Int32Array, isPreferred: (at: number) => boolean): Run {
  const { length } = values;
  // Below 2^53 with ten million elements.
  const unit = length + 1;
  const weights = new Float64Array(length);
  const previous = new Int32Array(length);
  // best[n] = element that ends the heaviest run of those whose values the node n stands for.
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
