/**
 * Places in ordered lists. A record's `placement` is the number of the version that created it or moved it
 * explicitly; a neighbour that shifts keeps its own.
 */
import type { Placement } from '../domain/shop-event.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { extended } from '../runtime/extended.ts';
import { alignSteps, type Identified, stayingRecords } from './align.ts';
import { movedInList, splicedList } from './list-window.ts';
import { sameJson } from './same-json.ts';

/** Where a new record comes to stand: at `position` (0-based), or at the end when that is absent or beyond it. */
export const placeOfNew = (list: readonly unknown[], position: number = list.length): number =>
  Math.min(position, list.length);

/** Where a record that stands at `index` comes to stand: a position beyond the end means the end. */
export const placeOfMoved = (list: readonly unknown[], index: number, position: number = index): number =>
  Math.min(position, list.length - 1);

/**
 * The list with the record at `index` replaced and, when `position` (of `placeOfMoved`) is another place, moved there by
 * the version `placement`.
 */
export const updatedList = <T extends Placement>(
  list: readonly T[],
  index: number,
  record: T,
  position: number,
  placement: number,
): readonly T[] =>
  position === index
    ? splicedList(list, index, 1, record)
    : movedInList(list, index, position, { ...record, placement });

/**
 * The list that holds exactly `wanted`, in that order. As many records as possible keep their placement;
 * new and moved ones are stamped with `placement`. Records, or the whole list, that end up as they were
 * are returned by identity.
 */
export function* replaceListSteps<T extends Identified>(
  from: readonly (T & Placement)[],
  wanted: readonly T[],
  placement: number,
  shouldYield: ShouldYield,
): WorkSteps<readonly (T & Placement)[]> {
  const aligned = yield* alignSteps(from, wanted, shouldYield);
  const { start, fromIndexes } = aligned;
  const stays = stayingRecords(aligned);
  let changed = from.length !== wanted.length;
  // What both share by identity stays; only records that have a place already can be shared.
  const result = wanted.slice() as (T & Placement)[];
  for (const [at, fromIndex] of fromIndexes.entries()) {
    const record = wanted[start + at] as T;
    if (shouldYield()) yield;
    const old = stays[at] === 1 ? from[fromIndex] : undefined;
    const placed = extended(record, { placement: old?.placement ?? placement });
    const isSame = old !== undefined && sameJson(old, placed);
    result[start + at] = isSame ? old : placed;
    if (!isSame) changed = true;
  }
  return changed ? result : from;
}
