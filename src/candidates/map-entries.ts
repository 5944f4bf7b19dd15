/** Access to collections: a map that makes a missing value, grouping by key, the first elements of an iterable. */

/** The value at the key; a missing one is made and stored. */
export function valueAt<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** The elements by their keys, both in the order in which they come first. */
export function groupedBy<K, T>(elements: Iterable<T>, keyOf: (element: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const element of elements) valueAt(groups, keyOf(element), (): T[] => []).push(element);
  return groups;
}

/** The first elements, at most so many. */
export function taken<T>(elements: Iterable<T>, count: number): readonly T[] {
  const first: T[] = [];
  for (const element of elements) {
    first.push(element);
    if (first.length === count) break;
  }
  return first;
}
