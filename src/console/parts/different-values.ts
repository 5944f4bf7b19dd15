/** The single values in which two values of a field differ, for lists that people read. */

/** The values below a value by their path: `{a: [1]}` has the value 1 at `a 1`. */
function leaves(value: unknown, path: string, found: Map<string, unknown>): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return found.set(path, value);
  const parts = Array.isArray(value)
    ? value.map((part, index) => [String(index + 1), part] as const)
    : Object.entries(value);
  for (const [name, part] of parts) leaves(part, `${path} ${name}`, found);
  return found;
}

/** The values that differ, with their path in the record; undefined where one side has none. */
export function differentValues(
  field: string,
  from: unknown,
  to: unknown,
): readonly (readonly [path: string, from: unknown, to: unknown])[] {
  const [before, after] = [leaves(from, field, new Map()), leaves(to, field, new Map())];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => [path, before.get(path), after.get(path)]);
}
