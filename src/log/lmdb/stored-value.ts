/**
 * Reads large values of a table in slices. Each slice looks the value up again, because no view into the memory map
 * may be kept between slices: the map may move, or the log may be closed. Records and checkpoints never change, so
 * all slices see the same value.
 */
import type { ShouldYield, WorkSteps } from '../../pace/work-steps.ts';
import type { Table } from './log-tables.ts';
import { readNamed } from './shop-entries.ts';
import { type RecordPlace, recordKey } from './table-format.ts';

/** Number of bytes that are copied between two calls of `shouldYield`. */
const CHUNK_BYTES = 65_536;

/**
 * Returns a copy of the value of a record or checkpoint, or undefined. `requireOpen` throws once the log is closed, when LMDB
 * must not be called any more. Throws `DamagedLogError` when LMDB cannot read the value.
 */
export function* valueSteps(
  table: Table,
  { shopId, sequenceNumber }: RecordPlace,
  requireOpen: () => void,
  shouldYield: ShouldYield,
): WorkSteps<Buffer | undefined> {
  const key = recordKey(shopId, sequenceNumber);
  let copy: Buffer | null = null;
  for (let at = 0; ; ) {
    requireOpen();
    const mapped = readNamed(shopId, sequenceNumber, () => viewOf(table, key));
    if (mapped === undefined || (copy !== null && copy.length !== mapped.length)) return undefined;
    // Small values are in a buffer that the next look-up reuses.
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

/** A view of the value, valid until the next look-up or the end of this turn. */
function viewOf(table: Table, key: Buffer): Uint8Array | undefined {
  const found = table.getBinaryFast(key);
  // The binding reuses one buffer for small values and sets its `length` to that of the value.
  return found === undefined ? undefined : new Uint8Array(found.buffer, found.byteOffset, found.length);
}
