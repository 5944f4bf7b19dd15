/**
 * Images of checkpoints as they are stored: deflated. All checkpoints of a shop's history are kept, and the image
 * of a shop of 1,000 methods shrinks from 7 MB to a twentieth; its JSON takes twice as long to parse as the
 * image to inflate. Packing is done by a thread of Node's own, so that the event loop pays for the text only.
 */
import { constants, deflateRaw, inflateRawSync } from 'node:zlib';

/** The largest image, as text; a state far beyond every plan. */
const IMAGE_BYTES_MAX = 256 * 1024 * 1024;

/** Rejects with `RangeError` for an image larger than any state that the plans allow. */
export function packImage(image: string): Promise<Buffer> {
  const text = Buffer.from(image);
  if (text.length > IMAGE_BYTES_MAX) {
    return Promise.reject(new RangeError(`${text.length} bytes are more than an image can have`));
  }
  return new Promise((resolve, reject) => {
    deflateRaw(text, { level: constants.Z_BEST_SPEED }, (error, packed) => {
      if (error === null) resolve(packed);
      else reject(error);
    });
  });
}

/** Throws for bytes that are no packed image. */
export const unpackImage = (packed: Buffer): string =>
  inflateRawSync(packed, { maxOutputLength: IMAGE_BYTES_MAX }).toString('utf8');
