/**
 * Images of checkpoints as they are stored: deflated. All checkpoints of a shop's history are kept, and the image
 * of a shop of 1,000 methods shrinks from 7 MB to a twentieth; its JSON takes twice as long to parse as the
 * image to inflate. Packing is done by a thread of Node's own, so that the event loop pays for the text only.
 */
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createDeflateRaw, createInflateRaw, deflateRaw, inflateRawSync } from 'node:zlib';

/** The largest image, as text; a state far beyond every plan. */
const IMAGE_BYTES_MAX = 256 * 1024 * 1024;

/** Parts of the text between two looks at the event loop: half a millisecond. */
const PARTS_PER_TURN = 8;

/** Characters of an image that is packed in one go: its bytes are made in a tenth of a millisecond. */
const SHORT_LENGTH = 131_072;

const LEVEL = { level: constants.Z_BEST_SPEED };
const pack = promisify(deflateRaw);

/** In parts that follow each other. Rejects with `RangeError` for an image larger than any state that the plans allow. */
export async function packImage(image: string | readonly string[]): Promise<Buffer[]> {
  const parts = typeof image === 'string' ? [image] : image;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  // Measured: of a shop of 12 methods 44 us of the event loop; streams take 220, whatever goes through them.
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

/** Throws for bytes that are no packed image. */
export const unpackImage = (packed: Buffer): string =>
  inflateRawSync(packed, { maxOutputLength: IMAGE_BYTES_MAX }).toString('utf8');

/** What the thread hands back at a time: putting it away takes a tenth of a millisecond. */
const INFLATED_BYTES = 256 * 1024;

/** The same by a thread of Node's own, in parts that follow each other. Rejects where `unpackImage` throws. */
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
