/**
 * Status lines, content types, and the bodies of answers. A body is written without ever handing uWebSockets.js more
 * than the socket takes. What a slow reader has not taken waits in one buffer until the socket is writable; the library
 * closes a connection whose next request comes before that, so memory stays flat.
 */
import { Buffer } from 'node:buffer';
import { type AnswerText, lengthOf } from '../bytes/answer-text.ts';
import { latin1Buffer, writeAscii } from '../bytes/text-bytes.ts';
import type { ResponsePort } from './response-port.ts';

/** Ends an answer behind its headers, which describe `body`. */
export function endHead(res: ResponsePort, body: Uint8Array | null, closes: boolean): void {
  if (closes) {
    // Only this call makes the library close the connection. It also writes that the body has no bytes.
    res.end('', true);
    return;
  }
  // As a plain header: a response whose length the library is told waits for a body.
  if (body !== null) res.writeHeader('Content-Length', String(body.byteLength));
  res.endWithoutBody();
}

/**
 * Handed to the socket in one turn of the event loop: copying to the kernel takes about half a microsecond per
 * KiB, and small answers must not wait for a large one longer than for an evaluation. What is left for later
 * turns costs more: it is copied, which brings on collections of garbage, and waits for those turns. Measured with
 * answers of 300 KiB at 5 times the capacity: in parts of 64 KiB 60 % of it was answered, in 10 times as long.
 */
const PART_BYTES = 512 * 1024;

/** Whose answer a body is. */
export interface BodyOwner {
  /** True once the client is gone: the response must not be touched then. */
  readonly isOver: boolean;
  /** Called once when the last byte is with the library; not when the client goes away before. */
  sent(): void;
}

/**
 * Sends the body behind status and headers. `isKept`: the bytes stay as they are until all is sent;
 * otherwise what could not be sent at once is copied.
 */
export function sendBody(res: ResponsePort, body: Uint8Array, isKept: boolean, owner: BodyOwner): void {
  if (res.takeBody !== undefined) {
    if (res.takeBody(body)) owner.sent();
    return;
  }
  const total = body.byteLength;
  const [isTaken, isAll] = res.tryEnd(total > PART_BYTES ? body.subarray(0, PART_BYTES) : body, total);
  if (isAll) {
    owner.sent();
    return;
  }
  const start = res.getWriteOffset();
  const rest = isKept ? body.subarray(start) : Buffer.from(body.subarray(start));
  const sendFrom = (offset: number): boolean => {
    const at = offset - start;
    const [isFlushed, isDone] = res.tryEnd(rest.subarray(at, at + PART_BYTES), total);
    if (isDone) owner.sent();
    else if (isFlushed) setImmediate(sendMore);
    return isFlushed;
  };
  const sendMore = (): void => {
    if (!owner.isOver) res.cork(() => sendFrom(res.getWriteOffset()));
  };
  res.onWritable(sendFrom);
  if (isTaken) setImmediate(sendMore);
}

const OUTPUT_BYTES_INITIAL = 64 * 1024;
const OUTPUT_BYTES_MAX = 1024 * 1024;

let output = latin1Buffer(OUTPUT_BYTES_INITIAL);

/** An answer as bytes that are its own. */
export function ownBytes(text: AnswerText): Buffer {
  const bytes = latin1Buffer(lengthOf(text));
  writeAscii(text, bytes);
  return bytes;
}

/** An answer as bytes, in a buffer that the next call uses again; one beyond 1 MiB gets its own. */
export function asciiBytes(text: AnswerText): Uint8Array {
  const length = lengthOf(text);
  if (length > output.length) {
    if (length > OUTPUT_BYTES_MAX) return ownBytes(text);
    output = latin1Buffer(Math.min(2 ** Math.ceil(Math.log2(length)), OUTPUT_BYTES_MAX));
  }
  writeAscii(text, output);
  return output.subarray(0, length);
}
