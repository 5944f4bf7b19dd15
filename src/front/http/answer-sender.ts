/**
 * The last stage of a request: makes the bytes of an answer and sends them with the id of the version that they describe.
 * Depending on its kind, an answer is made at once, by a write to the shop, or by the pool of worker threads.
 */
import type { Failure, Outcome } from '../../engine/domain/failure.ts';
import { currentTagsOf } from '../../engine/domain/view-tag.ts';
import type { Answered, PoolAccess } from '../../shop/pool/answer-pool.ts';
import type { KeyGrant, ShopAccess, WriteRequest } from '../../shop/reader/shop-access.ts';
import type {
  Answer,
  BytesAnswer,
  LaterAnswer,
  PlannedWrite,
  PoolAnswer,
  ReadyAnswer,
  ValueAnswer,
} from './answer.ts';
import { AnswerBurst } from './answer-burst.ts';
import { namesTag } from './entity-tag.ts';
import type { Exchange } from './exchange.ts';
import { type Headers, NO_HEADERS } from './output.ts';
import type { QueryValues } from './query-text.ts';
import { refusalHeaders } from './refused-write.ts';
import type { WriteGuards } from './request-head.ts';
import { OPERATED_SHOPS, type ShopRoute } from './route.ts';
import { openAnswer, sealAnswer } from './sealed-answer.ts';
import { jsonBytes, SharedAnswers } from './shared-answers.ts';

/** A request whose route was called. */
export interface HandledRequest {
  readonly exchange: Exchange;
  readonly route: ShopRoute;
  readonly grant: KeyGrant;
  readonly guards: WriteGuards;
  readonly query: QueryValues;
  /** "" on a route that addresses no record. */
  readonly id: string;
  /** The digest of the request; null without an idempotency key. */
  readonly digest: string | null;
}

const NO_BYTES = Buffer.alloc(0);

export class AnswerSender {
  readonly #pool: PoolAccess;
  readonly #shared = new SharedAnswers();
  readonly #burst = new AnswerBurst();
  readonly #hasOtherNodes: boolean;

  /** `hasOtherNodes`: other processes answer for the same shops. */
  constructor(pool: PoolAccess, hasOtherNodes: boolean) {
    this.#pool = pool;
    this.#hasOtherNodes = hasOtherNodes;
  }

  send(request: HandledRequest, shop: ShopAccess, answer: ReadyAnswer): void {
    const { exchange, grant, query } = request;
    switch (answer.kind) {
      case 'text': {
        const versionId = query['version'] ?? shop.state.version.id;
        const send = (body: Uint8Array): void =>
          exchange.send({ status: 200, type: 'json', body, isReused: true, versionId, headers: NO_HEADERS });
        this.#burst.send(exchange, grant, answer.text, send);
        break;
      }
      case 'write':
        this.#write(request, shop, answer);
        break;
      case 'pool':
        this.#ask(request, shop, answer);
        break;
      default:
        this.#read(request, shop, answer);
    }
  }

  /** Answers a read, with 304 if the client already has the answer. */
  #read(request: HandledRequest, shop: ShopAccess, answer: ValueAnswer): void {
    const { exchange, route, query, id } = request;
    const { state } = shop;
    const tag = tagOf(request, shop);
    const versionId = versionOf(route, state.version.id);
    const headers = tagHeaders(tag);
    const { ifNoneMatch } = exchange.head;
    const mayBeKnown = tag !== null && route.changesUnwritten !== true;
    const isKnown = mayBeKnown && ifNoneMatch !== null && namesTag(ifNoneMatch, tag);
    const send = (bytes: Uint8Array): void => {
      const answered = isKnown ? { status: 304, body: null } : { status: 200, body: bytes };
      exchange.send({ ...answered, type: 'json', versionId, headers });
    };
    if (isKnown) send(NO_BYTES);
    else {
      const isShared = mayBeKnown && id === '' && Object.keys(query).length === 0;
      const made = isShared ? this.#shared.bytesOf(answer, state, route.name) : jsonBytes(answer);
      if (made.ok) send(made.value);
      else exchange.refuse(made, versionId, headers);
    }
  }

  /** Answers by the pool of worker threads. */
  #ask(request: HandledRequest, shop: ShopAccess, { question, note }: PoolAnswer): void {
    const { exchange } = request;
    const answered = this.#pool.ask(shop, question, exchange, (leave) => exchange.atEnd(leave));
    const noted = answered.then((made) => {
      note?.(made);
      return made;
    });
    exchange.resume('thread', noted, (made) => sendAnswered(request, made));
  }

  /** Carries out a write. It continues when the client disconnects. */
  #write(request: HandledRequest, shop: ShopAccess, plan: PlannedWrite): void {
    const { exchange, route, guards } = request;
    exchange.resume('write', shop.write(writeRequest(plan, request, shop)), (written) => {
      if (!written.ok) {
        const headers = refusalHeaders(written, guards.idempotencyKey, this.#hasOtherNodes);
        exchange.refuse(written, versionOf(route, shop.state.version.id), headers);
        return;
      }
      const { status, body } = written.value;
      const versionId = versionOf(route, written.value.versionId);
      const headers = status === 201 ? locationOf(request, body) : NO_HEADERS;
      exchange.send({ status, type: 'json', body: Buffer.from(body), versionId, headers });
    });
  }
}

/** The path of the record that was made; it is the first in the answer, also in one that is repeated. */
function locationOf({ exchange, route }: HandledRequest, body: string): Headers {
  const { operatedShopId } = exchange;
  const shopPath = operatedShopId === null ? '' : OPERATED_SHOPS + operatedShopId;
  const [made] = Object.values(JSON.parse(body) as Readonly<Record<string, { readonly id: string }>>);
  return made === undefined ? NO_HEADERS : [['Location', `${shopPath}${route.paths[0]}/${made.id}`]];
}

/** The planned write with the headers that guard it. */
function writeRequest(
  plan: PlannedWrite,
  { exchange, route, grant, guards, digest: requestDigest }: HandledRequest,
  shop: ShopAccess,
): WriteRequest {
  const { idempotencyKey, ifMatch, batchId } = guards;
  const { secret } = grant;
  return {
    command: plan.command,
    origin: exchange,
    keyId: grant.keyId,
    batchId,
    ifMatch: ifMatch === null ? null : wantedTag(ifMatch, shop),
    idempotency:
      idempotencyKey === null || requestDigest === null
        ? null
        : {
            key: idempotencyKey,
            requestDigest,
            ...(plan.isSecret
              ? {
                  seal: (body: string) => sealAnswer(secret, body),
                  open: (stored: string) => openAnswer(secret, stored),
                }
              : {}),
          },
    render: (result, state) => ({
      status: route.success.status,
      body: JSON.stringify(plan.render(result, state)),
    }),
  };
}

/**
 * One entry of the list in `If-Match`: a current one if it is listed. If another one becomes current before the write is
 * decided, the write is refused, which a client must expect anyway.
 */
function wantedTag(listed: readonly string[], { history, state }: ShopAccess): string {
  const tags = listed.map((reference) => history.idOf(reference));
  return currentTagsOf(state).find((tag) => tags.includes(tag)) ?? tags[0] ?? '';
}

/** Passes the answer to `use`: now, or when it is ready if the client is still connected. */
export function awaitAnswer<A extends { readonly kind: string }>(
  exchange: Exchange,
  answer: Outcome<Answer<A>>,
  use: (made: Outcome<A>) => void,
): void {
  if (!answer.ok) use(answer);
  else if (isLater(answer.value)) exchange.resume('load', answer.value.ready, (make) => use(make()));
  else use(answer as Outcome<A>);
}

const isLater = <A extends { readonly kind: string }>(answer: Answer<A>): answer is LaterAnswer<A> =>
  answer.kind === 'later';

/** Sends the answer of the pool. */
function sendAnswered({ exchange, route, query }: HandledRequest, { outcome, versionId }: Answered): void {
  const current = versionOf(route, versionId);
  if (!outcome.ok) exchange.refuse(outcome, current);
  else {
    const named = route.counts === 'simulations' ? (query['version'] ?? current) : current;
    const body = outcome.value;
    exchange.send({ status: 200, type: 'json', body, versionId: named, headers: NO_HEADERS });
  }
}

export function sendBytes(
  exchange: Exchange,
  { status, type, body, headers = NO_HEADERS }: BytesAnswer,
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  exchange.send({ status, type, body: bytes, versionId: null, headers });
}

/** Refuses a request after its shop was found. The refusal names the version. */
export function refuseAtShop(request: HandledRequest, shop: ShopAccess, refused: Failure): void {
  const { exchange, route } = request;
  exchange.refuse(refused, versionOf(route, shop.state.version.id), tagHeaders(tagOf(request, shop)));
}

/** The version in the headers of an answer; null for routes that are not about the configuration. */
export const versionOf = ({ isConfiguration }: ShopRoute, versionId: string): string | null =>
  isConfiguration ? versionId : null;

/** The tag of the current answer; null when the answer carries no tag. */
const tagOf = ({ route, query }: HandledRequest, shop: ShopAccess): string | null =>
  route.tagOf?.(shop, query) ?? null;

const tagHeaders = (tag: string | null): Headers => (tag === null ? NO_HEADERS : [['ETag', `"${tag}"`]]);
