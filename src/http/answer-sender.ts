/**
 * The last stage of a request: makes the bytes of an answer and sends them with the version that they describe. The
 * kind of the answer decides how: at once, in slices, by a write of the shop, or in a worker thread.
 */
import type { Failure } from '../domain/failure.ts';
import type { ShopAccess } from '../shop/shop-access.ts';
import type { HeavyAnswer } from '../worker/heavy-work.ts';
import type { Admitted, KeyedRoute } from './admission.ts';
import type {
  BytesAnswer,
  ReadyAnswer,
  SteppedAnswer,
  ThreadAnswer,
  ValueAnswer,
  WriteAnswer,
} from './answer.ts';
import { AnswerBurst } from './answer-burst.ts';
import { namesTag } from './entity-tag.ts';
import type { Exchange } from './exchange.ts';
import { type Headers, NO_HEADERS } from './output.ts';
import type { SlicedWork } from './sliced-work.ts';
import { refusalHeaders, writeRequest } from './write-request.ts';

/** A request whose handler has returned. */
interface Handled {
  readonly admitted: Admitted;
  readonly shop: ShopAccess;
  /** "" on a route that addresses no record. */
  readonly id: string;
  /** Of the request, where the client gave an idempotency key. */
  readonly digest: string | null;
}

const NO_BYTES = Buffer.alloc(0);

export class AnswerSender {
  readonly #work: SlicedWork;
  readonly #burst = new AnswerBurst();

  constructor(work: SlicedWork) {
    this.#work = work;
  }

  send(handled: Handled, answer: ReadyAnswer): void {
    const { exchange, grant, query } = handled.admitted;
    switch (answer.kind) {
      case 'text': {
        const versionId = query['version'] ?? handled.shop.state.version.id;
        const send = (body: Uint8Array): void =>
          exchange.send({ status: 200, type: 'json', body, isReused: true, versionId, headers: NO_HEADERS });
        this.#burst.send(exchange, grant, answer.text, send);
        break;
      }
      case 'write':
        write(handled, answer);
        break;
      case 'bytes':
        sendBytes(exchange, answer);
        break;
      default:
        this.#read(handled, answer);
    }
  }

  /** Answers a read, with 304 when the client already has the answer. */
  #read({ admitted, shop, id }: Handled, answer: ValueAnswer | SteppedAnswer | ThreadAnswer): void {
    const { exchange, route, query } = admitted;
    const { state, shopId } = shop;
    const tag = tagOf(admitted, shop);
    const versionId = versionOf(route, state.version.id);
    const headers = tagHeaders(tag);
    const { ifNoneMatch } = exchange.head;
    const isSpared = route.kind === 'shop' && route.isSpared;
    const isKnown = isSpared && tag !== null && ifNoneMatch !== null && namesTag(ifNoneMatch, tag);
    const send = (bytes: Uint8Array): void => {
      // 304: the client already has the answer that these headers describe.
      const answered = isKnown ? { status: 304, body: null } : { status: 200, body: bytes };
      exchange.send({ ...answered, type: 'json', versionId, headers });
    };
    const isShared = route.kind === 'shop' && route.isShared && id === '' && Object.keys(query).length === 0;
    const shared = isShared ? { state, name: route.name } : null;
    // The steps may end in a 404 for an unknown id.
    if (isKnown && (id === '' || answer.kind !== 'steps')) send(NO_BYTES);
    else if (answer.kind === 'thread') {
      awaitThread(exchange, answer.answer, (made) => sendMade(admitted, made, tag));
    } else {
      this.#work.run(exchange, shopId, this.#work.bytesSteps(answer, shared), (made) => {
        if (made.ok) send(made.value);
        else exchange.refuse(made, versionId, headers);
      });
    }
  }
}

/** Carries out a write. It continues when the client disconnects. */
function write({ admitted, shop, digest }: Handled, plan: WriteAnswer): void {
  const { exchange, route, guards } = admitted;
  exchange.resume('write', shop.write(writeRequest(plan, admitted, shop, digest)), (written) => {
    if (!written.ok) {
      exchange.refuse(written, versionOf(route, shop.state.version.id), refusalHeaders(written, guards));
      return;
    }
    const { status, body } = written.value;
    const versionId = versionOf(route, written.value.versionId);
    exchange.send({ status, type: 'json', body: Buffer.from(body), versionId, headers: NO_HEADERS });
  });
}

/** Passes the answer of a worker thread to `use`. Its memory is released when the exchange ends. */
export function awaitThread<T extends HeavyAnswer | null>(
  exchange: Exchange,
  answer: Promise<T>,
  use: (made: T) => void,
): void {
  const held = answer.then((made) => {
    if (made?.release !== undefined) exchange.atEnd(made.release);
    return made;
  });
  exchange.resume('thread', held, use);
}

/** Sends the answer of a worker thread. `tag` is the tag of the shop when the task was submitted. */
export function sendMade({ exchange, route, query }: Admitted, made: HeavyAnswer, tag: string | null): void {
  const { outcome, isOfBody, isFromThread } = made;
  const versionId = versionOf(route, made.versionId);
  // An answer that was made here after all is of a shop that may have moved on.
  const headers = tagHeaders(isFromThread ? tag : null);
  if (!outcome.ok) exchange.refuse(outcome, isOfBody ? null : versionId, isOfBody ? NO_HEADERS : headers);
  else {
    const ofVersion = route.kind === 'simulate' ? (query['version'] ?? versionId) : versionId;
    exchange.send({ status: 200, type: 'json', body: outcome.value, versionId: ofVersion, headers });
  }
}

export function sendBytes(
  exchange: Exchange,
  { status, type, body, headers = NO_HEADERS }: BytesAnswer,
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  exchange.send({ status, type, body: bytes, versionId: null, headers });
}

/** Refuses a request that has reached its shop. The refusal names the version. */
export function refuseAtShop(admitted: Admitted, shop: ShopAccess, refused: Failure): void {
  const { exchange, route } = admitted;
  exchange.refuse(refused, versionOf(route, shop.state.version.id), tagHeaders(tagOf(admitted, shop)));
}

/** The version that an answer of this route names; null for routes that are not about the configuration. */
export const versionOf = (route: KeyedRoute, versionId: string): string | null =>
  route.kind === 'simulate' || route.isConfiguration ? versionId : null;

/** The tag of the current answer; null when the answer carries no tag. */
const tagOf = ({ route, query }: Admitted, shop: ShopAccess): string | null =>
  route.kind === 'shop' && route.isConfiguration ? (route.tagOf?.(shop, query) ?? null) : null;

const tagHeaders = (tag: string | null): Headers => (tag === null ? NO_HEADERS : [['ETag', `"${tag}"`]]);
