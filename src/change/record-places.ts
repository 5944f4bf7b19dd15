/**
 * Where a record stands in a long list, by its id. To look into 20,000 records costs more than the rest of
 * a write; so the records of a list are indexed by id on the first question, the index is handed on from
 * each list to the one that a change makes of it, and the place is then found by identity.
 *
 * It hangs on a list by identity: a list that has none, or that gave its own away, gets a new one when it
 * is asked. Answers never depend on that, only their cost does.
 */
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import type { Identified } from './align.ts';

type RecordIndex = Map<string, Identified>;

const indexByList = new WeakMap<readonly Identified[], RecordIndex>();

/** Shorter lists are walked: that is as fast, and nothing has to be kept. */
const WALKED_MAX = 256;

/** Index of the record with this id, or -1. The first question to a long list is linear in its records. */
export function placeOfId(list: readonly Identified[], id: string): number {
  if (list.length <= WALKED_MAX) return list.findIndex((record) => record.id === id);
  const record = recordOfId(list, id);
  return record === undefined ? -1 : list.indexOf(record);
}

/** The record with this id, or undefined; in a long list cheaper than its place. */
export const recordOf = <T extends Identified>(list: readonly T[], id: string): T | undefined =>
  list.length <= WALKED_MAX ? list[placeOfId(list, id)] : recordOfId(list, id);

/** The same, from the index of the list, which is made if need be. */
export function recordOfId<T extends Identified>(list: readonly T[], id: string): T | undefined {
  if (!indexByList.has(list)) finishSteps(placeSteps(list, NEVER));
  return (indexByList.get(list) as Map<string, T> | undefined)?.get(id);
}

/** True when the first question to this list is still to come. */
export const lacksPlaces = (list: readonly Identified[]): boolean =>
  list.length > WALKED_MAX && !indexByList.has(list);

/** Makes the index before the first question. */
export function* placeSteps(list: readonly Identified[], shouldYield: ShouldYield): WorkSteps<void> {
  const index: RecordIndex = new Map();
  for (const record of list) {
    index.set(record.id, record);
    if (shouldYield()) yield;
  }
  indexByList.set(list, index);
}

/** Hands the index of `from` on to `to`, in which `gone` are missing and `come` are new or replaced. */
export function carryPlaces(
  from: readonly Identified[],
  to: readonly Identified[],
  gone: Iterable<string>,
  come: Iterable<Identified>,
): void {
  const index = indexByList.get(from);
  if (index === undefined || from === to) return;
  indexByList.delete(from);
  for (const id of gone) index.delete(id);
  for (const record of come) index.set(record.id, record);
  if (to.length > WALKED_MAX) indexByList.set(to, index);
}
