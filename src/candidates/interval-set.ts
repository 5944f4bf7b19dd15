/**
 * Interval sets: sets of whole numbers as ascending, disjoint, closed intervals. All operations are exact.
 */

/** Ends of the intervals: [low, high, low, high, ...]. */
export type IntervalSet = readonly number[];

const NO_NUMBER: IntervalSet = [];

export const interval = (low: number, high: number): IntervalSet => (low <= high ? [low, high] : NO_NUMBER);

export const isEmptySet = (set: IntervalSet): boolean => set.length === 0;

/** The set must not be empty. */
export const minOf = (set: IntervalSet): number => set[0] as number;
export const maxOf = (set: IntervalSet): number => set[set.length - 1] as number;

/** Returns the set of these numbers, given in any order. */
export function points(numbers: readonly number[]): IntervalSet {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  return sorted.flatMap((number) => [number, number]);
}

export function intersection(a: IntervalSet, b: IntervalSet): IntervalSet {
  const common: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const low = Math.max(a[i] as number, b[j] as number);
    const high = Math.min(a[i + 1] as number, b[j + 1] as number);
    if (low <= high) common.push(low, high);
    if ((a[i + 1] as number) < (b[j + 1] as number)) i += 2;
    else j += 2;
  }
  return common;
}

/** Returns the numbers from `low` to `high` that are not in the set. */
export function complement(set: IntervalSet, low: number, high: number): IntervalSet {
  const rest: number[] = [];
  let next = low;
  for (let i = 0; i < set.length && next <= high; i += 2) {
    const end = Math.min((set[i] as number) - 1, high);
    if (next <= end) rest.push(next, end);
    next = Math.max(next, (set[i + 1] as number) + 1);
  }
  if (next <= high) rest.push(next, high);
  return rest;
}

export const hasNumber = (set: IntervalSet, number: number): boolean => leastFrom(set, number) === number;

/** Returns the least number of the set that is >= `number`; null when there is none. */
export function leastFrom(set: IntervalSet, number: number): number | null {
  let [first, end] = [0, set.length / 2];
  while (first < end) {
    const middle = (first + end) >> 1;
    if ((set[2 * middle + 1] as number) >= number) end = middle;
    else first = middle + 1;
  }
  const low = set[2 * first];
  return low === undefined ? null : Math.max(number, low);
}

/** Returns at most `max` numbers at or near the bounds of the intervals, those near `wanted` first. */
export function samples(set: IntervalSet, wanted: number, max: number): number[] {
  const found = hasNumber(set, wanted) ? [wanted] : [];
  for (let i = 0; i < set.length && found.length < max; i++) found.push(set[i] as number);
  return [...new Set(found)].sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted));
}
