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
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createDeflateRaw, createInflateRaw, deflateRaw, inflateRawSync } from 'node:zlib';
import { joinSteps, lengthOf } from '../bytes/joined-bytes.ts';
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
  magic: Buffer.from('RWC'),
  version: 2,
  firstVersion: VERSION_OF_PLAIN_IMAGES,
  shopAt: 48,
};

const CHECKPOINT_HASH_AT = 16;

/** Maximum size of an image as text, far above what any plan allows. */
const IMAGE_BYTES_MAX = 256 * 1024 * 1024;

/** Number of parts that are encoded in one turn of the event loop: half a millisecond. */
const PARTS_PER_TURN = 8;

/** An image of at most this many characters is packed at once; encoding it takes a tenth of a millisecond. */
const SHORT_LENGTH = 131_072;

const LEVEL = { level: constants.Z_BEST_SPEED };
const pack = promisify(deflateRaw);

/** Packs an image, whole or in consecutive parts. Rejects with `RangeError` for an image above `IMAGE_BYTES_MAX`. */
export async function packImage(image: string | readonly string[]): Promise<Buffer[]> {
  const parts = typeof image === 'string' ? [image] : image;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  // Measured with a shop of 12 methods: 44 us of the event loop; a stream takes 220 us, whatever its size.
  if (length <= SHORT_LENGTH) return [await pack(Buffer.from(parts.join('')), LEVEL)];
  const packed = Readable.from(bytesOf(parts)).compose(createDeflateRaw(LEVEL));
  const chunks: Buffer[] = [];
  for await (const chunk of packed) chunks.push(chunk);
  return chunks;
}

async function* bytesOf(parts: readonly string[]): AsyncGenerator<Buffer> {
  let bytes = 0;
  for (const [index, part] of parts.entries()) {
    const text = Buffer.from(part);
    bytes += text.length;
    if (bytes > IMAGE_BYTES_MAX) throw new RangeError(`${bytes} bytes are more than an image can have`);
    yield text;
    if (index % PARTS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Throws when the bytes are not a packed image. */
const unpackImage = (packed: Buffer): string =>
  inflateRawSync(packed, { maxOutputLength: IMAGE_BYTES_MAX }).toString('utf8');

/** Bytes per chunk from the thread; storing one takes a tenth of a millisecond. */
const INFLATED_BYTES = 256 * 1024;

/** Unpacks on a thread of Node's pool, into consecutive parts. Rejects when `unpackImage` would throw. */
export async function inflateImage(packed: Buffer): Promise<Buffer[]> {
  const inflate = createInflateRaw({ chunkSize: INFLATED_BYTES });
  inflate.end(packed);
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of inflate as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > IMAGE_BYTES_MAX) throw new RangeError(`more than ${IMAGE_BYTES_MAX} bytes are no image`);
    parts.push(part);
  }
  return parts;
}

export interface DecodedCheckpoint extends Checkpoint {
  /** Hash of the last record that the checkpoint includes. */
  readonly recordHash: Buffer;
}

/**
 * Encodes a checkpoint. `recordHash` is the hash of the last record that the image includes, `packedImage` is the
 * deflated image in parts and is emptied. Throws `RangeError` as for a record.
 */
export function* encodeCheckpointSteps(
  shopId: string,
  sequenceNumber: number,
  packedImage: Buffer[],
  recordHash: Buffer,
  shouldYield: ShouldYield,
): WorkSteps<Buffer> {
  requireCount(sequenceNumber, 'the sequence number');
  const bytes = lengthOf(packedImage);
  const stored = frame(CHECKPOINT, shopId, bytes);
  yield* joinSteps(packedImage, stored.subarray(stored.length - bytes), shouldYield);
  writeUint64(stored, sequenceNumber, SEQUENCE_NUMBER_AT);
  recordHash.copy(stored, CHECKPOINT_HASH_AT, 0, HASH_BYTES);
  stored.writeUInt32BE(yield* crcSteps(stored, shouldYield), CRC_AT);
  return stored;
}

/** A checkpoint whose image is not yet decoded. */
export interface OpenedCheckpoint extends Pick<DecodedCheckpoint, 'sequenceNumber' | 'recordHash'> {
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
  const found = yield* unframeSteps(stored, CHECKPOINT, shopId, sequenceNumber, shouldYield);
  if ('defect' in found) throw new DamagedLogError(shopId, sequenceNumber, `checkpoint: ${found.defect}`);
  const recordHash = stored.subarray(CHECKPOINT_HASH_AT, CHECKPOINT_HASH_AT + HASH_BYTES);
  const { version, content } = found;
  return { sequenceNumber, recordHash, content, isPacked: version !== VERSION_OF_PLAIN_IMAGES };
}

/** The text of the image. Throws when it cannot be unpacked. */
export const imageText = ({ content, isPacked }: OpenedCheckpoint): string =>
  isPacked ? unpackImage(content) : content.toString('utf8');

/** Decodes a stored checkpoint and its image without yielding. Throws `DamagedLogError`. */
export function decodeCheckpoint(stored: Buffer, shopId: string, sequenceNumber: number): DecodedCheckpoint {
  const opened = finishSteps(openCheckpointSteps(stored, shopId, sequenceNumber, NEVER));
  try {
    return { sequenceNumber, image: imageText(opened), recordHash: opened.recordHash };
  } catch {
    throw new DamagedLogError(shopId, sequenceNumber, 'checkpoint: its image cannot be unpacked');
  }
}
