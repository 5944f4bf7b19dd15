/**
 * Receives and reads the body of an admitted request. First its length is checked against the limit of the route, and its
 * structure against `JsonBounds`; if the body arrives in several parts, while they arrive, so that a refusal does not wait
 * for the rest. A body in one part is not copied. How it is parsed depends on its length and its route:
 *
 * - Up to `LONG_BODY_BYTES`, and simulations of any length: as one string, at once.
 * - Longer: as bytes, in slices between other requests.
 * - A simulation of `UNREAD_BYTES_MIN` or more is passed on unread: a worker thread may parse and answer it.
 */
import { type Failure, type Outcome, success } from '../../domain/failure.ts';
import { permits } from '../../domain/permission.ts';
import { finishSteps, NEVER } from '../../pace/work-steps.ts';
import { extended } from '../../runtime/extended.ts';
import { type Admitted, findMissingActionPermission } from '../admission.ts';
import type { HttpSettings } from '../dependencies.ts';
import type { Exchange } from '../exchange.ts';
import { announcesBody } from '../request-head.ts';
import type { BodyRow, ShopRequest } from '../route.ts';
import type { SlicedWork } from '../sliced-work.ts';
import {
  type BodyReader,
  bodyText,
  digestRequest,
  findBodyHeadDefect,
  findBoundDefect,
  JsonBounds,
  readLongBodySteps,
  readValueSteps,
  tooLarge,
} from './json-body.ts';

const NO_BYTES = Buffer.alloc(0);

/** A smaller body is always parsed in this thread, which takes at most a quarter of a millisecond. */
const UNREAD_BYTES_MIN = 65_536;

export interface ReadBody extends Pick<ShopRequest<unknown>, 'text'> {
  readonly kind: 'read';
  readonly value: unknown;
  /** The digest of the request; null without an idempotency key. */
  readonly digest: string | null;
}

/** The unparsed text of a large simulation. A worker thread parses it, or `read` does. */
export interface UnreadBody {
  readonly kind: 'unread';
  readonly text: string;
  /** Parses it in this thread. */
  readonly read: () => Outcome<ReadBody>;
}

export type ReceivedBody = ReadBody | UnreadBody;

/** Continues a request whose body is complete. */
type UseBody = (body: ReceivedBody) => void;

export class RequestBodies {
  readonly #settings: HttpSettings;
  readonly #work: SlicedWork;

  constructor(settings: HttpSettings, work: SlicedWork) {
    this.#settings = settings;
    this.#work = work;
  }

  /** Passes the complete body to `use`. Returns a refusal if the head alone leads to it, else null. */
  receive(admitted: Admitted, use: UseBody): Failure | null {
    const { exchange, route } = admitted;
    const { head } = exchange;
    const row = route.body;
    if (row === undefined || (row.isOptional && !announcesBody(head))) {
      const digest = digestOf(admitted, NO_BYTES);
      exchange.settle(() => use({ kind: 'read', value: {}, text: '', digest }));
      return null;
    }
    const { bodyBytesMax, configBodyBytesMax } = this.#settings;
    const isLong = row.limit === 'configBody' && permits(admitted.grant.permission, 'write');
    const bytesMax = isLong ? Math.max(bodyBytesMax, configBodyBytesMax) : bodyBytesMax;
    const defect = findBodyHeadDefect(head, bytesMax);
    if (defect !== null) return defect;
    const whole = (bytes: Buffer) => this.#useWhole(admitted, row, bytes, use);
    const long = (parts: Buffer[]) => this.#readLong(admitted, row, parts, use);
    receiveBody(exchange, bytesMax, {
      whole,
      ...(route.counts === 'simulations' ? {} : { long }),
      isBounded: true,
    });
    return null;
  }

  /** `bytes` are valid during the call only. */
  #useWhole(admitted: Admitted, row: BodyRow, bytes: Buffer, use: UseBody): void {
    const { exchange, route } = admitted;
    const decoded = bodyText(bytes);
    if (!decoded.ok) {
      exchange.refuse(decoded);
      return;
    }
    const text = decoded.value;
    const digest = digestOf(admitted, bytes);
    const isUnread = bytes.length >= UNREAD_BYTES_MIN && route.answerUnread !== undefined;
    // `row.read` accepts only bodies within the bounds, so they need not be checked first, and without unknown fields.
    const value = isUnread ? null : (row.read?.(bytes, text) ?? null);
    if (value !== null) {
      use({ kind: 'read', value, text, digest });
      return;
    }
    const defect = findBoundDefect(bytes);
    if (defect !== null) {
      exchange.refuse(defect);
      return;
    }
    const read = (): Outcome<ReadBody> => {
      const made = finishSteps(readValueSteps(readerOf(admitted, row), text, NEVER));
      return made.ok ? success({ kind: 'read', value: made.value, text, digest }) : made;
    };
    if (isUnread) use({ kind: 'unread', text, read });
    else useOrRefuse(admitted, read(), use);
  }

  /** `parts` stay valid after the call. */
  #readLong(admitted: Admitted, row: BodyRow, parts: Buffer[], use: UseBody): void {
    const { exchange, grant, guards } = admitted;
    const digestedHead = guards.idempotencyKey === null ? null : exchange.head;
    const steps = readLongBodySteps(readerOf(admitted, row), parts, digestedHead, this.#work.shouldYield);
    this.#work.run(exchange, grant.shopId, steps, (made) => {
      const read = made.ok ? success(extended(made.value, { kind: 'read' as const })) : made;
      useOrRefuse(admitted, read, use);
    });
  }
}

function useOrRefuse({ exchange }: Admitted, read: Outcome<ReadBody>, use: UseBody): void {
  if (read.ok) use(read.value);
  else exchange.refuse(read);
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

/** Longer bodies are parsed in slices. `JSON.parse` of a body of this length takes one to three milliseconds. */
export const LONG_BODY_BYTES = 262_144;

/** Callbacks for a complete body. */
interface BodyUse {
  /** `bytes` are valid only during the call. */
  readonly whole: (bytes: Buffer) => void;
  /** For bodies of more than `LONG_BODY_BYTES`, in parts that stay valid; if absent, they go to `whole` too. */
  readonly long?: (parts: Buffer[]) => void;
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

  /** Bytes from `start` on, which is below `length`: at least one, at most `bytesMax`, all of the same piece. */
  slice(start: number, bytesMax: number): Buffer {
    let pieceStart = 0;
    for (const piece of this.pieces()) {
      const at = start - pieceStart;
      if (at < piece.length) return piece.subarray(at, at + bytesMax);
      pieceStart += piece.length;
    }
    return NO_BYTES;
  }

  /** The body in one buffer. */
  bytes(): Buffer {
    const pieces = this.pieces();
    return pieces.length === 1 ? (pieces[0] ?? NO_BYTES) : Buffer.concat(pieces);
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
 * This many bytes of a body are checked as they arrive, the others in later turns. uWebSockets.js reads a socket in one
 * turn for as long as bytes arrive, and while a part is checked the client sends the next (measured with 30 MB: turns of
 * 100 to 380 ms).
 */
const CHECKED_AT_ONCE_BYTES = 1_048_576;
/** Bytes that are checked in one turn of the event loop, in about half a millisecond. */
const CHECKED_PER_TURN_BYTES = 262_144;

/**
 * Buffers and checks a body that arrives in several parts. Returns the function that takes the parts; it returns false
 * when the body is refused, and must not be called again then.
 */
function partsOf(
  exchange: Exchange,
  bytesMax: number,
  { isBounded, whole, long }: BodyUse,
): (part: ArrayBuffer, isLast: boolean) => boolean {
  const parts = new BodyParts(bytesMax);
  const bounds = isBounded ? new JsonBounds() : null;
  let checkedBytes = 0;
  let isComplete = false;
  /** `checkLater` has scheduled a check. */
  let isWaiting = false;
  const checkMore = (): Failure | null => {
    const bytes = parts.slice(checkedBytes, CHECKED_PER_TURN_BYTES);
    checkedBytes += bytes.length;
    return bounds?.add(bytes) ?? null;
  };
  const handOver = (): void => {
    if (long !== undefined && parts.length > LONG_BODY_BYTES) long(parts.pieces());
    else whole(parts.bytes());
  };
  const checkLater = (): void => {
    isWaiting = true;
    exchange.later(() => {
      isWaiting = false;
      const defect = checkMore();
      if (defect !== null) exchange.refuse(defect);
      else if (checkedBytes < parts.length) checkLater();
      else if (isComplete) handOver();
    });
  };
  const refuse = (failure: Failure): false => {
    exchange.settle(() => exchange.refuse(failure));
    return false;
  };
  return (part, isLast) => {
    if (!parts.add(part)) return refuse(tooLarge(bytesMax));
    isComplete = isLast;
    if (isLast) exchange.endPhase('receive');
    if (isWaiting) return true;
    if (!isBounded) checkedBytes = parts.length;
    while (checkedBytes < Math.min(parts.length, CHECKED_AT_ONCE_BYTES)) {
      const defect = checkMore();
      if (defect !== null) return refuse(defect);
    }
    if (checkedBytes < parts.length) checkLater();
    else if (isLast) exchange.settle(handOver);
    return true;
  };
}

/** Passes on the complete body; refuses it when it is too large or its structure is out of bounds. */
export function receiveBody(exchange: Exchange, bytesMax: number, use: BodyUse): void {
  let takePart: ReturnType<typeof partsOf> | null = null;
  let isRefused = false;
  exchange.onBody((part, isLast) => {
    if (isRefused) return;
    const isLong = use.long !== undefined && part.byteLength > LONG_BODY_BYTES;
    if (isLast && takePart === null && !exchange.head.isChunked && !isLong) {
      exchange.endPhase('receive');
      // The whole body, of the declared length: not copied.
      use.whole(Buffer.from(part));
      return;
    }
    takePart ??= partsOf(exchange, bytesMax, use);
    if (takePart(part, isLast)) return;
    isRefused = true;
    takePart = null;
  });
}
