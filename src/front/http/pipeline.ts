/**
 * All requests of a server: finds the route of each and its key, and begins what becomes of it: a `KeyedRequest`, a callback
 * or the answer of a route that needs no key. Counts those in flight.
 */
import { randomBytes } from 'node:crypto';
import { asError } from '../../base/runtime/thrown-error.ts';
import { type Failure, invalid, success } from '../../engine/domain/failure.ts';
import { readQuery } from './admission.ts';
import { AnswerSender, awaitAnswer, sendBytes } from './answer-sender.ts';
import { admitCallback, type CallbackHost } from './callback.ts';
import { versionWithAge } from './config-age.ts';
import type { HttpDependencies, HttpSettings } from './dependencies.ts';
import { Exchange, type ExchangeHost } from './exchange.ts';
import { BAD_KEY, NO_KEY, NO_ROUTE, STARTING, STOPPING, thrownFailure } from './failure-answer.ts';
import { KeyedRequest, type RequestHost } from './keyed-request.ts';
import { beginOperator, OperatorGate } from './operator-request.ts';
import { NO_HEADERS, type ResponsePort } from './output.ts';
import { OverloadGate } from './overload-gate.ts';
import { isRequestId, readRequestHead } from './request-head.ts';
import { RequestObserver } from './request-observer.ts';
import { beginRequestSpan } from './request-span.ts';
import type { PublicRoute, Route, ShopRoute } from './route.ts';
import { createRouteMatcher, type RouteMatch, type RouteMatcher, verbsAt } from './route-matcher.ts';
import { resolveRecordId } from './routes/record-routes.ts';
import { Throttle } from './throttle.ts';
import type { HttpRequest } from './uws.ts';

export class RequestPipeline implements ExchangeHost {
  readonly unreadBytesMax: number;
  readonly #dependencies: HttpDependencies;
  readonly #matchOnPort: RouteMatcher;
  readonly #matchOnSocket: RouteMatcher;
  readonly #operators: OperatorGate;
  readonly #host: RequestHost;
  readonly #callbackHost: CallbackHost;
  readonly #observer: RequestObserver;
  readonly #idPrefix = `${randomBytes(9).toString('base64url')}-`;
  #requests = 0;
  #inFlight = 0;
  #isOpen = false;
  #isDraining = false;
  #lateRequests = 0;
  #whenIdle: (() => void)[] = [];

  constructor(dependencies: HttpDependencies, settings: HttpSettings, routes: readonly Route[]) {
    const gate = new OverloadGate(dependencies.metrics, dependencies.clock);
    this.#dependencies = dependencies;
    this.#matchOnSocket = createRouteMatcher(routes);
    this.#matchOnPort =
      settings.operatorKey === null ? createRouteMatcher(routes, false) : this.#matchOnSocket;
    this.#operators = new OperatorGate(settings.operatorKey);
    const throttle = new Throttle(dependencies.plans, () => this.nowMs(), dependencies.planShare);
    const sender = new AnswerSender(dependencies.pool, dependencies.freshness !== undefined);
    this.#host = { dependencies, settings, gate, throttle, sender };
    this.#callbackHost = { dependencies, settings, gate, throttle };
    this.#observer = new RequestObserver(dependencies, settings);
    this.unreadBytesMax = 2 * Math.max(settings.bodyBytesMax, settings.configBodyBytesMax);
  }

  /** The handler of uWebSockets.js for every request. Never throws: a throw here would end the process. */
  readonly handle = (res: ResponsePort, req: HttpRequest): void => {
    this.#handle(new Exchange(res, this), res, req);
  };

  /** The same for requests on the socket in the data folder. */
  readonly handleOnSocket = (res: ResponsePort, req: HttpRequest): void => {
    const exchange = new Exchange(res, this);
    exchange.isOnSocket = true;
    this.#handle(exchange, res, req);
  };

  #handle(exchange: Exchange, res: ResponsePort, req: HttpRequest): void {
    this.#inFlight++;
    this.#dependencies.metrics.values.requests_in_flight++;
    res.onAborted(() => exchange.end());
    try {
      readRequestHead(req, exchange.head);
      const refused = this.#admit(exchange);
      if (refused !== null) exchange.refuse(refused);
    } catch (cause) {
      this.failed(exchange, cause);
    }
    exchange.leaveHandler();
  }

  /** Framing (400), route (404), starting and stopping (503), then the checks of this kind of route. */
  #admit(exchange: Exchange): Failure | null {
    const { head } = exchange;
    const { tracer } = this.#dependencies;
    exchange.requestId =
      head.requestId !== '' && isRequestId(head.requestId) ? head.requestId : this.#newRequestId();
    const matchRoute = exchange.isOnSocket ? this.#matchOnSocket : this.#matchOnPort;
    const match = matchRoute(head.verb, head.path);
    if (tracer !== undefined) exchange.span = beginRequestSpan(tracer, head, match);
    if (head.ambiguity !== null) return invalid(head.ambiguity);
    if (match === undefined) {
      const verbs = verbsAt(matchRoute, head.path);
      exchange.refuse(NO_ROUTE, null, verbs.length === 0 ? NO_HEADERS : [['Allow', verbs.join(', ')]]);
      return null;
    }
    const { route, idSegment, shopSegment } = match;
    exchange.routeName = route.name;
    if (route.kind === 'public') return this.#answerPublic(exchange, route);
    if (this.#isDraining) {
      this.#lateRequests++;
      return STOPPING;
    }
    if (!this.#isOpen) return STARTING;
    if (route.kind === 'operator' || shopSegment !== null) return this.#beginOperated(exchange, match);
    if (route.kind === 'callback') return admitCallback(this.#callbackHost, exchange, route, idSegment ?? '');
    return this.#beginKeyed(exchange, route, idSegment);
  }

  /** Unique over all servers. */
  #newRequestId(): string {
    return this.#idPrefix + (++this.#requests).toString(36);
  }

  /** The key of operators (401), unless the request came on the socket; the shop in the path (404). */
  #beginOperated(exchange: Exchange, { route, idSegment, shopSegment }: RouteMatch): Failure | null {
    const secret = this.#operators.secretOf(exchange);
    if (!secret.ok) return secret;
    const shopId = shopSegment === null ? success('') : resolveRecordId('shop', shopSegment);
    if (!shopId.ok) return shopId;
    exchange.operatedShopId = shopId.value;
    if (route.kind === 'operator') {
      const call = { exchange, route, shopId: shopId.value, secret: secret.value };
      return beginOperator(call, this.#dependencies.operators, this.#host.settings);
    }
    if (route.kind !== 'shop') return NO_ROUTE;
    const grant = { shopId: shopId.value, keyId: null, permission: 'admin', secret: secret.value } as const;
    return new KeyedRequest(this.#host, exchange, route, idSegment, grant).begin();
  }

  /** Looks the key up (401), which a node may have to ask its database for. */
  #beginKeyed(exchange: Exchange, route: ShopRoute, idSegment: string | null): Failure | null {
    const { keys } = this.#dependencies;
    const { authorization } = exchange.head;
    if (authorization === '') return NO_KEY;
    const grant = keys.find(authorization);
    if (grant !== null) return new KeyedRequest(this.#host, exchange, route, idSegment, grant).begin();
    const asked = keys.ask?.(authorization) ?? null;
    if (asked === null) return BAD_KEY;
    exchange.holdBody();
    exchange.resume('load', asked, (found) => {
      const refused =
        found === null ? BAD_KEY : new KeyedRequest(this.#host, exchange, route, idSegment, found).begin();
      if (refused !== null) exchange.refuse(refused);
    });
    return null;
  }

  /** A route that needs no key checks its query (400) and calls its handler. */
  #answerPublic(exchange: Exchange, route: PublicRoute): Failure | null {
    const query = readQuery(exchange.head.query, route);
    if (!query.ok) return query;
    const answer = route.handle(this.#dependencies, this.#isDraining, exchange.head);
    awaitAnswer(exchange, answer, (made) => {
      if (made.ok) sendBytes(exchange, made.value);
      else exchange.refuse(made);
    });
    return null;
  }

  /** Requests that are not yet answered to the last byte. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** From now on requests about shops are answered. */
  open(): void {
    this.#isOpen = true;
  }

  isDraining(): boolean {
    return this.#isDraining;
  }

  /**
   * From now on requests about shops are refused, and connections end with their next answer. Resolves when no request is
   * in flight.
   */
  drain(): Promise<void> {
    this.#isDraining = true;
    if (this.#inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  /** Requests that were refused since `drain`. */
  get lateRequests(): number {
    return this.#lateRequests;
  }

  /** All connections are closed. */
  close(): void {
    this.#observer.close();
  }

  nowMs(): number {
    return this.#dependencies.clock.monotonicMs();
  }

  versionOfMalformed(exchange: Exchange): string | null {
    return versionWithAge(exchange, this.#dependencies.freshness);
  }

  ended(exchange: Exchange): void {
    this.#inFlight--;
    this.#dependencies.metrics.values.requests_in_flight--;
    this.#observer.ended(exchange);
    if (this.#inFlight > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  failed(exchange: Exchange, cause: unknown): void {
    try {
      const failure = thrownFailure(cause, exchange.operatedShopId);
      // The loss of the database and the deletion of a shop are logged where they are noticed.
      const level = failure.code === 'INTERNAL_ERROR' ? 'error' : 'debug';
      const fields = exchange.logFields(exchange.isOpen ? failure : undefined);
      this.#dependencies.logger[level]('http.failed', { ...fields, cause: asError(cause) });
      if (exchange.shop !== null) this.#dependencies.onDamaged?.(exchange.shop.state.settings.id, cause);
      if (exchange.isOpen) exchange.refuse(failure);
      else exchange.drop();
    } catch {
      exchange.drop();
    }
  }
}
