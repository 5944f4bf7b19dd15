/** Callbacks on their way from the admitted head to the answer. */

import type { Outcome } from '../domain/failure.ts';
import type { ShopAccess } from '../shop/shop-access.ts';
import type { AdmittedCallback } from './admission.ts';
import { VERSION_HEADER } from './answer-head.ts';
import { findBodyHeadDefect } from './body/json-body.ts';
import { receiveBody } from './body/receive-body.ts';
import { answerCallback, BAD_SIGNATURE, type Callback, refusalOfLoad } from './callback.ts';
import type { HttpDependencies, HttpSettings } from './dependencies.ts';
import type { Exchange, ExchangeHost, Headers } from './exchange.ts';
import { isAnsweredHere } from './relay.ts';
import type { RequestThrottle } from './request-throttle.ts';

/** What the server does for a callback that is not answered in the usual way. */
export interface CallbackHost extends Pick<ExchangeHost, 'failed'> {
  forward(exchange: Exchange, body: Uint8Array): void;
}

export class CallbackAnswers {
  readonly #dependencies: HttpDependencies;
  readonly #settings: HttpSettings;
  readonly #throttle: RequestThrottle;
  readonly #host: CallbackHost;

  constructor(
    dependencies: HttpDependencies,
    settings: HttpSettings,
    throttle: RequestThrottle,
    host: CallbackHost,
  ) {
    this.#dependencies = dependencies;
    this.#settings = settings;
    this.#throttle = throttle;
    this.#host = host;
  }

  /** Reads the body and answers, or has the request answered elsewhere. */
  read(exchange: Exchange, { route, shopId }: AdmittedCallback): void {
    const { head } = exchange;
    const { shops, clock, relay } = this.#dependencies;
    const { bodyBytesMax } = this.#settings;
    const defect = findBodyHeadDefect(head, bodyBytesMax);
    if (defect !== null) {
      exchange.settle(() => exchange.refuse(defect));
      return;
    }
    const answer = (bytes: Buffer): void => {
      const callback = { route, shopId, signature: head.signature, completeAtMs: clock.monotonicMs() };
      const loaded = shops.loaded(shopId);
      if (relay !== undefined && !isAnsweredHere(loaded, this.#throttle.rates)) {
        this.#host.forward(exchange, bytes);
        return;
      }
      if (loaded !== undefined) {
        this.#answer(exchange, callback, loaded, bytes, callback.completeAtMs);
        return;
      }
      const kept = Buffer.from(bytes);
      shops.load(shopId).then(
        (shop) => {
          exchange.endPhase('load');
          exchange.attempt(() => this.#answer(exchange, callback, shop, kept, clock.monotonicMs()));
        },
        (cause: unknown) => {
          const refusal = refusalOfLoad(cause);
          if (refusal === undefined) this.#host.failed(exchange, cause);
          else exchange.refuse(refusal);
        },
      );
    };
    // Who cannot sign is told nothing about the body either: its structure is checked with the signature.
    receiveBody(exchange, bodyBytesMax, { whole: answer, isBounded: false });
  }

  /** `handedMs`: when there was all that it takes; a lap of the event loop may begin with it. */
  #answer(exchange: Exchange, callback: Callback, shop: ShopAccess, bytes: Buffer, handedMs: number): void {
    const { carrierBudgetMs } = this.#settings;
    const throttle = () => this.#throttle.refuseCallback(exchange, shop, handedMs);
    const answer = answerCallback(callback, shop, bytes, this.#dependencies, carrierBudgetMs, throttle);
    if (!(answer instanceof Promise)) {
      this.#send(exchange, shop, answer);
      return;
    }
    const failed = (cause: unknown) => this.#host.failed(exchange, cause);
    exchange.resume(answer, (made) => this.#send(exchange, shop, made), failed);
  }

  #send(exchange: Exchange, shop: ShopAccess, answer: Outcome<string>): void {
    // Who cannot sign learns nothing of the shop, not even its version.
    const headers: Headers = answer === BAD_SIGNATURE ? [] : [[VERSION_HEADER, shop.state.version.id]];
    if (answer.ok) exchange.send({ status: 200, type: 'json', body: Buffer.from(answer.value), headers });
    else exchange.refuse(answer, headers);
  }
}
