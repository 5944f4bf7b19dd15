/**
 * Owner segments: intervals of whole numbers, each with an owner, cut into segments that do not overlap. A
 * number has the owner of the narrowest interval that holds it; of equally narrow ones, the lowest owner.
 *
 * Bounds: segments <= 2 x intervals; built in O(n log n); a look-up among evenly spread segments takes
 * constant time, among others O(log n).
 */
import { valueAt } from '../../base/runtime/map-entries.ts';

/** Owner of a number that no interval contains. */
export const NO_OWNER = -1;

/** Non-negative safe integers, both ends included. */
export interface OwnedInterval {
  readonly from: number;
  readonly to: number;
  readonly owner: number;
}

/** The start of each segment, ascending, and its owner; a segment ends where the next starts. */
interface Cuts {
  readonly starts: Float64Array;
  readonly owners: Int32Array;
}

export class OwnerSegments {
  readonly #starts: Float64Array;
  /** The last segment, and any other that no interval holds, has `NO_OWNER`. */
  readonly #owners: Int32Array;
  /**
   * The range of numbers is divided into as many equal parts as there are segments. Holds, for each part, how many
   * segments start before it.
   */
  readonly #before: Int32Array;
  readonly #first: number;
  readonly #partsPerNumber: number;

  private constructor({ starts, owners }: Cuts) {
    this.#starts = starts;
    this.#owners = owners;
    this.#first = starts[0] as number;
    const parts = starts.length;
    this.#before = new Int32Array(parts + 1);
    this.#partsPerNumber = parts / ((starts[starts.length - 1] as number) - this.#first + 1);
  }

  /** Requires at least one interval; they are ordered by owner. */
  static of(intervals: readonly OwnedInterval[]): OwnerSegments {
    const segments = new OwnerSegments(cutsOf(intervals));
    segments.#countParts();
    return segments;
  }

  #countParts(): void {
    let part = 0;
    for (let segment = 0; segment < this.#starts.length; segment++) {
      const to = this.#partOf(this.#starts[segment] as number);
      for (; part < to; part++) this.#before[part + 1] = segment;
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
    const before = this.#before[part] as number;
    return lastStart(this.#starts, number, before, (this.#before[part + 1] as number) - 1);
  }
}

/** Index of the last start from `low` to `high` that is not above the number; `low - 1` when all are above it. */
function lastStart(starts: Float64Array, number: number, low: number, high: number): number {
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= number) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}

/**
 * Cuts the numbers at both ends of every interval. Then each interval, the narrowest first, takes the segments between its
 * ends that have no owner yet.
 */
function cutsOf(intervals: readonly OwnedInterval[]): Cuts {
  const ends: number[] = [];
  const byWidth = new Map<number, OwnedInterval[]>();
  for (const interval of intervals) {
    const { from, to } = interval;
    ends.push(from, to + 1);
    valueAt(byWidth, to - from, (): OwnedInterval[] => []).push(interval);
  }
  const sorted = new Float64Array(ends).sort();
  const starts = sorted.filter((end, at) => end !== sorted[at - 1]);
  const owners = new Int32Array(starts.length).fill(NO_OWNER);
  /** By segment: the segment itself while it has no owner, else a later one; those before the later one have owners. */
  const free = owners.map((_, at) => at);
  for (const width of Float64Array.from(byWidth.keys()).sort()) {
    for (const { from, to, owner } of byWidth.get(width) as readonly OwnedInterval[]) {
      let at = firstFree(free, lastStart(starts, from, 0, starts.length - 1));
      // The last segment begins behind every interval.
      for (; (starts[at] as number) <= to; at = firstFree(free, at)) {
        owners[at] = owner;
        free[at] = at + 1;
      }
    }
  }
  return joinedCuts(starts, owners);
}

/** The first segment from this one on that has no owner. Shortens the path for later calls. */
function firstFree(free: Int32Array, segment: number): number {
  let at = segment;
  while (free[at] !== at) {
    free[at] = free[free[at] as number] as number;
    at = free[at] as number;
  }
  return at;
}

/** Joins neighbours of one owner. */
function joinedCuts(starts: Float64Array, owners: Int32Array): Cuts {
  let count = 0;
  for (let at = 0; at < starts.length; at++) {
    if (owners[at] === owners[count - 1]) continue;
    starts[count] = starts[at] as number;
    owners[count++] = owners[at] as number;
  }
  return { starts: starts.slice(0, count), owners: owners.slice(0, count) };
}
