/**
 * Receives and reads the body of an admitted request. Its length and its route decide where it is read. Before that,
 * its length is checked against the limit of the route and its structure against `JsonBounds`.
 *
 * - Up to `LONG_BODY_BYTES`, and simulations of any length: in one piece, parsed at once.
 * - Longer: in parts, parsed in slices between other requests.
 * - A simulation of `UNREAD_BYTES_MIN` or more: handed on unread. When it is worth a thread, a worker thread parses and
 *   answers it.
 */
import { type Failure, type Outcome, success } from '../../domain/failure.ts';
import { finishSteps, NEVER } from '../../pace/work-steps.ts';
import { extended } from '../../runtime/extended.ts';
import { type Admitted, findMissingActionPermission } from '../admission.ts';
import type { HttpSettings } from '../dependencies.ts';
import { announcesBody } from '../request-head.ts';
import type { BodyRow, ShopRequest } from '../route.ts';
import type { SlicedWork } from '../sliced-work.ts';
import { digestRequest } from '../write-request.ts';
import {
  type BodyReader,
  bodyText,
  findBodyHeadDefect,
  type ReadValue,
  readLongBodySteps,
  readValueSteps,
} from './json-body.ts';
import { findBoundDefect } from './json-bounds.ts';
import { receiveBody } from './receive-body.ts';

const NO_BYTES = Buffer.alloc(0);

/** A smaller body is always read in this thread: that takes at most a quarter of a millisecond. */
const UNREAD_BYTES_MIN = 65_536;

/** A body that was read. */
export interface ReadBody extends ReadValue, Pick<ShopRequest<unknown>, 'text' | 'isThreadTried'> {
  readonly kind: 'read';
  /** Of the request, when the client gave an idempotency key. */
  readonly digest: string | null;
}

/** The unparsed text of a large simulation. Either a worker thread parses it, or `read` does. */
export interface UnreadBody {
  readonly kind: 'unread';
  readonly text: string;
  /** Reads it in this thread. */
  readonly read: (isThreadTried: boolean) => Outcome<ReadBody>;
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

  /** Passes on the body when it is complete. Returns a refusal when the head alone is enough for it, else null. */
  receive(admitted: Admitted, use: UseBody): Failure | null {
    const { exchange, route } = admitted;
    const { head } = exchange;
    const row = route.body;
    if (row === undefined || (row.isOptional && !announcesBody(head))) {
      const digest = digestOf(admitted, NO_BYTES);
      exchange.settle(() => use({ kind: 'read', value: {}, text: '', isThreadTried: false, digest }));
      return null;
    }
    const { bodyBytesMax, configBodyBytesMax } = this.#settings;
    const bytesMax = row.limit === 'configBody' ? configBodyBytesMax : bodyBytesMax;
    const defect = findBodyHeadDefect(head, bytesMax);
    if (defect !== null) return defect;
    const whole = (bytes: Buffer) => this.#useWhole(admitted, row, bytes, use);
    const long = (parts: Buffer[]) => this.#readLong(admitted, row, parts, use);
    receiveBody(exchange, bytesMax, {
      whole,
      ...(route.kind === 'simulate' ? {} : { long }),
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
    const isUnread =
      bytes.length >= UNREAD_BYTES_MIN && route.kind === 'simulate' && route.answerUnread !== undefined;
    // `row.read` accepts only bodies within the bounds, so the body need not be scanned first.
    const value = isUnread ? null : (row.read?.(bytes, text) ?? null);
    if (value !== null) {
      use({ kind: 'read', value, text, isThreadTried: false, digest });
      return;
    }
    const defect = findBoundDefect(bytes);
    if (defect !== null) {
      exchange.refuse(defect);
      return;
    }
    const read = (isThreadTried: boolean): Outcome<ReadBody> => {
      const made = finishSteps(readValueSteps(readerOf(admitted, row), text, NEVER));
      return made.ok
        ? success(extended(made.value, { kind: 'read' as const, text, isThreadTried, digest }))
        : made;
    };
    if (isUnread) use({ kind: 'unread', text, read });
    else useOrRefuse(admitted, read(false), use);
  }

  /** A body in several parts, which stay valid. */
  #readLong(admitted: Admitted, row: BodyRow, parts: Buffer[], use: UseBody): void {
    const { exchange, grant, guards } = admitted;
    const digestedHead = guards.idempotencyKey === null ? null : exchange.head;
    const steps = readLongBodySteps(readerOf(admitted, row), parts, digestedHead, this.#work.shouldYield);
    this.#work.run(exchange, grant.shopId, steps, (made) => {
      const read = made.ok
        ? success(extended(made.value, { kind: 'read' as const, isThreadTried: false }))
        : made;
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
  forbidden: (value) => findMissingActionPermission(admitted, value),
});

const digestOf = ({ exchange, guards }: Admitted, bytes: Buffer): string | null =>
  guards.idempotencyKey === null ? null : digestRequest(exchange.head, bytes);
