/**
 * Windows: the part of two lists outside of which they are the same by identity. A write of one record into a
 * list of 20,000 leaves a window of one; whoever compares the lists looks at no more.
 *
 * Who makes such a list says where it differs, so that nobody has to search for it. That hangs on both lists by
 * identity and keeps neither alive; without it the window is found by a walk. Answers never depend on it.
 */

export interface ListWindow {
  /** Before this index both lists are the same. */
  readonly start: number;
  /** From these indexes on they are the same again. */
  readonly fromEnd: number;
  readonly toEnd: number;
}

interface KnownWindow extends ListWindow {
  /** The mark of the list that the window leads from. */
  readonly from: object;
}

const marks = new WeakMap<readonly unknown[], object>();
const windows = new WeakMap<readonly unknown[], KnownWindow>();

function keepWindow<T>(from: readonly T[], to: readonly T[], window: ListWindow): readonly T[] {
  let mark = marks.get(from);
  if (mark === undefined) {
    mark = {};
    marks.set(from, mark);
  }
  windows.set(to, { ...window, from: mark });
  return to;
}

/** The list with `records` in the place of `count` ones from `start` on. */
export function splicedList<T>(
  list: readonly T[],
  start: number,
  count: number,
  ...records: readonly T[]
): readonly T[] {
  const to = list.toSpliced(start, count, ...records);
  return keepWindow(list, to, { start, fromEnd: start + count, toEnd: start + records.length });
}

/** The list with the record at `from` taken out and `record` put in so that it comes to stand at `to`. */
export function movedInList<T>(list: readonly T[], from: number, to: number, record: T): readonly T[] {
  const end = Math.max(from, to) + 1;
  const result = list.toSpliced(from, 1).toSpliced(to, 0, record);
  return keepWindow(list, result, { start: Math.min(from, to), fromEnd: end, toEnd: end });
}

/** Where two lists differ; empty when they do not. Linear unless it is known. */
export function windowOf(from: readonly unknown[], to: readonly unknown[]): ListWindow {
  const known = windows.get(to);
  if (known !== undefined && known.from === marks.get(from)) return known;
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start++;
  let rest = 0;
  while (rest < shorter - start && from[from.length - 1 - rest] === to[to.length - 1 - rest]) rest++;
  return { start, fromEnd: from.length - rest, toEnd: to.length - rest };
}
