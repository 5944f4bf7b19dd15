/**
 * The stored form of checkpoints (format version 2). All numbers are big-endian.
 *
 *   checkpoint  0  magic "RWC", format version (1 byte)
 *               4  CRC-32 of all other bytes
 *               8  sequence number of the record that the image includes last (8 bytes)
 *              16  SHA-256 of that record as it is stored (32 bytes)
 *              48  length of the shop id (1 byte), shop id (ASCII)
 *               .  the image: JSON in UTF-8, deflated
 *
 * Deflating shrinks the 7 MB of a shop with 1,000 methods to a twentieth; inflating takes half as long as parsing the
 * JSON. Deflating runs on a thread of Node's pool. Compatibility is as for records.
 */
import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRawSync } from 'node:zlib';
import { type Checkpoint, DamagedLogError } from './event-log.ts';
import {
  CRC_AT,
  crcOf,
  frame,
  HASH_BYTES,
  requireCount,
  SEQUENCE_NUMBER_AT,
  type StoredKind,
  unframe,
  writeUint64,
} from './record-codec.ts';

const CHECKPOINT: StoredKind = {
  label: 'checkpoint: ',
  magic: Buffer.from('RWC'),
  version: 2,
  shopAt: 48,
};

const CHECKPOINT_HASH_AT = 16;

/** Maximum size of an image as text, far above what any plan allows. */
const IMAGE_BYTES_MAX = 256 * 1024 * 1024;

const pack = promisify(deflateRaw);

const tooLarge = (bytes: number): Error => new RangeError(`${bytes} bytes are more than an image can have`);

/** Packs the text of an image. Rejects with `RangeError` above `IMAGE_BYTES_MAX`. */
export async function packImage(image: Buffer): Promise<Buffer> {
  if (image.length <= IMAGE_BYTES_MAX) return pack(image, { level: constants.Z_BEST_SPEED });
  throw tooLarge(image.length);
}

/**
 * Encodes a checkpoint. `recordHash` is the hash of the last record that the image includes. Throws `RangeError` as for
 * a record.
 */
export function encodeCheckpoint(
  shopId: string,
  sequenceNumber: number,
  packedImage: Buffer,
  recordHash: Buffer,
): Buffer {
  requireCount(sequenceNumber, 'the sequence number');
  const stored = frame(CHECKPOINT, shopId, packedImage.length);
  stored.set(packedImage, stored.length - packedImage.length);
  writeUint64(stored, sequenceNumber, SEQUENCE_NUMBER_AT);
  recordHash.copy(stored, CHECKPOINT_HASH_AT, 0, HASH_BYTES);
  stored.writeUInt32BE(crcOf(stored), CRC_AT);
  return stored;
}

/** Hash of the last record that the stored checkpoint `sequenceNumber` of `shopId` includes. Throws `DamagedLogError`. */
export function checkpointHash(stored: Buffer, shopId: string, sequenceNumber: number): Buffer {
  unframe(stored, CHECKPOINT, shopId, sequenceNumber);
  return stored.subarray(CHECKPOINT_HASH_AT, CHECKPOINT_HASH_AT + HASH_BYTES);
}

/** Decodes a stored checkpoint and its image. Throws `DamagedLogError`. */
export function decodeCheckpoint(
  stored: Buffer,
  shopId: string,
  sequenceNumber: number,
): Checkpoint & { readonly recordHash: Buffer } {
  const content = unframe(stored, CHECKPOINT, shopId, sequenceNumber);
  const recordHash = stored.subarray(CHECKPOINT_HASH_AT, CHECKPOINT_HASH_AT + HASH_BYTES);
  try {
    const image = inflateRawSync(content, { maxOutputLength: IMAGE_BYTES_MAX }).toString();
    return { sequenceNumber, image, recordHash };
  } catch {
    throw new DamagedLogError(shopId, sequenceNumber, 'checkpoint: its image cannot be unpacked');
  }
}
