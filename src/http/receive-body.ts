/** Receives the body of a request within its limit, without a copy when it comes in one part. */
import { Buffer } from 'node:buffer';
import type { Exchange } from './exchange.ts';
import { BodyParts, tooLarge } from './json-body.ts';

/** Hands over the whole body, valid during the call only, or answers that it is too large. */
export function receiveBody(exchange: Exchange, bytesMax: number, use: (bytes: Buffer) => void): void {
  const { head } = exchange;
  let parts: BodyParts | null = null;
  let isTooLarge = false;
  exchange.onBody((part, isLast) => {
    if (isLast && parts === null && !head.isChunked) {
      exchange.endPhase('receive');
      // All of it, and no longer than it was said to be: read where it lies, without a copy.
      use(Buffer.from(part));
      return;
    }
    if (isTooLarge) return;
    parts ??= new BodyParts(bytesMax, head.contentLength);
    if (!parts.add(part)) {
      isTooLarge = true;
      exchange.settle(() => exchange.refuse(tooLarge(bytesMax)));
    } else if (isLast) {
      const bytes = parts.bytes();
      exchange.endPhase('receive');
      exchange.settle(() => use(bytes));
    }
  });
}
