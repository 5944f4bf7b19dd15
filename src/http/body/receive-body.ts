/**
 * Receives the body of a request. It checks the length against the limit of the route and, for a body in several parts,
 * the structure against `JsonBounds`, so that a refusal does not wait for the rest. A body in one part is not copied.
 */
import { Buffer } from 'node:buffer';
import type { Failure } from '../../domain/failure.ts';
import type { Exchange } from '../exchange.ts';
import { tooLarge } from './json-body.ts';
import { JsonBounds } from './json-bounds.ts';

/** A longer body is read in slices between other requests. `JSON.parse` of this one takes one to three milliseconds. */
export const LONG_BODY_BYTES = 262_144;

/** Callbacks for a complete body. */
export interface BodyUse {
  /** The whole body, valid during the call only. */
  readonly whole: (bytes: Buffer) => void;
  /** A body of more than `LONG_BODY_BYTES`, in parts that stay valid. `whole` when absent. */
  readonly long?: (parts: Buffer[]) => void;
  /**
   * Check the structure of a body that arrives in several parts. Off for callbacks, whose signature is checked first.
   * `whole` checks what arrives in one part.
   */
  readonly isBounded: boolean;
}

const NO_ROOM = Buffer.alloc(0);
const FIRST_PIECE_BYTES = 65_536;
const PIECE_BYTES = 1_048_576;

/**
 * Gathers a body that arrives in parts, up to the limit. Copies each part, which is valid during its call only. A
 * declared length reserves nothing: the buffer grows with what has arrived, by pieces, so that no byte is copied twice.
 */
export class BodyParts {
  readonly #bytesMax: number;
  /** All pieces are full except the last, whose free bytes are `#room`. */
  #pieces: Buffer[] = [];
  #room = NO_ROOM;
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** False when the body is over its limit; what was gathered is dropped. */
  add(part: ArrayBuffer): boolean {
    if (this.#length + part.byteLength > this.#bytesMax) {
      this.#pieces = [];
      this.#room = NO_ROOM;
      this.#length = this.#bytesMax;
      return false;
    }
    for (let rest = Buffer.from(part); rest.length > 0; ) {
      if (this.#room.length === 0) {
        const wanted = Math.max(rest.length, this.#length, FIRST_PIECE_BYTES);
        this.#room = Buffer.allocUnsafeSlow(Math.min(wanted, PIECE_BYTES));
        this.#pieces.push(this.#room);
      }
      const copied = rest.copy(this.#room);
      this.#room = this.#room.subarray(copied);
      rest = rest.subarray(copied);
      this.#length += copied;
    }
    return true;
  }

  /** Bytes from `start` on, which is below `length`: at least one, at most `bytesMax`, and not beyond their piece. */
  slice(start: number, bytesMax: number): Buffer {
    let pieceStart = 0;
    for (const piece of this.pieces()) {
      const at = start - pieceStart;
      if (at < piece.length) return piece.subarray(at, at + bytesMax);
      pieceStart += piece.length;
    }
    return NO_ROOM;
  }

  /** The body in one buffer. */
  bytes(): Buffer {
    const pieces = this.pieces();
    return pieces.length === 1 ? (pieces[0] ?? NO_ROOM) : Buffer.concat(pieces);
  }

  /** The body in its pieces, without a copy. */
  pieces(): Buffer[] {
    const last = this.#pieces.length - 1;
    return this.#pieces.map((piece, at) =>
      at === last ? piece.subarray(0, piece.length - this.#room.length) : piece,
    );
  }
}

/**
 * The first bytes of a body are checked as they arrive, the others in turns of their own: a check between two parts lets
 * the client keep up with the reading, and uWebSockets.js reads a socket in one turn for as long as bytes arrive
 * (measured with 30 MB: 100 to 380 ms).
 */
const CHECKED_AT_ONCE_BYTES = 1_048_576;
/** Checked in one turn of the event loop, in about half a millisecond. */
const CHECKED_PER_TURN_BYTES = 262_144;

/** A body that arrives in several parts: it is gathered and checked, then handed over. */
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
    this.#parts = new BodyParts(bytesMax);
    this.#bounds = use.isBounded ? new JsonBounds() : null;
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
  let parted: PartedBody | null = null;
  let isRefused = false;
  exchange.onBody((part, isLast) => {
    if (isRefused) return;
    const isLong = use.long !== undefined && part.byteLength > LONG_BODY_BYTES;
    if (isLast && parted === null && !exchange.head.isChunked && !isLong) {
      exchange.endPhase('receive');
      // The whole body, no longer than declared: read in place.
      use.whole(Buffer.from(part));
      return;
    }
    parted ??= new PartedBody(exchange, bytesMax, use);
    if (parted.add(part, isLast)) return;
    isRefused = true;
    parted = null;
  });
}
