/**
 * Answers of the routes that read or change a shop in memory: what the row's handler decides is made here, in steps or by
 * a worker thread, shared with others who ask for the same, or written to the shop, and sent with the version it is about.
 */
import type { ShopAccess } from '../actor/shop-access.ts';
import type { Outcome } from '../domain/failure.ts';
import { type Admitted, fieldOf } from './admission.ts';
import type { HttpDependencies } from './dependencies.ts';
import type { Exchange, ExchangeHost } from './exchange.ts';
import type { HeavyAnswers } from './heavy-answers.ts';
import type { ReadBody } from './long-body.ts';
import type { RequestThrottle } from './request-throttle.ts';
import type { LaterAnswer, ShopRoute, WritePlan } from './route.ts';
import { resolveRecordId } from './routes/record-id.ts';
import { sendValue, sendWritten, versionHeaders } from './send-answer.ts';
import type { SharedAnswers } from './shared-answers.ts';
import type { SteppedRequests } from './stepped-requests.ts';
import { writeRequest } from './write-request.ts';

/** Other ways in which an answer comes about. */
export interface AnswerWays {
  readonly shared: SharedAnswers;
  readonly heavy: HeavyAnswers;
  readonly stepped: SteppedRequests;
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
    const versionId = state.version.id;
    if (body.refuse !== undefined) {
      this.#stepped.refuse(exchange, shop, body.refuse, versionHeaders(route, versionId));
      return;
    }
    let id = '';
    if (route.target !== undefined) {
      const idInBody = fieldOf(body.value, 'id');
      const resolved = resolveRecordId(route.target, admitted.idSegment, query['id'], idInBody);
      if (!resolved.ok) {
        exchange.refuse(resolved, versionHeaders(route, versionId));
        return;
      }
      id = resolved.value;
    }
    const isShared = route.isShared && id === '' && isEmpty(query);
    const shared = isShared ? this.#shared.find(state, route.name) : undefined;
    if (shared !== undefined) {
      sendValue(exchange, route, shared, versionId);
      return;
    }
    const dependencies = this.#dependencies;
    const throttle = this.#throttle.rates;
    const { value, text } = body;
    const handled = route.handle({ shop, grant, id, body: value, text, query, dependencies, throttle });
    if (!handled.ok) {
      exchange.refuse(handled, versionHeaders(route, versionId));
    } else if (handled.value.kind === 'write') {
      this.#write(exchange, admitted, route, handled.value, body, shop);
    } else if (handled.value.kind === 'later') {
      this.#answerLater(exchange, route, handled.value, shop);
    } else if (handled.value.kind === 'heavy') {
      this.#heavy.answer(exchange, admitted, handled.value.answer);
    } else {
      const kept = isShared ? { state, name: route.name } : null;
      this.#stepped.make(exchange, grant.shopId, handled.value, kept, (made) =>
        sendMade(exchange, route, made, versionId),
      );
    }
  }

  #answerLater(exchange: Exchange, route: ShopRoute, { answer }: LaterAnswer, shop: ShopAccess): void {
    answer.then(
      (outcome) =>
        exchange.attempt(() => {
          const versionId = shop.state.version.id;
          const use = (made: Outcome<Uint8Array>): void => sendMade(exchange, route, made, versionId);
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
            exchange.refuse(written, versionHeaders(route, shop.state.version.id));
          }
        });
      },
      (cause: unknown) => this.#host.failed(exchange, cause),
    );
  }
}

function sendMade(exchange: Exchange, route: ShopRoute, made: Outcome<Uint8Array>, versionId: string): void {
  if (made.ok) sendValue(exchange, route, made.value, versionId);
  else exchange.refuse(made, versionHeaders(route, versionId));
}

const isEmpty = (values: object): boolean => Object.keys(values).length === 0;
