/**
 * Places in ordered lists. A record's `placement` is the number of the version that created it or moved it
 * explicitly; a neighbour that shifts keeps its own.
 */
import type { Placement } from '../domain/shop-event.ts';
import { alignLists, type Identified, stayingRecords } from './align.ts';
import { sameJson } from './same-json.ts';

/** A list after a write, and where the written record stands in it. */
export interface PlacedInList<T> {
  readonly list: readonly T[];
  readonly position: number;
}

/** The list with a new record at `position` (0-based); at the end when that is absent or beyond it. */
export function insertRecord<T>(
  list: readonly T[],
  record: T,
  position: number = list.length,
): PlacedInList<T> {
  const target = Math.min(position, list.length);
  return { list: list.toSpliced(target, 0, record), position: target };
}

/**
 * The list with the record at `index` replaced and, when `position` is another place, moved there by the
 * version `placement`. A position beyond the end means the end.
 */
export function updateRecord<T extends Placement>(
  list: readonly T[],
  index: number,
  record: T,
  position: number = index,
  placement: number,
): PlacedInList<T> {
  const target = Math.min(position, list.length - 1);
  if (target === index) return { list: list.with(index, record), position: index };
  const moved = { ...record, placement };
  return { list: list.toSpliced(index, 1).toSpliced(target, 0, moved), position: target };
}

/**
 * The list that holds exactly `wanted`, in that order. As many records as possible keep their placement;
 * new and moved ones are stamped with `placement`. Records, or the whole list, that end up as they were
 * are returned by identity.
 */
export function replaceList<T extends Identified>(
  from: readonly (T & Placement)[],
  wanted: readonly T[],
  placement: number,
): readonly (T & Placement)[] {
  const { fromIndexes } = alignLists(from, wanted);
  const stays = stayingRecords(fromIndexes);
  let changed = from.length !== wanted.length;
  const result = wanted.map((record, index) => {
    const old = stays[index] === 1 ? from[fromIndexes[index] as number] : undefined;
    const placed = { ...record, placement: old?.placement ?? placement };
    if (old !== undefined && sameJson(old, placed)) return old;
    changed = true;
    return placed;
  });
  return changed ? result : from;
}
