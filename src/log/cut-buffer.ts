/**
 * Buffers for stored data, cut consecutively from larger pieces; no byte is used twice. Node's own pool uses pieces of
 * 8 KB, so appends would need a new piece for every six writes. Measured: each new piece costs 2 us, because LMDB's
 * binding looks up its address.
 */

const PIECE_BYTES = 65_536;
/** Larger buffers are allocated separately. */
const CUT_BYTES_MAX = 8_192;

let piece = Buffer.alloc(0);
let used = 0;

/** Returns `bytes` bytes with undefined content, for short-lived data only: a cut keeps its whole piece in memory. */
export function cutBuffer(bytes: number): Buffer {
  if (bytes > CUT_BYTES_MAX) return Buffer.allocUnsafe(bytes);
  if (used + bytes > piece.length) {
    piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    used = 0;
  }
  used += bytes;
  return piece.subarray(used - bytes, used);
}
