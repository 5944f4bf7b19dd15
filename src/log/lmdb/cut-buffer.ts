/**
 * Buffers for what is stored, cut one after the other from larger pieces; no byte is handed out twice. Node's own pool
 * does the same with pieces of 8 KB, of which an append takes one for every six writes. Measured: each takes 2 us, and
 * LMDB's binding asks for the address of each.
 */

const PIECE_BYTES = 65_536;
/** Larger ones get memory of their own. */
const CUT_BYTES_MAX = 8_192;

let piece = Buffer.alloc(0);
let used = 0;

/** `bytes` bytes of any content. For what is soon let go of: a cut keeps its whole piece in memory. */
export function cutBuffer(bytes: number): Buffer {
  if (bytes > CUT_BYTES_MAX) return Buffer.allocUnsafe(bytes);
  if (used + bytes > piece.length) {
    piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    used = 0;
  }
  used += bytes;
  return piece.subarray(used - bytes, used);
}
