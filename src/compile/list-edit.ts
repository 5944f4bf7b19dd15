/**
 * List edits: what one write did to an ordered list, found by the identity of its records alone, so that
 * none of them is looked into. Bound: an edit of more than `EDIT_RECORDS_MAX` records counts as none.
 */

export interface ListEdit<T> {
  readonly removed: readonly T[];
  readonly inserted: readonly T[];
  /** Where in the list before, `removed` still there, the inserted ones come to stand. */
  readonly at: number;
}

/** Beyond it, going through the whole list is as fast. */
const EDIT_RECORDS_MAX = 256;

/** The edit that makes `to` of `from`; null when it is a large one. Two linear walks over references. */
export function findListEdit<T>(from: readonly T[], to: readonly T[]): ListEdit<T> | null {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start++;
  let rest = 0;
  while (rest < shorter - start && from[from.length - 1 - rest] === to[to.length - 1 - rest]) rest++;
  const fromEnd = from.length - rest;
  const toEnd = to.length - rest;
  if (fromEnd - start + toEnd - start <= EDIT_RECORDS_MAX) {
    return { removed: from.slice(start, fromEnd), inserted: to.slice(start, toEnd), at: fromEnd };
  }
  if (from.length !== to.length) return null;
  // One record moved: what it passed is the same on both sides, one place further on.
  if (isShifted(from, to, start, fromEnd - 1)) {
    return { removed: from.slice(fromEnd - 1, fromEnd), inserted: to.slice(start, start + 1), at: start };
  }
  if (isShifted(to, from, start, fromEnd - 1)) {
    return { removed: from.slice(start, start + 1), inserted: to.slice(fromEnd - 1, fromEnd), at: fromEnd };
  }
  return null;
}

/** True when each record of `a` from `start` to `end - 1` stands one place further on in `b`. */
function isShifted<T>(a: readonly T[], b: readonly T[], start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (a[at] !== b[at + 1]) return false;
  return true;
}
