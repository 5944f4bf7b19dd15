/**
 * Answers of the routes that read or change a shop in memory: what the row's handler decides is made here, in steps or by
 * a worker thread, shared with others who ask for the same, or written to the shop, and sent with the version it is about.
 */

import type { Outcome } from '../domain/failure.ts';
import type { ShopAccess } from '../shop/shop-access.ts';
import { type Admitted, fieldOf } from './admission.ts';
import type { ReadBody } from './body/long-body.ts';
import type { HttpDependencies } from './dependencies.ts';
import { namesTag } from './entity-tag.ts';
import type { Exchange, ExchangeHost, Headers } from './exchange.ts';
import type { HeavyAnswers } from './heavy-answers.ts';
import type { RequestThrottle } from './request-throttle.ts';
import type { Handled, LaterAnswer, ShopRoute, ValueInSteps, WritePlan } from './route.ts';
import { resolveRecordId } from './routes/record-id.ts';
import { refuseWrite, sendUnchanged, sendValue, sendWritten, versionHeaders } from './send-answer.ts';
import type { SharedAnswers } from './shared-answers.ts';
import type { PlainValue, SteppedRequests } from './stepped-requests.ts';
import { writeRequest } from './write-request.ts';

/** Other ways in which an answer comes about. */
export interface AnswerWays {
  readonly shared: SharedAnswers;
  readonly heavy: HeavyAnswers;
  readonly stepped: SteppedRequests;
}

/** What a handler gives to a request that changes nothing. */
type Read = Exclude<Handled, { readonly kind: 'write' | 'later' }>;

interface ReadContext {
  readonly shop: ShopAccess;
  /** "" where no record is addressed. */
  readonly id: string;
  /** Of what would be answered now; null where an answer carries none. */
  readonly tag: string | null;
  readonly headers: Headers;
}

export class ShopAnswers {
  readonly #dependencies: HttpDependencies;
  readonly #throttle: RequestThrottle;
  readonly #shared: SharedAnswers;
  readonly #heavy: HeavyAnswers;
  readonly #stepped: SteppedRequests;
  readonly #host: Pick<ExchangeHost, 'failed'>;

  constructor(
    dependencies: HttpDependencies,
    throttle: RequestThrottle,
    { shared, heavy, stepped }: AnswerWays,
    host: Pick<ExchangeHost, 'failed'>,
  ) {
    this.#dependencies = dependencies;
    this.#throttle = throttle;
    this.#shared = shared;
    this.#heavy = heavy;
    this.#stepped = stepped;
    this.#host = host;
  }

  /** Answers a request of this route that is within its rate. */
  answer(exchange: Exchange, admitted: Admitted, route: ShopRoute, body: ReadBody, shop: ShopAccess): void {
    const { grant, query } = admitted;
    const { state } = shop;
    const tag = route.tagOf?.(shop, query) ?? null;
    const headers = versionHeaders(route, state.version.id, tag);
    if (body.refuse !== undefined) {
      this.#stepped.refuse(exchange, shop, body.refuse, headers);
      return;
    }
    let id = '';
    if (route.target !== undefined) {
      const idInBody = fieldOf(body.value, 'id');
      const resolved = resolveRecordId(route.target, admitted.idSegment, query['id'], idInBody);
      if (!resolved.ok) {
        exchange.refuse(resolved, headers);
        return;
      }
      id = route.target === 'version' ? shop.history.idOf(resolved.value) : resolved.value;
    }
    const dependencies = this.#dependencies;
    const throttle = this.#throttle.rates;
    const { value, text } = body;
    const handled = route.handle({ shop, grant, id, body: value, text, query, dependencies, throttle });
    if (!handled.ok) exchange.refuse(handled, headers);
    else if (handled.value.kind === 'write')
      this.#write(exchange, admitted, route, handled.value, body, shop);
    else if (handled.value.kind === 'later') this.#answerLater(exchange, route, handled.value, shop);
    else this.#read(exchange, admitted, route, handled.value, { shop, id, tag, headers });
  }

  /** Answers a read, unless the client has what it would be answered. */
  #read(
    exchange: Exchange,
    admitted: Admitted,
    route: ShopRoute,
    handled: Read,
    { shop, id, tag, headers }: ReadContext,
  ): void {
    const { ifNoneMatch } = exchange.head;
    const isKnown = route.isSpared && tag !== null && ifNoneMatch !== null && namesTag(ifNoneMatch, tag);
    // Steps may end in the refusal of an id that no record has.
    if (isKnown && (id === '' || handled.kind !== 'steps')) {
      sendUnchanged(exchange, headers);
      return;
    }
    if (handled.kind === 'heavy') {
      this.#heavy.answer(exchange, admitted, handled.answer, tag);
      return;
    }
    const { state, shopId } = shop;
    const shared =
      route.isShared && id === '' && isEmpty(admitted.query) ? { state, name: route.name } : null;
    const known = shared === null ? undefined : this.#shared.find(state, route.name);
    if (known !== undefined) {
      sendValue(exchange, route, known, headers);
      return;
    }
    let value: PlainValue | ValueInSteps;
    if (handled.kind === 'steps') value = handled;
    else {
      const made = handled.read();
      if (!made.ok) {
        exchange.refuse(made, headers);
        return;
      }
      value = { kind: 'value', value: made.value };
    }
    this.#stepped.make(exchange, shopId, value, shared, (bytes) => {
      if (bytes.ok && isKnown) sendUnchanged(exchange, headers);
      else sendMade(exchange, route, bytes, headers);
    });
  }

  #answerLater(exchange: Exchange, route: ShopRoute, { answer }: LaterAnswer, shop: ShopAccess): void {
    answer.then(
      (outcome) =>
        exchange.attempt(() => {
          const headers = versionHeaders(route, shop.state.version.id, null);
          const use = (made: Outcome<Uint8Array>): void => sendMade(exchange, route, made, headers);
          if (!outcome.ok) use(outcome);
          else this.#stepped.make(exchange, shop.shopId, { kind: 'steps', make: outcome.value }, null, use);
        }),
      (cause: unknown) => this.#host.failed(exchange, cause),
    );
  }

  /** The client may go away meanwhile; the write goes on. */
  #write(
    exchange: Exchange,
    admitted: Admitted,
    route: ShopRoute,
    plan: WritePlan,
    body: ReadBody,
    shop: ShopAccess,
  ): void {
    exchange.endPhase(null);
    shop.write(writeRequest(plan, admitted, shop, body.digest)).then(
      (written) => {
        exchange.endPhase('write');
        exchange.attempt(() => {
          if (written.ok) {
            sendWritten(exchange, route, written.value);
          } else {
            const { idempotencyKey } = admitted.guards;
            refuseWrite(exchange, route, written, shop.state.version.id, idempotencyKey);
          }
        });
      },
      (cause: unknown) => this.#host.failed(exchange, cause),
    );
  }
}

function sendMade(exchange: Exchange, route: ShopRoute, made: Outcome<Uint8Array>, headers: Headers): void {
  if (made.ok) sendValue(exchange, route, made.value, headers);
  else exchange.refuse(made, headers);
}

const isEmpty = (values: object): boolean => Object.keys(values).length === 0;
