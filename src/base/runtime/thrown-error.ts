/** Converts a thrown value to an `Error`, because JavaScript can throw any value. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
