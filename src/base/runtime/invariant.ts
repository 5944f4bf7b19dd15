/** Checks for bugs. Not for input, which is refused with a failure as a value. */

class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Throws `InvariantError` unless `condition` is true. `message` states the condition. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
