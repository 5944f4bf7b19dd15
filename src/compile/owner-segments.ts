/**
 * Owner segments: intervals of whole numbers, each with an owner, cut into segments that do not overlap. A
 * number has the owner of the narrowest interval that holds it; of equally narrow ones, the lowest owner.
 *
 * Bounds: segments <= 2 x intervals; built in O(n log n); a look-up among evenly spread segments takes
 * constant time, among others O(log n).
 */
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';

/** Owner of a number that no interval contains. */
export const NO_OWNER = -1;

/** The start of each segment, ascending, and its owner; a segment ends where the next starts. */
interface Cuts {
  readonly starts: number[];
  readonly owners: number[];
}

export class OwnerSegments {
  readonly #starts: Float64Array;
  /** The last segment, and any other that no interval holds, has `NO_OWNER`. */
  readonly #owners: Int32Array;
  /**
   * The range of numbers is divided into as many equal parts as there are segments. Holds, for each part, how many
   * segments start before it. Measured with 100,000 patterns: with half as many parts a look-up takes 1.2 times as long.
   */
  readonly #before: Int32Array;
  readonly #first: number;
  readonly #partsPerNumber: number;

  private constructor({ starts, owners }: Cuts) {
    this.#starts = new Float64Array(starts);
    this.#owners = new Int32Array(owners);
    this.#first = starts[0] as number;
    const parts = starts.length;
    this.#before = new Int32Array(parts + 1);
    this.#partsPerNumber = parts / ((starts[starts.length - 1] as number) - this.#first + 1);
  }

  /** Requires at least one interval. */
  static *of(intervals: OwnedIntervals, shouldYield: ShouldYield): WorkSteps<OwnerSegments> {
    const segments = new OwnerSegments(yield* cutsOf(intervals, shouldYield));
    yield* segments.#countParts(shouldYield);
    return segments;
  }

  *#countParts(shouldYield: ShouldYield): WorkSteps<void> {
    let part = 0;
    for (let segment = 0; segment < this.#starts.length; segment++) {
      const to = this.#partOf(this.#starts[segment] as number);
      for (; part < to; part++) this.#before[part + 1] = segment;
      if (shouldYield()) yield;
    }
    this.#before.fill(this.#starts.length, part + 1);
  }

  /** Monotonic: a segment in an earlier part than a number starts before that number. */
  #partOf(number: number): number {
    const part = Math.floor((number - this.#first) * this.#partsPerNumber);
    return Math.min(part, this.#before.length - 2);
  }

  /** The owner of a number, or `NO_OWNER`. */
  find(number: number): number {
    return number < this.#first ? NO_OWNER : (this.#owners[this.#segmentAt(number)] as number);
  }

  /** The owners of the segments that numbers from `from` to `to` lie in; `from` is not below all segments. */
  *findAll(from: number, to: number): Generator<number> {
    for (let at = this.#segmentAt(from); (this.#starts[at] as number) <= to; at++)
      yield this.#owners[at] as number;
  }

  /** Index of the segment that a number lies in. */
  #segmentAt(number: number): number {
    const part = this.#partOf(number);
    let low = this.#before[part] as number;
    let high = (this.#before[part + 1] as number) - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) <= number) low = middle + 1;
      else high = middle - 1;
    }
    return high;
  }
}

/** Intervals of non-negative safe integers, both ends included. */
export class OwnedIntervals {
  readonly froms: number[] = [];
  readonly tos: number[] = [];
  readonly owners: number[] = [];

  add(from: number, to: number, owner: number): void {
    this.froms.push(from);
    this.tos.push(to);
    this.owners.push(owner);
  }

  get count(): number {
    return this.froms.length;
  }

  /** True when interval `a` takes precedence over `b` for the numbers in both. */
  isStronger(a: number, b: number): boolean {
    const widths = this.#width(a) - this.#width(b);
    return widths < 0 || (widths === 0 && (this.owners[a] as number) < (this.owners[b] as number));
  }

  #width(interval: number): number {
    return (this.tos[interval] as number) - (this.froms[interval] as number);
  }
}

/** Sweeps over all starts and ends in ascending order; a heap holds the open intervals, the strongest on top. */
function* cutsOf(intervals: OwnedIntervals, shouldYield: ShouldYield): WorkSteps<Cuts> {
  const { froms, tos, owners, count } = intervals;
  const byStart = yield* sortedSteps(froms, shouldYield);
  const open = new IntervalHeap(intervals);
  const cuts: Cuts = { starts: [], owners: [] };
  let started = 0;
  while (started < count || open.top !== undefined) {
    const start = started < count ? (froms[byStart[started] as number] as number) : Number.POSITIVE_INFINITY;
    const end = open.top === undefined ? Number.POSITIVE_INFINITY : (tos[open.top] as number) + 1;
    const cut = Math.min(start, end);
    if (start <= end) open.push(byStart[started++] as number);
    while (open.top !== undefined && (tos[open.top] as number) < cut) {
      open.pop();
      if (shouldYield()) yield;
    }
    startSegment(cuts, cut, open.top === undefined ? NO_OWNER : (owners[open.top] as number));
    if (shouldYield()) yield;
  }
  return cuts;
}

const RUN = 256;
/** Indexes merged between two yields. */
const PIECE = 4_096;

/**
 * Returns the indexes of the numbers in ascending order of the numbers. A merge sort that can yield: short runs are sorted
 * with `sort`, then merged in pairs. Measured: one call of `sort` takes 30 ms for 100,000 indexes and a second for a
 * million.
 */
function* sortedSteps(numbers: readonly number[], shouldYield: ShouldYield): WorkSteps<Int32Array> {
  const count = numbers.length;
  let sorted = new Int32Array(count);
  for (let from = 0; from < count; from += RUN) {
    const run = sorted.subarray(from, from + RUN);
    for (let at = 0; at < run.length; at++) run[at] = from + at;
    run.sort((a, b) => (numbers[a] as number) - (numbers[b] as number));
    if (shouldYield()) yield;
  }
  let merged = new Int32Array(count);
  for (let width = RUN; width < count; width *= 2) {
    for (let from = 0; from < count; from += 2 * width) {
      const middle = Math.min(from + width, count);
      const to = Math.min(from + 2 * width, count);
      let left = from;
      let right = middle;
      for (let at = from; at < to; at++) {
        const isLeft =
          right === to ||
          (left < middle &&
            (numbers[sorted[left] as number] as number) <= (numbers[sorted[right] as number] as number));
        merged[at] = sorted[isLeft ? left++ : right++] as number;
        if (at % PIECE === 0 && shouldYield()) yield;
      }
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}

/** Several intervals may start or end at one cut; the last call for a cut wins. */
function startSegment({ starts, owners }: Cuts, cut: number, owner: number): void {
  if (starts.at(-1) === cut) {
    starts.pop();
    owners.pop();
  }
  if (owners.at(-1) === owner) return;
  starts.push(cut);
  owners.push(owner);
}

/** Binary heap of intervals. An interval that has ended is removed when it reaches the top. */
class IntervalHeap {
  readonly #intervals: OwnedIntervals;
  readonly #items: number[] = [];

  constructor(intervals: OwnedIntervals) {
    this.#intervals = intervals;
  }

  /** The strongest interval; undefined when the heap is empty. */
  get top(): number | undefined {
    return this.#items[0];
  }

  push(interval: number): void {
    const items = this.#items;
    let at = items.length;
    items.push(interval);
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = items[parentAt] as number;
      if (!this.#intervals.isStronger(interval, parent)) break;
      items[at] = parent;
      at = parentAt;
    }
    items[at] = interval;
  }

  pop(): void {
    const items = this.#items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return;
    let at = 0;
    for (;;) {
      let childAt = 2 * at + 1;
      const right = items[childAt + 1];
      if (right !== undefined && this.#intervals.isStronger(right, items[childAt] as number)) childAt++;
      const child = items[childAt];
      if (child === undefined || !this.#intervals.isStronger(child, last)) break;
      items[at] = child;
      at = childAt;
    }
    items[at] = last;
  }
}
