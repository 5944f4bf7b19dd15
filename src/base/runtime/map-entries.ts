/** Access to collections: a map that makes a missing value, grouping by key, the first elements of an iterable. */

/** Returns the value at the key; makes and stores a missing value. */
export function valueAt<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Groups the elements by key; keys and elements keep their order. */
export function groupedBy<K, T>(elements: Iterable<T>, keyOf: (element: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const element of elements) valueAt(groups, keyOf(element), (): T[] => []).push(element);
  return groups;
}

/** Returns the first elements, at most `count`. */
export function taken<T>(elements: Iterable<T>, count: number): readonly T[] {
  const first: T[] = [];
  for (const element of elements) {
    first.push(element);
    if (first.length === count) break;
  }
  return first;
}
