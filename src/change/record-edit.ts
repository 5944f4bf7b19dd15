/**
 * Record edits: how the write of one record changes its list, and what it adds to the counts of the version. Both equal
 * the result of comparing the configurations before and after the write (`diffConfigSteps`, `compareSteps`).
 */
import type { ListChange, Placement } from '../domain/shop-event.ts';
import type { ChangeCounts, RecordKind } from '../domain/version.ts';
import type { Identified } from './align.ts';
import { fieldChanges } from './compare.ts';
import { sameJson } from './same-json.ts';

/** `C` is the form of a record in a change; `change` is null when the write changes nothing. */
export interface RecordEdit<C> {
  readonly change: ListChange<C> | null;
  readonly counts: ChangeCounts;
}

const modified = (count: number): ChangeCounts => ({ added: 0, modified: count, removed: 0 });

/** Index of a new record: `position`, or the end of the list when `position` is absent or beyond the end. */
export const indexOfNew = (list: readonly unknown[], position: number = list.length): number =>
  Math.min(position, list.length);

/** Index to which a record moves from `index`: a position beyond the end means the end. */
export const indexOfMoved = (list: readonly unknown[], index: number, position: number = index): number =>
  Math.min(position, list.length - 1);

/** `children`: the number of subzones of a new zone. */
export const insertion = <C>(index: number, record: C, children = 0): RecordEdit<C> => ({
  change: { placed: [{ index, record }] },
  counts: { added: 1 + children, modified: 0, removed: 0 },
});

/** `children`: how many subzones or rules are removed with the record. */
export const removal = ({ id }: Identified, children = 0): RecordEdit<never> => ({
  change: { removed: [id] },
  counts: { added: 0, modified: 0, removed: 1 + children },
});

/** The index to which a record moves, and its placement if that index differs from the old one. */
export interface Target extends Placement {
  readonly position: number;
}

/**
 * Replaces the record at `index` with `record` and moves it to its target. `stored` makes the form that changes hold.
 */
export function update<T extends Identified & Placement, C>(
  kind: RecordKind,
  list: readonly T[],
  index: number,
  record: T,
  { position, placement }: Target,
  stored: (record: T) => C,
): RecordEdit<C> {
  const old = list[index];
  if (position === index) {
    if (old === undefined || sameJson(stored(old), stored(record)))
      return { change: null, counts: modified(0) };
    const isSeen = fieldChanges(kind, old, record).length > 0;
    return { change: { replaced: [stored(record)] }, counts: modified(isSeen ? 1 : 0) };
  }
  const moved = stored({ ...record, placement });
  const next = list[position];
  const isSwap = position === index + 1 && next !== undefined;
  // When two neighbours swap places, a comparison counts the later one as moved.
  const change = isSwap
    ? { replaced: [moved], placed: [{ index, record: stored(next) }] }
    : { placed: [{ index: position, record: moved }] };
  return { change, counts: modified(1) };
}
