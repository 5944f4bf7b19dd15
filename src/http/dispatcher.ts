/**
 * From a request to its answer: the same way for every route, read off its row. The head is judged first
 * (admission), then the body, then the shop decides the rest.
 *
 * A simulation of a shop in memory whose body came in one part is evaluated in the tick in which it arrived, without
 * a promise, and answered by the end of that turn.
 */

import { invalid } from '../domain/failure.ts';
import type { ShopAccess } from '../shop/shop-access.ts';
import { type Admitted, type AdmittedPublic, admit, ELSEWHERE, isForwarded } from './admission.ts';
import { AnswerBurst } from './answer-burst.ts';
import { VERSION_HEADER } from './answer-head.ts';
import type { ReadBody } from './body/long-body.ts';
import { RequestBodies } from './body/request-bodies.ts';
import { CallbackAnswers } from './callback-answers.ts';
import type { HttpDependencies, HttpSettings } from './dependencies.ts';
import { Exchange, type ExchangeHost, type Headers, NO_HEADERS } from './exchange.ts';
import { NO_ROUTE, thrownFailure } from './failure-answer.ts';
import { HeavyAnswers } from './heavy-answers.ts';
import { OverloadGate } from './overload-gate.ts';
import { isAnsweredHere } from './relay.ts';
import { type RequestHead, readRequestHead } from './request-head.ts';
import { RequestObserver } from './request-observer.ts';
import { RequestThrottle } from './request-throttle.ts';
import type { ResponsePort } from './response-port.ts';
import type { Route } from './route.ts';
import { createRouteMatcher, type RouteMatcher, verbsAt } from './route-match.ts';
import { sendPublic } from './send-answer.ts';
import { SharedAnswers } from './shared-answers.ts';
import { ShopAnswers } from './shop-answers.ts';
import { SteppedRequests } from './stepped-requests.ts';
import type { HttpRequest } from './uws.ts';
import { withVersionIds } from './version-ids.ts';
import { isRequestId } from './write-headers.ts';

export class Dispatcher implements ExchangeHost {
  readonly unreadBytesMax: number;
  readonly #dependencies: HttpDependencies;
  readonly #matchRoute: RouteMatcher;
  readonly #throttle: RequestThrottle;
  readonly #observer: RequestObserver;
  readonly #heavy: HeavyAnswers;
  readonly #callbacks: CallbackAnswers;
  readonly #gate: OverloadGate;
  readonly #bodies: RequestBodies;
  readonly #shopAnswers: ShopAnswers;
  readonly #burst = new AnswerBurst();
  #inFlight = 0;
  #isDraining = false;
  #whenIdle: (() => void)[] = [];

  constructor(dependencies: HttpDependencies, settings: HttpSettings, routes: readonly Route[]) {
    this.#dependencies = dependencies;
    this.#observer = new RequestObserver(dependencies, settings);
    this.#matchRoute = createRouteMatcher(routes);
    this.#gate = new OverloadGate(settings, dependencies.metrics);
    this.#throttle = new RequestThrottle(dependencies, this.#gate);
    this.#heavy = new HeavyAnswers(dependencies, this.#throttle, this);
    this.#callbacks = new CallbackAnswers(dependencies, settings, this.#throttle, this);
    const shared = new SharedAnswers();
    const stepped = new SteppedRequests(shared, this.#heavy, this);
    this.#bodies = new RequestBodies(settings, this.#heavy, stepped, (exchange, admitted, body) =>
      this.#run(exchange, admitted, body),
    );
    const ways = { shared, heavy: this.#heavy, stepped };
    this.#shopAnswers = new ShopAnswers(dependencies, this.#throttle, ways, this);
    this.unreadBytesMax = 2 * Math.max(settings.bodyBytesMax, settings.configBodyBytesMax);
  }

  /** Requests that are not yet answered to the last byte. */
  get inFlight(): number {
    return this.#inFlight;
  }

  isDraining(): boolean {
    return this.#isDraining;
  }

  /** From now on connections end with their next answer. Resolves when no request is in flight. */
  drain(): Promise<void> {
    this.#isDraining = true;
    if (this.#inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  nowMs(): number {
    return this.#dependencies.clock.monotonicMs();
  }

  ended(exchange: Exchange): void {
    this.#inFlight--;
    // What was forwarded is counted where it is answered.
    if (this.#dependencies.relay?.ended(exchange) !== true) {
      this.#dependencies.metrics.values.requests_in_flight--;
      this.#gate.end(exchange.startMs, this.#observer.ended(exchange));
    }
    if (this.#inFlight > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  failed(exchange: Exchange, cause: unknown): void {
    try {
      const { head, requestId } = exchange;
      this.#dependencies.logger.error('http.failed', {
        requestId,
        verb: head.verb,
        route: this.#matchRoute(head.verb, head.path)?.route.paths[0] ?? null,
        cause: cause instanceof Error ? cause : new Error(String(cause)),
      });
      if (exchange.isOpen) exchange.refuse(thrownFailure(cause));
      else exchange.drop();
    } catch {
      exchange.drop();
    }
  }

  /** The library's handler of every request. Never throws: a throw here would end the process. */
  readonly handle = (res: ResponsePort, req: HttpRequest): void => {
    const exchange = this.#open(res);
    try {
      readRequestHead(req, exchange.head);
      this.#begin(exchange);
    } catch (cause) {
      this.failed(exchange, cause);
    }
    exchange.leaveHandler();
  };

  /** A request that came in at another thread, which has read its head. Never throws. */
  receive(res: ResponsePort, head: RequestHead): void {
    const exchange = this.#open(res);
    Object.assign(exchange.head, head);
    exchange.attempt(() => this.#begin(exchange));
    exchange.leaveHandler();
  }

  #open(res: ResponsePort): Exchange {
    const exchange = new Exchange(res, this);
    this.#gate.arrive(exchange.startMs);
    this.#inFlight++;
    this.#dependencies.metrics.values.requests_in_flight++;
    res.onAborted(() => exchange.abort());
    return exchange;
  }

  #begin(exchange: Exchange): void {
    const { head } = exchange;
    exchange.requestId =
      head.requestId !== '' && isRequestId(head.requestId) ? head.requestId : this.#dependencies.requestIds();
    if (head.ambiguity !== null) {
      const failure = invalid(head.ambiguity);
      exchange.settle(() => exchange.refuse(failure));
      return;
    }
    const match = this.#matchRoute(head.verb, head.path);
    if (match === undefined) {
      exchange.settle(() => exchange.refuse(NO_ROUTE, this.#allowHeaders(head.path)));
      return;
    }
    exchange.routeName = match.route.name;
    const { keys, shops, relay } = this.#dependencies;
    const admitted = admit(head, match, keys, (route, grant) => {
      if (relay !== undefined && route.kind !== 'simulate') return ELSEWHERE;
      // The plan of a shop that is not in memory is known once it is.
      const shop = shops.loaded(grant.shopId);
      // Where its rate is counted, it is also refused in an overload.
      if (relay !== undefined && !isAnsweredHere(shop, this.#throttle.rates)) return ELSEWHERE;
      const overloaded = this.#throttle.refuseOverloaded(exchange, route, grant, shop);
      if (overloaded !== null) return overloaded;
      if (shop === undefined) return null;
      if (route.kind === 'simulate' || route.isConfiguration) exchange.shop = shop;
      return this.#throttle.refuseKeyed(exchange, route, grant, shop);
    });
    if (!admitted.ok) {
      exchange.settle(() => exchange.refuse(admitted));
      return;
    }
    const { value } = admitted;
    if (value.kind === 'elsewhere' || (relay !== undefined && isForwarded(value))) {
      this.forward(exchange, null);
    } else if (value.kind === 'public') this.#answerPublic(exchange, value);
    else if (value.kind === 'callback') this.#callbacks.read(exchange, value);
    else this.#bodies.read(exchange, value);
  }

  /** Which verbs the path answers, if it answers any. */
  #allowHeaders(path: string): Headers {
    const verbs = verbsAt(this.#matchRoute, path);
    return verbs.length === 0 ? NO_HEADERS : [['Allow', verbs.join(', ')]];
  }

  /** Has the request answered in another thread; `body` is all of it, or null when nothing was read yet. */
  forward(exchange: Exchange, body: Uint8Array | null): void {
    this.#dependencies.metrics.values.requests_in_flight--;
    this.#dependencies.relay?.forward(exchange, body);
  }

  #answerPublic(exchange: Exchange, { route }: AdmittedPublic): void {
    exchange.settle(() => {
      const answer = route.answer(this.#dependencies, this.#isDraining);
      if (!(answer instanceof Promise)) {
        sendPublic(exchange, answer);
        return;
      }
      answer.then(
        (later) => exchange.attempt(() => sendPublic(exchange, later)),
        (cause: unknown) => this.failed(exchange, cause),
      );
    });
  }

  #run(exchange: Exchange, admitted: Admitted, body: ReadBody): void {
    const { shops, relay } = this.#dependencies;
    const { shopId } = admitted.grant;
    const loaded = shops.loaded(shopId);
    if (relay !== undefined && !isAnsweredHere(loaded, this.#throttle.rates)) {
      // While the body came in its copy went, or its plan got a limit.
      this.forward(exchange, Buffer.from(textOf(body)));
      return;
    }
    if (loaded !== undefined) {
      this.#answer(exchange, admitted, body, loaded);
      return;
    }
    const failed = (cause: unknown) => this.failed(exchange, cause);
    exchange.resume(shops.load(shopId), (shop) => this.#answer(exchange, admitted, body, shop), failed);
  }

  #answer(exchange: Exchange, asked: Admitted, body: ReadBody, shop: ShopAccess): void {
    const admitted = withVersionIds(asked, shop);
    const { route } = admitted;
    const limited = this.#throttle.refuseKeyed(exchange, route, admitted.grant, shop, body.value);
    if (limited !== null) {
      exchange.refuse(limited);
      return;
    }
    if (route.kind === 'shop') {
      this.#shopAnswers.answer(exchange, admitted, route, body, shop);
      return;
    }
    const parsed = { value: body.value, text: shortText(body) };
    const simulate = (): void => {
      const simulated = route.simulate(shop, parsed, admitted.query, this.#dependencies);
      if (simulated instanceof Promise) {
        this.#heavy.answer(exchange, admitted, simulated, null);
        return;
      }
      const versionId = shop.state.version.id;
      if (simulated.ok) {
        const text = simulated.value;
        const ofVersion = admitted.query['version'] ?? versionId;
        const send = (body: Uint8Array): void => exchange.sendShortly(body, ofVersion);
        this.#burst.send(exchange, admitted.grant, text, send);
      } else {
        exchange.refuse(simulated, [[VERSION_HEADER, versionId]]);
      }
    };
    const ready = route.prepare(shop, parsed, admitted.query, this.#dependencies);
    if (ready === null) simulate();
    else exchange.resume(ready, simulate, (cause) => this.failed(exchange, cause));
  }
}

/** Of the body of a simulation: long ones come to other routes only. */
const shortText = ({ text }: ReadBody): string | null => (typeof text === 'string' ? text : null);

/** The same where no thread is to get the text, which the thread that owns the shops may. */
const textOf = (body: ReadBody): string => shortText(body) ?? JSON.stringify(body.value);
