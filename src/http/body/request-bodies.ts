/**
 * The body of a request, from its admitted head to what the shop is asked with: received within the limit of its row and
 * the bounds of its structure, then read at once, or handed on unread when it is large, for a worker thread or to be
 * read in slices between other requests.
 */
import { type Failure, success } from '../../domain/failure.ts';
import type { WorkSteps } from '../../pace/work-steps.ts';
import { extended } from '../../runtime/extended.ts';
import { type Admitted, findMissingActionPermission } from '../admission.ts';
import type { HttpSettings } from '../dependencies.ts';
import { announcesBody } from '../request-head.ts';
import type { BodyRow, UnreadText } from '../route.ts';
import type { SlicedWork } from '../sliced-work.ts';
import { digestRequest } from '../write-request.ts';
import { bodyText, findBodyHeadDefect, parseJsonText } from './json-body.ts';
import { findBoundDefect } from './json-bounds.ts';
import { joinBodySteps, type LongBody, misshapenValue, type ReadValue, readBodySteps } from './long-body.ts';
import { MemoryAhead, receiveBody } from './receive-body.ts';

const NO_BYTES = Buffer.alloc(0);

/** A smaller body is read here in any case: that takes a quarter of a millisecond at most. */
const UNREAD_BYTES_MIN = 65_536;

/** A body that was read. */
export interface ReadBody extends ReadValue {
  readonly kind: 'read';
  /** As it came, of a long one the bytes; "" when there was none. */
  readonly text: UnreadText['text'];
  /** A worker thread has had the body already and left it to this one. */
  readonly isThreadTried: boolean;
  /** Of the request, when the client gave an idempotency key. */
  readonly digest: string | null;
}

/** A large body that nobody has parsed: a worker thread may, or `read` does. */
export interface UnreadBody extends UnreadText {
  readonly kind: 'unread';
  /** Reads it in this thread and hands it on, or refuses the request. */
  readonly read: (isThreadTried: boolean, use: (body: ReadBody) => void) => void;
}

export type ReceivedBody = ReadBody | UnreadBody;

/** Goes on with a request whose body is there. */
type UseBody = (body: ReceivedBody) => void;

export class RequestBodies {
  readonly #settings: HttpSettings;
  readonly #work: SlicedWork;
  readonly #ahead = new MemoryAhead();

  constructor(settings: HttpSettings, work: SlicedWork) {
    this.#settings = settings;
    this.#work = work;
  }

  /** Hands on the body of the request once it is there, or refuses it: at once where the head is enough. */
  receive(admitted: Admitted, use: UseBody): Failure | null {
    const { exchange, route, guards } = admitted;
    const { head } = exchange;
    const row = route.body;
    if (row === undefined || (row.isOptional && !announcesBody(head))) {
      const digest = guards.idempotencyKey === null ? null : digestRequest(head, NO_BYTES);
      exchange.settle(() => use({ kind: 'read', value: {}, text: '', isThreadTried: false, digest }));
      return null;
    }
    const { bodyBytesMax, configBodyBytesMax } = this.#settings;
    const bytesMax = row.limit === 'configBody' ? configBodyBytesMax : bodyBytesMax;
    const defect = findBodyHeadDefect(head, bytesMax);
    if (defect !== null) return defect;
    const whole = (bytes: Buffer) => this.#useWhole(admitted, row, bytes, use);
    // Simulations need the text of the body, which a worker thread reads when it is large.
    if (route.kind === 'simulate') receiveBody(exchange, bytesMax, { whole, isBounded: true });
    else {
      const long = (parts: Buffer[]) => this.#useLong(admitted, row, parts, use);
      receiveBody(exchange, bytesMax, { whole, long, ahead: this.#ahead, isBounded: true });
    }
    return null;
  }

  /** `bytes` are valid during the call only. */
  #useWhole(admitted: Admitted, row: BodyRow, bytes: Buffer, use: UseBody): void {
    const { exchange, route, guards } = admitted;
    const decoded = bodyText(bytes);
    if (!decoded.ok) {
      exchange.refuse(decoded);
      return;
    }
    const text = decoded.value;
    const digest = guards.idempotencyKey === null ? null : digestRequest(exchange.head, bytes);
    const isLarge = bytes.length >= UNREAD_BYTES_MIN;
    // Whatever `row.read` accepts is within the bounds, so a small body need not be scanned first.
    const value = isLarge ? null : (row.read?.(bytes, text) ?? null);
    const defect = value === null ? findBoundDefect(bytes) : null;
    if (defect !== null) exchange.refuse(defect);
    else if (value !== null) use({ kind: 'read', value, text, isThreadTried: false, digest });
    else if (isLarge && digest === null && route.answerUnread !== undefined) {
      const read: UnreadBody['read'] = (isThreadTried, useRead) =>
        readText(admitted, row, text, digest, isThreadTried, useRead);
      use({ kind: 'unread', bytes: bytes.length, text, read });
    } else readText(admitted, row, text, digest, false, use);
  }

  /** A body of a shop route that came in parts which stay valid: put together in slices, and read in slices. */
  #useLong(admitted: Admitted, row: BodyRow, parts: Buffer[], use: UseBody): void {
    const { exchange, route, grant, guards } = admitted;
    const { shouldYield } = this.#work;
    const run = <T>(steps: WorkSteps<T>, useMade: (made: T) => void) =>
      this.#work.run(exchange, grant.shopId, steps, useMade);
    const readHere = (body: LongBody, isThreadTried: boolean, useRead: (read: ReadBody) => void): void => {
      const forbidden = (value: unknown) => findMissingActionPermission(admitted, value);
      run(readBodySteps(body, row, forbidden, shouldYield), (read) => {
        const { text, digest } = body;
        if (!read.ok) exchange.refuse(read);
        else useRead(extended(read.value, { kind: 'read' as const, text, isThreadTried, digest }));
      });
    };
    run(joinBodySteps(exchange.head, parts, guards.idempotencyKey !== null, shouldYield), (joined) => {
      if (!joined.ok) {
        exchange.refuse(joined);
        return;
      }
      const body = joined.value;
      if (body.digest !== null || route.answerUnread === undefined) readHere(body, false, use);
      else {
        const read: UnreadBody['read'] = (isThreadTried, useRead) => readHere(body, isThreadTried, useRead);
        use({ kind: 'unread', bytes: body.text.length, text: body.text, read });
      }
    });
  }
}

/** Reads a body at once. */
function readText(
  admitted: Admitted,
  row: BodyRow,
  text: string,
  digest: string | null,
  isThreadTried: boolean,
  use: (body: ReadBody) => void,
): void {
  const { exchange } = admitted;
  const parsed = parseJsonText(text);
  if (!parsed.ok) {
    exchange.refuse(parsed);
    return;
  }
  const { value } = parsed;
  const forbidden = findMissingActionPermission(admitted, value);
  if (forbidden !== null) {
    exchange.refuse(forbidden);
    return;
  }
  const read = row.check.check(value)
    ? success<ReadValue>({ value })
    : misshapenValue(row, value, row.check.shapeDefects(value, row.defectsShown));
  if (read.ok) use({ kind: 'read', ...read.value, text, isThreadTried, digest });
  else exchange.refuse(read);
}
