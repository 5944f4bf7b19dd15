/** Receives the body of a request within its limit, without a copy when it comes in one part. */
import { Buffer } from 'node:buffer';
import type { Exchange } from './exchange.ts';
import { BodyParts, tooLarge } from './json-body.ts';
import { LONG_BODY_BYTES } from './long-body.ts';

/** What is done with a body once it is complete. */
export interface BodyUse {
  /** The whole body, valid during the call only. */
  readonly whole: (bytes: Buffer) => void;
  /** The same for a long one, in parts that stay. */
  readonly long?: (parts: Buffer[]) => void;
  readonly ahead?: MemoryAhead;
}

/**
 * Memory that is there before the body is. The library hands over in one turn whatever comes while it does: from a
 * client on the same machine tens of megabytes, unless each is taken faster than the next is sent, which it is not
 * into memory that was never touched. For one body at a time: a length that is only told takes no more than that.
 */
export class MemoryAhead {
  #holder: Exchange | null = null;

  prepare(exchange: Exchange, parts: BodyParts): void {
    if (this.#holder?.isReceiving === true) return;
    this.#holder = exchange;
    exchange.holdBody(() => parts.prepare());
  }
}

/** Hands over the body, or answers that it is too large. */
export function receiveBody(exchange: Exchange, bytesMax: number, use: BodyUse): void {
  const { head } = exchange;
  const { whole, long, ahead } = use;
  let parts: BodyParts | null = null;
  let isTooLarge = false;
  if (ahead !== undefined && (head.contentLength ?? 0) > LONG_BODY_BYTES) {
    parts = new BodyParts(bytesMax, head.contentLength);
    ahead.prepare(exchange, parts);
  }
  exchange.onBody((part, isLast) => {
    const isLong = long !== undefined && part.byteLength > LONG_BODY_BYTES;
    if (isLast && parts === null && !head.isChunked && !isLong) {
      exchange.endPhase('receive');
      // All of it, and no longer than it was said to be: read where it lies, without a copy.
      whole(Buffer.from(part));
      return;
    }
    if (isTooLarge) return;
    parts ??= new BodyParts(bytesMax, head.contentLength);
    if (!parts.add(part)) {
      isTooLarge = true;
      exchange.settle(() => exchange.refuse(tooLarge(bytesMax)));
    } else if (isLast) {
      const gathered = parts;
      exchange.endPhase('receive');
      exchange.settle(() => {
        if (long !== undefined && gathered.length > LONG_BODY_BYTES) long(gathered.pieces());
        else whole(gathered.bytes());
      });
    }
  });
}
