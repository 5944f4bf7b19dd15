/**
 * Reads large values of a table in slices. Each slice looks the value up again, so that nothing refers to the memory map
 * between slices: the map may move, or the log be closed. Records and checkpoints never change, so all slices see one
 * value.
 */
import type { ShouldYield, WorkSteps } from '../../pace/work-steps.ts';
import type { Table } from './log-tables.ts';

/** Bytes copied between two looks at the clock. */
const CHUNK_BYTES = 65_536;

/** The value under the key, or undefined. Do not resume after close. */
export function* valueSteps(
  table: Table,
  key: Buffer,
  shouldYield: ShouldYield,
): WorkSteps<Buffer | undefined> {
  let copy: Buffer | null = null;
  for (let at = 0; ; ) {
    const mapped = viewOf(table, key);
    if (mapped === undefined || (copy !== null && copy.length !== mapped.length)) return undefined;
    // Small values are in memory that the next look-up uses again.
    if (mapped.length <= CHUNK_BYTES) return Buffer.from(mapped);
    copy ??= Buffer.allocUnsafeSlow(mapped.length);
    do {
      const chunk = mapped.subarray(at, at + CHUNK_BYTES);
      copy.set(chunk, at);
      at += chunk.length;
    } while (at < copy.length && !shouldYield());
    if (at === copy.length) return copy;
    yield;
  }
}

/** Stored length of the value in bytes; 0 without one. Does not read it. */
export const valueLength = (table: Table, key: Buffer): number => viewOf(table, key)?.length ?? 0;

/** A view of the value without a copy: valid until the next look-up or the end of this turn. */
function viewOf(table: Table, key: Buffer): Uint8Array | undefined {
  const found = table.getBinaryFast(key);
  // The binding reuses one buffer for small values; its `length` is that of the value.
  return found === undefined ? undefined : new Uint8Array(found.buffer, found.byteOffset, found.length);
}
