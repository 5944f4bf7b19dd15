/** The CRC-32 of short ranges equals that of Node's zlib. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { crcOfRange } from '../../../src/log/lmdb/index-entry.ts';

test('a range of any length has the same checksum as zlib, after any earlier bytes', () => {
  const bytes = randomBytes(160);
  for (let length = 0; length <= 128; length++) {
    for (const start of [0, 1, 32]) {
      const before = bytes.readUInt32BE(length);
      const expected = crc32(bytes.subarray(start, start + length), before);
      assert.equal(crcOfRange(bytes, start, start + length, before), expected, `${length} bytes`);
    }
  }
});
