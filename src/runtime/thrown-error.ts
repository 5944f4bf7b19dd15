/** A thrown value as an `Error`: JavaScript can throw anything. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
