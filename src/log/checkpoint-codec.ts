/**
 * The stored form of checkpoints (format version 2). All numbers are big-endian.
 *
 *   checkpoint  0  magic "RWC", format version (1 byte)
 *               4  CRC-32 of all other bytes
 *               8  sequence number of the record that the image includes last (8 bytes)
 *              16  SHA-256 of that record as it is stored (32 bytes)
 *              48  length of the shop id (1 byte), shop id (ASCII)
 *               .  the image: JSON in UTF-8, deflated in version 2, not compressed in version 1
 *
 * Deflating shrinks the 7 MB of a shop with 1,000 methods to a twentieth; inflating takes half as long as parsing the
 * JSON. zlib works on a thread of Node's pool, so the event loop only makes the text. Compatibility is as for records.
 */
import { promisify } from 'node:util';
import { constants, createInflateRaw, deflateRaw, inflateRawSync } from 'node:zlib';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { type Checkpoint, DamagedLogError } from './event-log.ts';
import {
  CRC_AT,
  crcSteps,
  frame,
  HASH_BYTES,
  requireCount,
  SEQUENCE_NUMBER_AT,
  type StoredKind,
  unframeSteps,
  writeUint64,
} from './record-codec.ts';

const VERSION_OF_PLAIN_IMAGES = 1;
const CHECKPOINT: StoredKind = {
  label: 'checkpoint: ',
  magic: Buffer.from('RWC'),
  version: 2,
  firstVersion: VERSION_OF_PLAIN_IMAGES,
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

/** `chunkSize`: bytes that the thread hands over at once; storing them takes a tenth of a millisecond. */
const UNPACKING = { maxOutputLength: IMAGE_BYTES_MAX, chunkSize: 256 * 1024 };

/**
 * Encodes a checkpoint. `recordHash` is the hash of the last record that the image includes. Throws `RangeError` as for
 * a record.
 */
export function* encodeCheckpointSteps(
  shopId: string,
  sequenceNumber: number,
  packedImage: Buffer,
  recordHash: Buffer,
  shouldYield: ShouldYield,
): WorkSteps<Buffer> {
  requireCount(sequenceNumber, 'the sequence number');
  const stored = frame(CHECKPOINT, shopId, packedImage.length);
  stored.set(packedImage, stored.length - packedImage.length);
  writeUint64(stored, sequenceNumber, SEQUENCE_NUMBER_AT);
  recordHash.copy(stored, CHECKPOINT_HASH_AT, 0, HASH_BYTES);
  stored.writeUInt32BE(yield* crcSteps(stored, shouldYield), CRC_AT);
  return stored;
}

/** A checkpoint whose image is not yet decoded. */
export interface OpenedCheckpoint {
  readonly sequenceNumber: number;
  /** Hash of the last record that the checkpoint includes. */
  readonly recordHash: Buffer;
  readonly content: Buffer;
  /** True when `content` is deflated. */
  readonly isPacked: boolean;
}

/** Opens the stored checkpoint `sequenceNumber` of `shopId`. Throws `DamagedLogError`. */
export function* openCheckpointSteps(
  stored: Buffer,
  shopId: string,
  sequenceNumber: number,
  shouldYield: ShouldYield,
): WorkSteps<OpenedCheckpoint> {
  const { version, content } = yield* unframeSteps(stored, CHECKPOINT, shopId, sequenceNumber, shouldYield);
  const recordHash = stored.subarray(CHECKPOINT_HASH_AT, CHECKPOINT_HASH_AT + HASH_BYTES);
  return { sequenceNumber, recordHash, content, isPacked: version !== VERSION_OF_PLAIN_IMAGES };
}

/** The text of the image. Throws when it cannot be unpacked. */
export const imageText = ({ content, isPacked }: OpenedCheckpoint): string =>
  (isPacked ? inflateRawSync(content, UNPACKING) : content).toString();

/**
 * The text of the image as bytes, in parts, unpacked on a thread of Node's pool. Rejects when they cannot be unpacked.
 * The caller joins the parts: joining 40 MB at once takes 20 to 60 ms.
 */
export async function imageParts({ content, isPacked }: OpenedCheckpoint): Promise<Buffer[]> {
  if (!isPacked) return [content];
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of createInflateRaw(UNPACKING).end(content) as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > IMAGE_BYTES_MAX) throw tooLarge(bytes);
    parts.push(part);
  }
  return parts;
}

/** Decodes a stored checkpoint and its image without yielding. Throws `DamagedLogError`. */
export function decodeCheckpoint(
  stored: Buffer,
  shopId: string,
  sequenceNumber: number,
): Checkpoint & Pick<OpenedCheckpoint, 'recordHash'> {
  const opened = finishSteps(openCheckpointSteps(stored, shopId, sequenceNumber, NEVER));
  try {
    return { sequenceNumber, image: imageText(opened), recordHash: opened.recordHash };
  } catch {
    throw new DamagedLogError(shopId, sequenceNumber, 'checkpoint: its image cannot be unpacked');
  }
}
