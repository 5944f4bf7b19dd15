/**
 * From a request to its answer: the same way for every route, read off its row. The head is judged first
 * (admission), then the body, then the shop decides the rest.
 *
 * A simulation of a shop in memory whose body came in one part is evaluated in the tick in which it arrived, without
 * a promise, and answered by the end of that turn.
 */
import type { ShopAccess } from '../actor/shop-access.ts';
import { lengthOf } from '../domain/answer-text.ts';
import { invalid, type Outcome, success } from '../domain/failure.ts';
import {
  type Admitted,
  type AdmittedPublic,
  admit,
  fieldOf,
  findMissingActionPermission,
} from './admission.ts';
import { AnswerBurst } from './answer-burst.ts';
import { VERSION_HEADER } from './answer-head.ts';
import { CallbackAnswers } from './callback-answers.ts';
import type { HttpDependencies, HttpSettings } from './dependencies.ts';
import { Exchange, type ExchangeHost } from './exchange.ts';
import { thrownFailure } from './failure-answer.ts';
import { HeavyAnswers, UNREAD_BYTES_MIN } from './heavy-answers.ts';
import { bodyText, findBodyHeadDefect, type ParsedBody, parseJsonText } from './json-body.ts';
import { misshapenValue, type ReadBody } from './long-body.ts';
import { OverloadGate } from './overload-gate.ts';
import { MemoryAhead, receiveBody } from './receive-body.ts';
import { ELSEWHERE, isAnsweredHere, isForwarded } from './relay.ts';
import { announcesBody, type RequestHead, readRequestHead } from './request-head.ts';
import { RequestObserver } from './request-observer.ts';
import { RequestThrottle } from './request-throttle.ts';
import type { ResponsePort } from './response-port.ts';
import type { BodyRow, LaterAnswer, Route, ShopRoute, WritePlan } from './route.ts';
import { createRouteMatcher, type RouteMatcher } from './route-table.ts';
import { resolveRecordId } from './routes/record-id.ts';
import { sendPublic, sendValue, sendWritten, versionHeaders } from './send-answer.ts';
import { SharedAnswers } from './shared-answers.ts';
import { SteppedRequests } from './stepped-requests.ts';
import type { HttpRequest } from './uws.ts';
import { isRequestId } from './write-headers.ts';
import { digestRequest, writeRequest } from './write-request.ts';

const NO_BYTES = Buffer.alloc(0);

export class Dispatcher implements ExchangeHost {
  readonly unreadBytesMax: number;
  readonly #dependencies: HttpDependencies;
  readonly #settings: HttpSettings;
  readonly #matchRoute: RouteMatcher;
  readonly #shared = new SharedAnswers();
  readonly #throttle: RequestThrottle;
  readonly #observer: RequestObserver;
  readonly #heavy: HeavyAnswers;
  readonly #callbacks: CallbackAnswers;
  readonly #gate: OverloadGate;
  readonly #stepped: SteppedRequests;
  readonly #burst = new AnswerBurst();
  readonly #ahead = new MemoryAhead();
  #inFlight = 0;
  #isDraining = false;
  #whenIdle: (() => void)[] = [];

  constructor(dependencies: HttpDependencies, settings: HttpSettings, routes: readonly Route[]) {
    this.#dependencies = dependencies;
    this.#settings = settings;
    this.#observer = new RequestObserver(dependencies, settings);
    this.#matchRoute = createRouteMatcher(routes);
    this.#gate = new OverloadGate(settings, dependencies.metrics);
    this.#throttle = new RequestThrottle(dependencies, this.#gate);
    this.#heavy = new HeavyAnswers(dependencies, this.#throttle, this);
    this.#stepped = new SteppedRequests(this.#shared, this.#heavy, this);
    this.#callbacks = new CallbackAnswers(dependencies, settings, this.#throttle, this);
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
    if (match !== undefined) exchange.routeName = match.route.name;
    const { keys, shops, relay } = this.#dependencies;
    const admitted = admit(head, match, keys, (route, grant) => {
      if (relay !== undefined && route.kind !== 'simulate') return ELSEWHERE;
      const overloaded = this.#gate.refuse(grant.shopId, exchange.startMs);
      if (overloaded !== null) return overloaded;
      // The plan of a shop that is not in memory is known once it is.
      const shop = shops.loaded(grant.shopId);
      if (relay !== undefined && !isAnsweredHere(shop, this.#throttle.rates)) return ELSEWHERE;
      return shop === undefined ? null : this.#throttle.refuseKeyed(exchange, route, grant, shop);
    });
    if (relay !== undefined && isForwarded(admitted)) this.forward(exchange, null);
    else if (!admitted.ok) exchange.settle(() => exchange.refuse(admitted));
    else if (admitted.value.kind === 'public') this.#answerPublic(exchange, admitted.value);
    else if (admitted.value.kind === 'callback') this.#callbacks.read(exchange, admitted.value);
    else this.#readBody(exchange, admitted.value);
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

  #readBody(exchange: Exchange, admitted: Admitted): void {
    const { head } = exchange;
    const row = admitted.route.body;
    if (row === undefined || (row.isOptional && !announcesBody(head))) {
      const digest = admitted.guards.idempotencyKey === null ? null : digestRequest(head, NO_BYTES);
      exchange.settle(() => this.#run(exchange, admitted, { value: {}, text: null, digest }));
      return;
    }
    const isMaybeLong = row.limit === 'configBody';
    const bytesMax = this.#settings[isMaybeLong ? 'configBodyBytesMax' : 'bodyBytesMax'];
    const defect = findBodyHeadDefect(head, bytesMax);
    if (defect !== null) exchange.settle(() => exchange.refuse(defect));
    else {
      const whole = (bytes: Buffer) => this.#parseBody(exchange, admitted, row, bytes);
      const run = (body: ReadBody) => this.#run(exchange, admitted, body);
      const long = (parts: Buffer[]) => this.#stepped.readBody(exchange, admitted, row, parts, run);
      receiveBody(exchange, bytesMax, isMaybeLong ? { whole, long, ahead: this.#ahead } : { whole });
    }
  }

  #parseBody(exchange: Exchange, admitted: Admitted, row: BodyRow, bytes: Buffer): void {
    const text = bodyText(bytes);
    if (!text.ok) {
      exchange.refuse(text);
      return;
    }
    const digest = admitted.guards.idempotencyKey === null ? null : digestRequest(exchange.head, bytes);
    const readHere = (parsed: Outcome<ParsedBody>) => this.#readText(exchange, admitted, row, parsed, digest);
    if (bytes.length >= UNREAD_BYTES_MIN && digest === null) {
      const unread = { bytes: bytes.length, text: text.value };
      const readAfterAll = (): void => {
        const parsed = parseJsonText(text.value);
        readHere(parsed.ok ? success({ value: parsed.value.value, text: null }) : parsed);
      };
      if (this.#heavy.answerUnread(exchange, admitted, unread, readAfterAll)) return;
    }
    const value = row.read?.(bytes, text.value) ?? null;
    if (value !== null) this.#run(exchange, admitted, { value, text: text.value, digest });
    else readHere(parseJsonText(text.value));
  }

  #readText(
    exchange: Exchange,
    admitted: Admitted,
    row: BodyRow,
    parsed: Outcome<ParsedBody>,
    digest: string | null,
  ): void {
    if (!parsed.ok) {
      exchange.refuse(parsed);
      return;
    }
    const { value, text } = parsed.value;
    const forbidden = findMissingActionPermission(admitted, value);
    if (forbidden !== null) exchange.refuse(forbidden);
    else if (row.check.check(value)) this.#run(exchange, admitted, { value, text, digest });
    else {
      const read = misshapenValue(row, value, row.check.shapeDefects(value, row.defectsShown));
      if (read.ok) this.#run(exchange, admitted, { ...read.value, text, digest });
      else exchange.refuse(read);
    }
  }

  #run(exchange: Exchange, admitted: Admitted, body: ReadBody): void {
    const { shops } = this.#dependencies;
    const { shopId } = admitted.grant;
    const loaded = shops.loaded(shopId);
    if (loaded !== undefined) {
      this.#answer(exchange, admitted, body, loaded);
      return;
    }
    const failed = (cause: unknown) => this.failed(exchange, cause);
    exchange.resume(shops.load(shopId), (shop) => this.#answer(exchange, admitted, body, shop), failed);
  }

  #answer(exchange: Exchange, admitted: Admitted, body: ReadBody, shop: ShopAccess): void {
    const { route } = admitted;
    const limited = this.#throttle.refuseKeyed(exchange, route, admitted.grant, shop);
    if (limited !== null) {
      exchange.refuse(limited);
      return;
    }
    if (route.kind === 'shop') {
      this.#answerFromShop(exchange, admitted, route, body, shop);
      return;
    }
    // Long bodies come to other routes only.
    const text = typeof body.text === 'string' ? body.text : null;
    const parsed = { value: body.value, text };
    const simulate = (): void => {
      const simulated = route.simulate(shop, parsed, admitted.query, this.#dependencies);
      if (simulated instanceof Promise) {
        this.#heavy.answer(exchange, admitted, simulated);
        return;
      }
      const versionId = shop.state.version.id;
      if (simulated.ok) {
        const text = simulated.value;
        const ofVersion = admitted.query['version'] ?? versionId;
        const send = (): void => exchange.sendAscii(text, ofVersion);
        this.#burst.send(exchange, admitted.grant, lengthOf(text), send);
      } else exchange.refuse(simulated, [[VERSION_HEADER, versionId]]);
    };
    const ready = route.prepare(shop, parsed, admitted.query, this.#dependencies);
    if (ready === null) simulate();
    else exchange.resume(ready, simulate, (cause) => this.failed(exchange, cause));
  }

  #answerFromShop(
    exchange: Exchange,
    admitted: Admitted,
    route: ShopRoute,
    body: ReadBody,
    shop: ShopAccess,
  ): void {
    const { grant, query } = admitted;
    const versionId = shop.state.version.id;
    if (body.refuse !== undefined) {
      this.#stepped.refuse(exchange, shop, body.refuse, versionHeaders(route, versionId));
      return;
    }
    let id = '';
    if (route.target !== undefined) {
      const resolved = resolveRecordId(
        route.target,
        admitted.idSegment,
        query['id'],
        fieldOf(body.value, 'id'),
      );
      if (!resolved.ok) {
        exchange.refuse(resolved, versionHeaders(route, versionId));
        return;
      }
      id = resolved.value;
    }
    const { state } = shop;
    const isShared = route.followsState && id === '' && Object.keys(query).length === 0;
    const shared = isShared ? this.#shared.find(state, route.name) : undefined;
    if (shared !== undefined) {
      sendValue(exchange, route, shared, versionId);
      return;
    }
    const dependencies = this.#dependencies;
    const throttle = this.#throttle.rates;
    const { value, text } = body;
    const handled = route.handle({ shop, grant, id, body: value, text, query, dependencies, throttle });
    if (!handled.ok) exchange.refuse(handled, versionHeaders(route, versionId));
    else if (handled.value.kind === 'write') {
      this.#write(exchange, admitted, route, handled.value, body, shop);
    } else if (handled.value.kind === 'later') {
      this.#answerLater(exchange, route, handled.value, shop);
    } else if (handled.value.kind === 'heavy') {
      this.#heavy.answer(exchange, admitted, handled.value.answer);
    } else if (handled.value.kind === 'steps') {
      const { make } = handled.value;
      const kept = isShared ? { state, name: route.name } : null;
      const send = (bytes: Uint8Array): void => sendValue(exchange, route, bytes, versionId);
      this.#stepped.make(exchange, grant.shopId, make, kept, send);
    } else {
      const bytes = Buffer.from(JSON.stringify(handled.value.value));
      if (isShared) this.#shared.keep(state, route.name, bytes);
      sendValue(exchange, route, bytes, versionId);
    }
  }

  #answerLater(exchange: Exchange, route: ShopRoute, { answer }: LaterAnswer, shop: ShopAccess): void {
    answer.then(
      (outcome) =>
        exchange.attempt(() => {
          const versionId = shop.state.version.id;
          if (outcome.ok) {
            sendValue(exchange, route, Buffer.from(JSON.stringify(outcome.value)), versionId);
          } else exchange.refuse(outcome, versionHeaders(route, versionId));
        }),
      (cause: unknown) => this.failed(exchange, cause),
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
          if (written.ok) sendWritten(exchange, route, written.value);
          else exchange.refuse(written, versionHeaders(route, shop.state.version.id));
        });
      },
      (cause: unknown) => this.failed(exchange, cause),
    );
  }
}
