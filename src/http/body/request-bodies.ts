/**
 * Receives and reads the body of an admitted request. First its length is checked against the limit of the route, and its
 * structure against `JsonBounds`; if the body arrives in several parts, while they arrive, so that a refusal does not wait
 * for the rest. A body in one part is not copied.
 */
import type { Failure } from '../../domain/failure.ts';
import { permits } from '../../domain/permission.ts';
import { type Admitted, findMissingActionPermission } from '../admission.ts';
import type { HttpSettings } from '../dependencies.ts';
import type { Exchange } from '../exchange.ts';
import { announcesBody } from '../request-head.ts';
import type { BodyRow, ShopRequest } from '../route.ts';
import {
  type BodyReader,
  bodyText,
  digestRequest,
  findBodyHeadDefect,
  findBoundDefect,
  JsonBounds,
  readValue,
  tooLarge,
} from './json-body.ts';

const NO_BYTES = Buffer.alloc(0);

export interface ReadBody extends Pick<ShopRequest<unknown>, 'text'> {
  readonly value: unknown;
  /** The digest of the request; null without an idempotency key. */
  readonly digest: string | null;
}

/** Continues a request whose body is complete. */
type UseBody = (body: ReadBody) => void;

export class RequestBodies {
  readonly #settings: HttpSettings;

  constructor(settings: HttpSettings) {
    this.#settings = settings;
  }

  /** Passes the complete body to `use`. Returns a refusal if the head alone leads to it, else null. */
  receive(admitted: Admitted, use: UseBody): Failure | null {
    const { exchange, route } = admitted;
    const { head } = exchange;
    const row = route.body;
    if (row === undefined || (row.isOptional && !announcesBody(head))) {
      const digest = digestOf(admitted, NO_BYTES);
      exchange.settle(() => use({ value: {}, text: '', digest }));
      return null;
    }
    const { bodyBytesMax, configBodyBytesMax } = this.#settings;
    const isLong = row.limit === 'configBody' && permits(admitted.grant.permission, 'write');
    const bytesMax = isLong ? Math.max(bodyBytesMax, configBodyBytesMax) : bodyBytesMax;
    const defect = findBodyHeadDefect(head, bytesMax);
    if (defect !== null) return defect;
    const whole = (bytes: Buffer, isInBounds: boolean) =>
      this.#useWhole(admitted, row, bytes, isInBounds, use);
    receiveBody(exchange, bytesMax, { whole, isBounded: true });
    return null;
  }

  /** `bytes` are valid during the call only. */
  #useWhole(admitted: Admitted, row: BodyRow, bytes: Buffer, isInBounds: boolean, use: UseBody): void {
    const { exchange } = admitted;
    const decoded = bodyText(bytes);
    if (!decoded.ok) {
      exchange.refuse(decoded);
      return;
    }
    const text = decoded.value;
    const digest = digestOf(admitted, bytes);
    // `row.read` accepts only bodies within the bounds, so they need not be checked first, and without unknown fields.
    const value = row.read?.(bytes, text) ?? null;
    if (value !== null) {
      use({ value, text, digest });
      return;
    }
    const defect = isInBounds ? null : findBoundDefect(bytes);
    if (defect !== null) {
      exchange.refuse(defect);
      return;
    }
    const read = readValue(readerOf(admitted, row), text);
    if (read.ok) use({ value: read.value, text, digest });
    else exchange.refuse(read);
  }
}

const readerOf = (admitted: Admitted, row: BodyRow): BodyReader => ({
  row,
  forbidden: (value) => {
    admitted.exchange.unknownFields = row.toldUnknown?.(value) ?? '';
    return findMissingActionPermission(admitted, value);
  },
});

const digestOf = ({ exchange, guards }: Admitted, bytes: Buffer): string | null =>
  guards.idempotencyKey === null ? null : digestRequest(exchange.head, bytes);

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
