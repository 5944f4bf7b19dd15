/**
 * Receives the body of a request: its length is held to the limit of the route and, where it arrives in several parts,
 * its structure to `JsonBounds`, so that a refusal does not wait for the rest. A body in one part is not copied.
 */
import { Buffer } from 'node:buffer';
import type { Failure } from '../../domain/failure.ts';
import type { Exchange } from '../exchange.ts';
import { BodyParts } from './body-parts.ts';
import { tooLarge } from './json-body.ts';
import { JsonBounds } from './json-bounds.ts';

/** A longer body is read in slices between other requests. `JSON.parse` of this one takes one to three milliseconds. */
export const LONG_BODY_BYTES = 262_144;

/** What is done with a body once it is complete. */
export interface BodyUse {
  /** The whole body, valid during the call only. */
  readonly whole: (bytes: Buffer) => void;
  /** A body of more than `LONG_BODY_BYTES`, in parts that stay valid. `whole` when absent. */
  readonly long?: (parts: Buffer[]) => void;
  readonly ahead?: MemoryAhead;
  /**
   * Check the structure of a body that arrives in several parts. Off for callbacks, whose signature is checked first.
   * `whole` checks what arrives in one part.
   */
  readonly isBounded: boolean;
}

/**
 * Buffers touched before a long body arrives. uWebSockets.js reads a socket in one turn of the event loop for as long as
 * bytes arrive, tens of megabytes from a client on the same machine, unless each part is copied faster than the next is
 * sent; a copy into untouched memory is not. Only one body at a time has such buffers, so a declared length alone
 * reserves at most one body. Measured with 33 MB on a machine with a load of six a core: the longest turn is 50 to
 * 230 ms with them and 200 to 900 ms without.
 */
export class MemoryAhead {
  #holder: Exchange | null = null;

  prepare(exchange: Exchange, parts: BodyParts): void {
    if (this.#holder?.isReceiving === true) return;
    this.#holder = exchange;
    exchange.holdBody(() => parts.prepare());
  }
}

/**
 * The first bytes of a body are checked as they arrive. The others wait for turns of their own: a check between two
 * parts lets the client keep up with the reading, and the turn then lasts until the whole body has arrived (measured
 * with 30 MB: 100 to 380 ms).
 */
const CHECKED_AT_ONCE_BYTES = 1_048_576;
/** Checked in one turn of the event loop, in about half a millisecond. */
const CHECKED_PER_TURN_BYTES = 262_144;

/** A body that arrives in several parts: gathered, checked, handed over when both are done. */
class PartedBody {
  readonly #exchange: Exchange;
  readonly #use: BodyUse;
  readonly #bytesMax: number;
  readonly #parts: BodyParts;
  readonly #bounds: JsonBounds | null;
  #checkedBytes = 0;
  #isComplete = false;
  /** A check is scheduled. */
  #isWaiting = false;

  constructor(exchange: Exchange, bytesMax: number, use: BodyUse) {
    this.#exchange = exchange;
    this.#use = use;
    this.#bytesMax = bytesMax;
    this.#parts = new BodyParts(bytesMax, exchange.head.contentLength);
    this.#bounds = use.isBounded ? new JsonBounds() : null;
  }

  /** Has buffers touched before the body arrives. */
  prepare(ahead: MemoryAhead): void {
    ahead.prepare(this.#exchange, this.#parts);
  }

  /** False when the body is refused. Add no more parts then. */
  add(part: ArrayBuffer, isLast: boolean): boolean {
    if (!this.#parts.add(part)) return this.#refuse(tooLarge(this.#bytesMax));
    this.#isComplete = isLast;
    if (isLast) this.#exchange.endPhase('receive');
    if (this.#isWaiting) return true;
    if (this.#bounds === null) this.#checkedBytes = this.#parts.length;
    while (this.#checkedBytes < Math.min(this.#parts.length, CHECKED_AT_ONCE_BYTES)) {
      const defect = this.#checkMore();
      if (defect !== null) return this.#refuse(defect);
    }
    if (this.#checkedBytes < this.#parts.length) this.#checkLater();
    else if (isLast) this.#exchange.settle(() => this.#handOver());
    return true;
  }

  #checkLater(): void {
    this.#isWaiting = true;
    this.#exchange.later(() => {
      this.#isWaiting = false;
      const defect = this.#checkMore();
      if (defect !== null) this.#exchange.refuse(defect);
      else if (this.#checkedBytes < this.#parts.length) this.#checkLater();
      else if (this.#isComplete) this.#handOver();
    });
  }

  #checkMore(): Failure | null {
    const bytes = this.#parts.slice(this.#checkedBytes, CHECKED_PER_TURN_BYTES);
    this.#checkedBytes += bytes.length;
    return this.#bounds?.add(bytes) ?? null;
  }

  #refuse(failure: Failure): false {
    this.#exchange.settle(() => this.#exchange.refuse(failure));
    return false;
  }

  #handOver(): void {
    const { long, whole } = this.#use;
    if (long !== undefined && this.#parts.length > LONG_BODY_BYTES) long(this.#parts.pieces());
    else whole(this.#parts.bytes());
  }
}

/** Hands over the body, or refuses it: it is too large, or its structure is out of bounds. */
export function receiveBody(exchange: Exchange, bytesMax: number, use: BodyUse): void {
  const { head } = exchange;
  const { whole, long, ahead } = use;
  let parted: PartedBody | null = null;
  let isRefused = false;
  if (ahead !== undefined && (head.contentLength ?? 0) > LONG_BODY_BYTES) {
    parted = new PartedBody(exchange, bytesMax, use);
    parted.prepare(ahead);
  }
  exchange.onBody((part, isLast) => {
    if (isRefused) return;
    const isLong = long !== undefined && part.byteLength > LONG_BODY_BYTES;
    if (isLast && parted === null && !head.isChunked && !isLong) {
      exchange.endPhase('receive');
      // The whole body, no longer than declared: read in place.
      whole(Buffer.from(part));
      return;
    }
    parted ??= new PartedBody(exchange, bytesMax, use);
    if (parted.add(part, isLast)) return;
    isRefused = true;
    parted = null;
  });
}
