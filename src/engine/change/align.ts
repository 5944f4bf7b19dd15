/**
 * Aligns two ordered lists of records by id: which records are in both lists, which were removed, and which of the
 * common records keep their place. Changes, comparisons and bulk replacement use this alignment. It is linear, except
 * for records whose order changed; a common prefix and a common suffix are skipped.
 */

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
export function align(from: readonly Identified[], to: readonly Identified[]): Alignment {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start++;
  let rest = 0;
  while (rest < shorter - start && from[from.length - 1 - rest] === to[to.length - 1 - rest]) rest++;
  const end = to.length - rest;
  const unmatched = new Map<string, number>();
  for (let index = start; index < from.length - rest; index++) {
    unmatched.set(from[index]?.id ?? '', index);
  }
  const fromIndexes = new Int32Array(end - start).fill(-1);
  for (let index = start; index < end; index++) {
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
 *
 * Each record gets the weight of the heaviest subsequence that ends with it: a binary indexed tree of the values finds
 * the one to append it to. Of equal weights the one that ends last counts, so that the result does not depend on the
 * length of the common prefix and suffix.
 */
export function stayingRecords({ start, fromIndexes }: Pick<Alignment, 'start' | 'fromIndexes'>): Uint8Array {
  const { length } = fromIndexes;
  if (isAscending(fromIndexes)) return Uint8Array.from(fromIndexes, (value) => (value < 0 ? 0 : 1));
  // One record more outweighs all records at their old index; stays below 2^53 for ten million records.
  const unit = length + 1;
  const weights = new Float64Array(length);
  const previous = new Int32Array(length);
  // best[n] = the record that ends the heaviest subsequence among the values that tree node n covers.
  const best = new Int32Array(fromIndexes.reduce((most, value) => Math.max(most, value), -1) + 2).fill(-1);
  const weightOf = (at: number): number => (at < 0 ? 0 : (weights[at] as number));
  const better = (a: number, b: number): number =>
    weightOf(a) > weightOf(b) || (weightOf(a) === weightOf(b) && a > b) ? a : b;
  let last = -1;
  for (let at = 0; at < length; at++) {
    const value = fromIndexes[at] as number;
    if (value < 0) continue;
    let before = -1;
    for (let node = value; node > 0; node -= node & -node) {
      before = better(best[node] as number, before);
    }
    previous[at] = before;
    weights[at] = weightOf(before) + unit + (value === start + at ? 1 : 0);
    last = better(at, last);
    for (let node = value + 1; node < best.length; node += node & -node) {
      best[node] = better(at, best[node] as number);
    }
  }
  const stays = new Uint8Array(length);
  for (let at = last; at >= 0; at = previous[at] as number) stays[at] = 1;
  return stays;
}

/** True for the most usual edits, which move nothing. */
function isAscending(fromIndexes: Int32Array): boolean {
  let last = -1;
  for (const value of fromIndexes) {
    if (value < 0) continue;
    if (value < last) return false;
    last = value;
  }
  return true;
}
