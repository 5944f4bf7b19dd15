/**
 * Postal ranges: for codes of digits, the subzone of the narrowest range that holds the code, ties to the
 * subzone listed first (contract section 4.4). A range holds only codes of its own length.
 *
 * Overlapping ranges are cut into segments that do not overlap, each with its one owner; a table of equal
 * parts of the numbers says near which segment a code lies. Bounds: segments <= 2 x ranges per length.
 */

import { finishSteps, WorkMeter, type WorkSteps } from '../runtime/work-steps.ts';
import { orderTexts, SymbolTexts } from './symbol-texts.ts';

/** No subzone has the code. */
export const NO_OWNER = -1;

export interface PostalRanges {
  /** Index of the owning subzone, or -1. */
  find(code: string): number;
}

/** The segments for codes of one length, of which there is at least one; the arrays may be longer. */
export interface RangeCuts {
  /** First number of each segment, ascending; a segment ends where the next begins. */
  readonly starts: Float64Array;
  /** The last segment, and any other that no range holds, has `NO_OWNER`. */
  readonly owners: Int32Array;
  readonly count: number;
}

/** Segments to a part of the table. Measured: with 1 or 8 a look-up among 100,000 ranges takes longer. */
const SEGMENTS_PER_PART = 2;

/** The segments for codes of one length, to be looked up in. */
class Segments {
  readonly #starts: Float64Array;
  readonly #owners: Int32Array;
  /** For each part, how many segments begin in those before it. */
  readonly #before: Int32Array;
  readonly #first: number;
  readonly #partsPerNumber: number;

  private constructor({ starts, owners, count }: RangeCuts) {
    this.#starts = starts;
    this.#owners = owners;
    const parts = Math.ceil(count / SEGMENTS_PER_PART);
    this.#before = new Int32Array(parts + 1);
    this.#first = starts[0] as number;
    this.#partsPerNumber = parts / ((starts[count - 1] as number) - this.#first + 1);
  }

  static *of(cuts: RangeCuts, meter: WorkMeter): WorkSteps<Segments> {
    const { starts, count } = cuts;
    const segments = new Segments(cuts);
    let part = 0;
    for (let at = 0; at < count; at++) {
      const to = segments.#partOf(starts[at] as number);
      for (; part < to; part++) segments.#before[part + 1] = at;
      if (meter.spend(2)) yield meter.take();
    }
    segments.#before.fill(count, part + 1);
    return segments;
  }

  /** Monotonic, so that a segment in an earlier part than a code begins before it. */
  #partOf(code: number): number {
    const part = Math.floor((code - this.#first) * this.#partsPerNumber);
    return Math.min(part, this.#before.length - 2);
  }

  find(code: number): number {
    if (code < this.#first) return NO_OWNER;
    const part = this.#partOf(code);
    let low = this.#before[part] as number;
    let high = (this.#before[part + 1] as number) - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) <= code) low = middle + 1;
      else high = middle - 1;
    }
    return this.#owners[high] as number;
  }
}

class RangesByLength implements PostalRanges {
  /** By length of the codes. */
  readonly #segments: readonly (Segments | undefined)[];

  constructor(segments: readonly (Segments | undefined)[]) {
    this.#segments = segments;
  }

  find(code: string): number {
    const segments = this.#segments[code.length];
    if (segments === undefined) return NO_OWNER;
    let number = 0;
    for (let i = 0; i < code.length; i++) {
      const digit = code.charCodeAt(i) - 0x30;
      if (digit < 0 || digit > 9) return NO_OWNER;
      number = 10 * number + digit;
    }
    return segments.find(number);
  }
}

export class RangeCollector {
  readonly #byLength: (RangeList | undefined)[] = [];

  /** Both ends included; digit strings of one length, at most 15. */
  add(from: string, to: string, owner: number): void {
    let ranges = this.#byLength[from.length];
    if (ranges === undefined) {
      ranges = new RangeList();
      while (this.#byLength.length < from.length) this.#byLength.push(undefined);
      this.#byLength[from.length] = ranges;
    }
    ranges.add(from, to, owner);
  }

  /** How many ranges there are. */
  get count(): number {
    return this.#byLength.reduce((sum, ranges) => sum + (ranges?.count ?? 0), 0);
  }

  /** How many ranges there are of codes of a length. */
  countOf(length: number): number {
    return this.#byLength[length]?.count ?? 0;
  }

  /** The ranges of codes of a length, cut into segments; null when there is none. */
  *cutSteps(length: number, meter: WorkMeter): WorkSteps<RangeCuts | null> {
    const ranges = this.#byLength[length];
    return ranges === undefined ? null : yield* cutIntoSegments(ranges, meter);
  }

  build(): PostalRanges | null {
    return finishSteps(this.buildSteps(new WorkMeter()));
  }

  /** Those of codes of the lengths that are wanted. */
  *buildSteps(meter: WorkMeter, isWanted = (_length: number) => true): WorkSteps<PostalRanges | null> {
    const byLength: (Segments | undefined)[] = [];
    for (const length of this.#byLength.keys()) {
      const cuts = isWanted(length) ? yield* this.cutSteps(length, meter) : null;
      byLength.push(cuts === null ? undefined : yield* Segments.of(cuts, meter));
    }
    return byLength.some((segments) => segments !== undefined) ? new RangesByLength(byLength) : null;
  }
}

/** The ranges of one length of codes. */
class RangeList {
  readonly froms = new SymbolTexts();
  readonly tos = new SymbolTexts();
  readonly #owners: number[] = [];

  get count(): number {
    return this.#owners.length;
  }

  add(from: string, to: string, owner: number): void {
    this.froms.add(from);
    this.tos.add(to);
    this.#owners.push(owner);
  }

  from(range: number): number {
    return numberAt(this.froms, range);
  }

  to(range: number): number {
    return numberAt(this.tos, range);
  }

  owner(range: number): number {
    return this.#owners[range] as number;
  }

  /** True when `a` is the more specific of two ranges that hold the same code. */
  isStronger(a: number, b: number): boolean {
    const widths = this.to(a) - this.from(a) - (this.to(b) - this.from(b));
    return widths < 0 || (widths === 0 && this.owner(a) < this.owner(b));
  }
}

/** The number that a text of digits writes: a digit's symbol is its value. */
function numberAt({ symbols, starts }: SymbolTexts, index: number): number {
  const end = starts[index + 1] as number;
  let number = 0;
  for (let at = starts[index] as number; at < end; at++) number = 10 * number + (symbols[at] as number);
  return number;
}

/** Units for a range that comes into the heap or leaves it. */
const HEAP_UNITS = 64;

/**
 * Sweeps over the ends of the ranges, keeping those that hold the current number in a heap with the most
 * specific on top; O(n log n).
 */
function* cutIntoSegments(ranges: RangeList, meter: WorkMeter): WorkSteps<RangeCuts> {
  const byStart = yield* orderTexts(ranges.froms, meter);
  const byEnd = yield* orderTexts(ranges.tos, meter);
  const { count } = ranges;
  const open = new RangeHeap(ranges);
  const starts = new Float64Array(2 * count);
  const owners = new Int32Array(2 * count);
  let segments = 0;
  let started = 0;
  let ended = 0;
  while (ended < count) {
    const end = ranges.to(byEnd[ended] as number) + 1;
    const start = started < count ? ranges.from(byStart[started] as number) : Number.POSITIVE_INFINITY;
    const cut = Math.min(start, end);
    // One range at a time, so that no step is longer for many that begin or end at once.
    if (start <= end) open.push(byStart[started++] as number);
    else ended++;
    for (let top = open.top(); top !== undefined && ranges.to(top) < cut; top = open.top()) {
      open.pop();
      if (meter.spend(HEAP_UNITS)) yield meter.take();
    }
    const top = open.top();
    const owner = top === undefined ? NO_OWNER : ranges.owner(top);
    if (segments > 0 && starts[segments - 1] === cut) segments--;
    if (segments === 0 || owners[segments - 1] !== owner) {
      starts[segments] = cut;
      owners[segments++] = owner;
    }
    if (meter.spend(HEAP_UNITS)) yield meter.take();
  }
  return { starts, owners, count: segments };
}

/** Binary heap with the most specific range on top; ranges that have ended leave when they come up. */
class RangeHeap {
  readonly #ranges: RangeList;
  readonly #items: number[] = [];

  constructor(ranges: RangeList) {
    this.#ranges = ranges;
  }

  top(): number | undefined {
    return this.#items[0];
  }

  push(range: number): void {
    const items = this.#items;
    let at = items.length;
    items.push(range);
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = items[parentAt] as number;
      if (!this.#ranges.isStronger(range, parent)) break;
      items[at] = parent;
      at = parentAt;
    }
    items[at] = range;
  }

  pop(): void {
    const items = this.#items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return;
    let at = 0;
    for (;;) {
      let childAt = 2 * at + 1;
      const right = items[childAt + 1];
      if (right !== undefined && this.#ranges.isStronger(right, items[childAt] as number)) childAt++;
      const child = items[childAt];
      if (child === undefined || !this.#ranges.isStronger(child, last)) break;
      items[at] = child;
      at = childAt;
    }
    items[at] = last;
  }
}
