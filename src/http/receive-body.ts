/** Receives the body of a request within its limit, without a copy when it comes in one part. */
import { Buffer } from 'node:buffer';
import type { Exchange } from './exchange.ts';
import { BodyParts, tooLarge } from './json-body.ts';

/** What is done with a body once it is complete. */
export interface BodyUse {
  /** The whole body, valid during the call only. */
  readonly whole: (bytes: Buffer) => void;
  /** The same for one of more than `longBytes`, in parts that stay. */
  readonly long?: (parts: Buffer[]) => void;
  readonly longBytes?: number;
}

/** Hands over the body, or answers that it is too large. */
export function receiveBody(exchange: Exchange, bytesMax: number, use: BodyUse): void {
  const { head } = exchange;
  const { whole, long, longBytes = Number.POSITIVE_INFINITY } = use;
  let parts: BodyParts | null = null;
  let isTooLarge = false;
  exchange.onBody((part, isLast) => {
    const isLong = long !== undefined && part.byteLength > longBytes;
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
        if (long !== undefined && gathered.length > longBytes) long(gathered.pieces());
        else whole(gathered.bytes());
      });
    }
  });
}
