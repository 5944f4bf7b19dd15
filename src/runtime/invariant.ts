/** Checks for bugs. Never for input, which is refused with a failure as a value. */

export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Throws `InvariantError` unless `condition` holds. `message` says what should have been true. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
