/**
 * Postal ranges: for codes of digits, the subzone of the narrowest range that holds the code, ties to the
 * subzone listed first (contract section 4.4). A range holds only codes of its own length.
 *
 * Overlapping ranges are cut into segments that do not overlap, each with its one owner, so that a
 * look-up is a binary search. Bounds: segments < 2 x ranges per length.
 */

const NO_OWNER = -1;
const DIGITS = /^[0-9]+$/;

interface Segments {
  /** First number of each segment, ascending; a segment ends where the next begins. */
  readonly starts: Float64Array;
  readonly owners: Int32Array;
}

export interface PostalRanges {
  /** Index of the owning subzone, or -1. */
  find(code: string): number;
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly owner: number;
}

/** True when `a` is the more specific of two ranges that hold the same code. */
const isStronger = (a: Range, b: Range): boolean => {
  const widths = a.to - a.from - (b.to - b.from);
  return widths < 0 || (widths === 0 && a.owner < b.owner);
};

export class RangeCollector {
  readonly #byLength = new Map<number, Range[]>();

  /** Both ends included; digit strings of one length, at most 15. */
  add(from: string, to: string, owner: number): void {
    const ranges = this.#byLength.get(from.length) ?? [];
    ranges.push({ from: Number(from), to: Number(to), owner });
    this.#byLength.set(from.length, ranges);
  }

  build(): PostalRanges | null {
    if (this.#byLength.size === 0) return null;
    const byLength = new Map<number, Segments>();
    for (const [length, ranges] of this.#byLength) byLength.set(length, cutIntoSegments(ranges));
    return {
      find(code) {
        const segments = byLength.get(code.length);
        return segments === undefined || !DIGITS.test(code) ? NO_OWNER : findSegment(segments, Number(code));
      },
    };
  }
}

function findSegment({ starts, owners }: Segments, code: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= code) low = middle + 1;
    else high = middle - 1;
  }
  return high < 0 ? NO_OWNER : (owners[high] as number);
}

/**
 * Sweeps over the ends of the ranges, keeping those that hold the current number in a heap with the most
 * specific on top; O(n log n).
 */
function cutIntoSegments(ranges: readonly Range[]): Segments {
  const byStart = [...ranges].sort((a, b) => a.from - b.from);
  const cuts = [...new Set(ranges.flatMap(({ from, to }) => [from, to + 1]))].sort((a, b) => a - b);
  const open = new RangeHeap();
  const starts: number[] = [];
  const owners: number[] = [];
  let next = 0;
  for (const cut of cuts) {
    for (let range = byStart[next]; range !== undefined && range.from <= cut; range = byStart[++next]) {
      open.push(range);
    }
    let top = open.top();
    while (top !== undefined && top.to < cut) {
      open.pop();
      top = open.top();
    }
    const owner = top?.owner ?? NO_OWNER;
    if (owners.length === 0 || owners[owners.length - 1] !== owner) {
      starts.push(cut);
      owners.push(owner);
    }
  }
  return { starts: Float64Array.from(starts), owners: Int32Array.from(owners) };
}

/** Binary heap with the most specific range on top; ranges that have ended leave when they come up. */
class RangeHeap {
  readonly #items: Range[] = [];

  top(): Range | undefined {
    return this.#items[0];
  }

  push(range: Range): void {
    const items = this.#items;
    let at = items.length;
    items.push(range);
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = items[parentAt] as Range;
      if (!isStronger(range, parent)) break;
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
      if (right !== undefined && isStronger(right, items[childAt] as Range)) childAt++;
      const child = items[childAt];
      if (child === undefined || !isStronger(child, last)) break;
      items[at] = child;
      at = childAt;
    }
    items[at] = last;
  }
}
