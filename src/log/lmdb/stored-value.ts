/**
 * Large values of a table, beside other work. A value is looked up anew for each step, so that nothing of the
 * memory map is held while others run: the map may move, or the log be closed. Records and checkpoints never
 * change, so the steps see one value.
 */
import type { ShouldYield, WorkSteps } from '../../pace/work-steps.ts';
import type { Table } from './log-tables.ts';

/** What is looked at between two looks at the clock. */
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

/** Its bytes as stored, without reading it; 0 when there is none. */
export const valueLength = (table: Table, key: Buffer): number => viewOf(table, key)?.length ?? 0;

/** The value where it lies, without a copy: good until the next look-up, or the end of this turn. */
function viewOf(table: Table, key: Buffer): Uint8Array | undefined {
  const found = table.getBinaryFast(key);
  // The binding's buffer for small values is longer than the value, and says otherwise.
  return found === undefined ? undefined : new Uint8Array(found.buffer, found.byteOffset, found.length);
}
