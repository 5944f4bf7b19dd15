/** Entries, newest first, by the day of the reader on which each was made. */
import { longDayText } from '../english.ts';
export function byDay<T>(
  entries: readonly T[],
  at: (entry: T) => string,
): readonly (readonly [day: string, entries: readonly T[]])[] {
  const days = new Map<string, T[]>();
  for (const entry of entries) {
    const day = longDayText(at(entry));
    const known = days.get(day);
    if (known === undefined) days.set(day, [entry]);
    else known.push(entry);
  }
  return [...days];
}
