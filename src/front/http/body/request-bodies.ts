/**
 * Receives and reads the body of an admitted request. First its length is checked against the limit of the route, and its
 * structure against `JsonBounds`; if the body arrives in several parts, while they arrive, so that a refusal does not wait
 * for the rest. A body in one part is not copied.
 */
import { type Failure, type Outcome, success } from '../../../engine/domain/failure.ts';
import type { Exchange } from '../exchange.ts';
import type { BodyRow, ShopRequest } from '../route.ts';
import { bodyText, findBoundDefect, JsonBounds, readValue, tooLarge } from './json-body.ts';

const NO_BYTES = Buffer.alloc(0);

export interface ReadBody extends Pick<ShopRequest<unknown>, 'text'> {
  readonly value: unknown;
}

/** Reads a whole body of the route. `bytes` are valid during the call only; `isInBounds`: their structure was checked. */
export function readBody(
  row: BodyRow,
  forbidden: (value: unknown) => Failure | null,
  bytes: Buffer,
  isInBounds: boolean,
): Outcome<ReadBody> {
  const decoded = bodyText(bytes);
  if (!decoded.ok) return decoded;
  const text = decoded.value;
  // `row.read` accepts only bodies within the bounds, so they need not be checked first, and without unknown fields.
  const quick = row.read?.(bytes, text) ?? null;
  if (quick !== null) return success({ value: quick, text });
  const defect = isInBounds ? null : findBoundDefect(bytes);
  if (defect !== null) return defect;
  const read = readValue(row, forbidden, text);
  return read.ok ? success({ value: read.value, text }) : read;
}

interface BodyUse {
  /** Takes a complete body; `bytes` are valid only during the call. `isInBounds`: its structure was checked. */
  readonly whole: (bytes: Buffer, isInBounds: boolean) => void;
  /**
   * True to check the structure of a body in several parts while they arrive. False for callbacks, whose signature must be
   * checked first. `whole` checks a body in one part.
   */
  readonly isBounded: boolean;
}

const FIRST_PIECE_BYTES = 65_536;
const PIECE_BYTES = 1_048_576;

/**
 * Buffers a body that arrives in parts, up to the limit. A declared length reserves no memory: the buffer grows with what
 * has arrived, in pieces, so that no byte is copied twice.
 */
export class BodyParts {
  readonly #bytesMax: number;
  /** All pieces are full except the last, whose free bytes are `#room`. */
  #pieces: Buffer[] = [];
  #room = NO_BYTES;
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Number of bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** Copies the part. False when the body exceeds its limit; its memory is released then. */
  add(part: ArrayBuffer): boolean {
    if (this.#length + part.byteLength > this.#bytesMax) {
      this.#pieces = [];
      this.#room = NO_BYTES;
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

  /** The body in one buffer. */
  bytes(): Buffer {
    const [only] = this.#pieces;
    const isWhole = only !== undefined && only.length >= this.#length;
    return isWhole ? only.subarray(0, this.#length) : Buffer.concat(this.#pieces, this.#length);
  }
}

/**
 * Buffers and checks a body that arrives in several parts. Returns the function that takes the parts; it returns false
 * when the body is refused, and must not be called again then.
 */
function partsOf(
  exchange: Exchange,
  bytesMax: number,
  { isBounded, whole }: BodyUse,
): (part: ArrayBuffer, isLast: boolean) => boolean {
  const parts = new BodyParts(bytesMax);
  const bounds = isBounded ? new JsonBounds() : null;
  return (part, isLast) => {
    const defect = parts.add(part) ? (bounds?.add(new Uint8Array(part)) ?? null) : tooLarge(bytesMax);
    if (defect !== null) exchange.settle(() => exchange.refuse(defect));
    else if (isLast) {
      exchange.endPhase('receive');
      exchange.settle(() => whole(parts.bytes(), isBounded));
    }
    return defect === null;
  };
}

/** Passes on the complete body; refuses it when it is too large or its structure is out of bounds. */
export function receiveBody(exchange: Exchange, bytesMax: number, use: BodyUse): void {
  let takePart: ReturnType<typeof partsOf> | null = null;
  let isRefused = false;
  exchange.onBody((part, isLast) => {
    if (isRefused) return;
    if (isLast && takePart === null && !exchange.head.isChunked) {
      exchange.endPhase('receive');
      // The whole body, of the declared length: not copied.
      use.whole(Buffer.from(part), false);
      return;
    }
    takePart ??= partsOf(exchange, bytesMax, use);
    if (takePart(part, isLast)) return;
    isRefused = true;
    takePart = null;
  });
}
