/** Joins parts of texts or bytes in steps. */
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';

/** How many bytes are copied between two reads of the clock. */
const CHUNK_BYTES = 65_536;

/** The text in UTF-8. */
export function* encodeSteps(texts: readonly string[], shouldYield: ShouldYield): WorkSteps<Buffer> {
  const parts: Buffer[] = [];
  for (const text of texts) {
    parts.push(Buffer.from(text));
    if (shouldYield()) yield;
  }
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return yield* joinSteps(parts, Buffer.allocUnsafeSlow(byteLengthOf(parts)), shouldYield);
}

export const byteLengthOf = (parts: readonly Buffer[]): number =>
  parts.reduce((bytes, part) => bytes + part.length, 0);

/**
 * Copies the parts in order into `target`, which must have room for them, and returns it. Empties `parts`, so that the
 * memory of copied parts can be freed.
 */
export function* joinSteps(parts: Buffer[], target: Buffer, shouldYield: ShouldYield): WorkSteps<Buffer> {
  let at = 0;
  for (const part of parts) {
    for (let from = 0; from < part.length; from += CHUNK_BYTES) {
      const copied = part.copy(target, at, from, from + CHUNK_BYTES);
      at += copied;
      if (shouldYield()) yield;
    }
  }
  parts.length = 0;
  return target;
}
