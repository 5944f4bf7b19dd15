/**
 * CRC-32 of a few bytes, with the same result as `crc32` of Node's zlib. Measured: a call of zlib costs 135 ns, and
 * 47 ns more if it needs a view of the bytes; this function costs 2.4 ns per byte and needs no view.
 */
import { crc32 } from 'node:zlib';

/** zlib is faster for more bytes than this. */
const SHORT_BYTES = 48;

const POLYNOMIAL = 0xedb88320;
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/** CRC-32 of the bytes from `start` to `end` (excluded); `before` is the CRC-32 of the bytes before them. */
export function crcOfRange(bytes: Uint8Array, start: number, end: number, before: number): number {
  if (end - start > SHORT_BYTES) return crc32(bytes.subarray(start, end), before);
  let rest = ~before;
  for (let at = start; at < end; at++) {
    rest = (rest >>> 8) ^ (TABLE[(rest ^ (bytes[at] as number)) & 255] as number);
  }
  return ~rest >>> 0;
}
