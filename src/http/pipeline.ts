/**
 * The stages of a request, from top to bottom: admit, body, shop, throttle, handle, send. Each stage calls the next
 * one, or refuses. A stage that need not wait continues in the same tick, without a promise: a simulation of a shop in
 * memory, whose body came in one part, is evaluated in the tick in which it arrived.
 */
import { randomBytes } from 'node:crypto';
import { type Failure, invalid } from '../domain/failure.ts';
import { isId } from '../domain/id.ts';
import { valueAt } from '../runtime/map-entries.ts';
import { asError } from '../runtime/thrown-error.ts';
import type { KeyGrant, ShopAccess } from '../shop/shop-access.ts';
import {
  type Admitted,
  admit,
  fieldOf,
  isRead,
  RequestThrottle,
  rateOf,
  readQuery,
  Throttle,
  withVersionIds,
} from './admission.ts';
import { AnswerSender, awaitAnswer, refuseAtShop, sendBytes } from './answer-sender.ts';
import { type ReadBody, RequestBodies } from './body/request-bodies.ts';
import { admitCallback, type CallbackHost } from './callback.ts';
import { MALFORMED_MIN_VERSION, markRead, NOT_REACHED, versionWithAge } from './config-age.ts';
import type { HttpDependencies, HttpSettings } from './dependencies.ts';
import { Exchange, type ExchangeHost, RequestObserver } from './exchange.ts';
import { BAD_KEY, NO_KEY, NO_ROUTE, STOPPING, thrownFailure } from './failure-answer.ts';
import { NO_HEADERS, type ResponsePort } from './output.ts';
import { OverloadGate } from './overload-gate.ts';
import { isRequestId, readRequestHead } from './request-head.ts';
import { ID_SEGMENT, type PublicRoute, type Route, type ShopRoute, type Verb } from './route.ts';
import { resolveRecordId } from './routes/record-routes.ts';
import type { HttpRequest } from './uws.ts';

export class RequestPipeline implements ExchangeHost {
  readonly unreadBytesMax: number;
  readonly #dependencies: HttpDependencies;
  readonly #matchRoute: RouteMatcher;
  readonly #throttle: RequestThrottle;
  readonly #callbackHost: CallbackHost;
  readonly #bodies: RequestBodies;
  readonly #sender: AnswerSender;
  readonly #observer: RequestObserver;
  readonly #idPrefix = `${randomBytes(9).toString('base64url')}-`;
  #requests = 0;
  #inFlight = 0;
  #isDraining = false;
  #whenIdle: (() => void)[] = [];

  constructor(dependencies: HttpDependencies, settings: HttpSettings, routes: readonly Route[]) {
    const gate = new OverloadGate(dependencies.metrics, dependencies.clock);
    this.#dependencies = dependencies;
    this.#matchRoute = createRouteMatcher(routes);
    this.#sender = new AnswerSender(dependencies.pool, dependencies.freshness !== undefined);
    const rates = new Throttle(dependencies.plans, () => this.nowMs(), dependencies.planShare);
    this.#throttle = new RequestThrottle(rates, gate);
    this.#callbackHost = { dependencies, settings, throttle: this.#throttle };
    this.#bodies = new RequestBodies(settings);
    this.#observer = new RequestObserver(dependencies, settings);
    this.unreadBytesMax = 2 * Math.max(settings.bodyBytesMax, settings.configBodyBytesMax);
  }

  /** The handler of uWebSockets.js for every request. Never throws: a throw here would end the process. */
  readonly handle = (res: ResponsePort, req: HttpRequest): void => {
    const exchange = new Exchange(res, this);
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
  };

  /** Stage 1, admit: framing (400), route (404), stopping (503), then the checks of this kind of route. */
  #admit(exchange: Exchange): Failure | null {
    const { head } = exchange;
    exchange.requestId =
      head.requestId !== '' && isRequestId(head.requestId) ? head.requestId : this.#newRequestId();
    if (head.ambiguity !== null) return invalid(head.ambiguity);
    const match = this.#matchRoute(head.verb, head.path);
    if (match === undefined) {
      const verbs = verbsAt(this.#matchRoute, head.path);
      exchange.refuse(NO_ROUTE, null, verbs.length === 0 ? NO_HEADERS : [['Allow', verbs.join(', ')]]);
      return null;
    }
    const { route, idSegment } = match;
    exchange.routeName = route.name;
    if (route.kind === 'public') return this.#answerPublic(exchange, route);
    if (this.#isDraining) return STOPPING;
    if (route.kind === 'callback') return admitCallback(this.#callbackHost, exchange, route, idSegment ?? '');
    return this.#admitKeyed(exchange, route, idSegment);
  }

  /** Unique over all servers. */
  #newRequestId(): string {
    return this.#idPrefix + (++this.#requests).toString(36);
  }

  /** Key (401), overload and rate (429), permission (403), headers and query (400). */
  #admitKeyed(exchange: Exchange, route: ShopRoute, idSegment: string | null): Failure | null {
    const { keys } = this.#dependencies;
    const { authorization } = exchange.head;
    if (authorization === '') return NO_KEY;
    const grant = keys.find(authorization);
    if (grant !== null) return this.#admitGranted(exchange, route, idSegment, grant);
    const asked = keys.ask?.(authorization) ?? null;
    if (asked === null) return BAD_KEY;
    exchange.holdBody();
    exchange.resume('load', asked, (found) => {
      const refused = found === null ? BAD_KEY : this.#admitGranted(exchange, route, idSegment, found);
      if (refused !== null) exchange.refuse(refused);
    });
    return null;
  }

  #admitGranted(
    exchange: Exchange,
    route: ShopRoute,
    idSegment: string | null,
    grant: KeyGrant,
  ): Failure | null {
    const shop = this.#dependencies.shops.loaded(grant.shopId);
    const rate = rateOf(route, grant);
    const overloaded = this.#throttle.refuseOverload(exchange, rate, grant.shopId, shop, exchange.startMs);
    if (overloaded !== null) return overloaded;
    // The plan of a shop that is not in memory, and the size of a batch, are known only after the body: stage 4.
    if (shop !== undefined && route.simulationsIn === undefined) {
      const limited = this.#throttle.count(exchange, rate, shop);
      if (limited !== null) return limited;
    }
    if (shop !== undefined && route.isConfiguration) exchange.shop = shop;
    const admitted = admit(exchange, route, idSegment, grant);
    return admitted.ok ? this.#receiveBody(admitted.value) : admitted;
  }

  /** Stage 2, body: gives a value. */
  #receiveBody(admitted: Admitted): Failure | null {
    return this.#bodies.receive(admitted, (body) => this.#findShop(admitted, body));
  }

  /**
   * Stage 3, shop: almost always in memory, otherwise recovered from the log. It is looked up again after the body,
   * because the shop may have left memory while the body arrived.
   */
  #findShop(admitted: Admitted, body: ReadBody): void {
    const { shops } = this.#dependencies;
    const { exchange, grant } = admitted;
    const shop = shops.loaded(grant.shopId);
    if (shop !== undefined) this.#enterShop(admitted, body, shop);
    else {
      const ready = shops.load(grant.shopId);
      exchange.resume('load', ready, (loaded) => this.#enterShop(admitted, body, loaded));
    }
  }

  /** Stage 4, throttle: counts the request, unless stage 1 has done so. */
  #enterShop(admitted: Admitted, body: ReadBody, shop: ShopAccess): void {
    const { exchange, route, grant } = admitted;
    if (!exchange.isCounted) {
      const count = route.simulationsIn?.(body.value) ?? 1;
      const limited = this.#throttle.count(exchange, rateOf(route, grant), shop, count);
      if (limited !== null) {
        exchange.refuse(limited);
        return;
      }
    }
    if (!isRead(route, body.value)) this.#writeAt(admitted, body, shop);
    else this.#readAt(admitted, body, shop);
  }

  /** A node that may lack the newest writes fetches them before it decides a write, so that no refusal is an old one. */
  #writeAt(admitted: Admitted, body: ReadBody, shop: ShopAccess): void {
    const { upToDate, shops } = this.#dependencies;
    const { exchange, grant } = admitted;
    const catchingUp = upToDate?.(shop.shopId) ?? null;
    if (catchingUp === null) this.#handle(admitted, body, shop);
    else {
      exchange.resume('load', catchingUp, () =>
        this.#handle(admitted, body, shops.loaded(grant.shopId) ?? shop),
      );
    }
  }

  /** Marks the answer to a read of a node that may lack the newest writes, or refuses it. */
  #readAt(admitted: Admitted, body: ReadBody, shop: ShopAccess): void {
    const { exchange } = admitted;
    const { minVersion } = exchange.head;
    if (minVersion !== null && !(isId(minVersion) && shop.history.reaches(minVersion))) {
      this.#awaitVersion(admitted, body, shop, minVersion);
      return;
    }
    const refused = markRead(exchange, admitted.route, this.#dependencies.freshness?.(shop.shopId));
    if (refused !== null) exchange.refuse(refused);
    else this.#handle(admitted, body, shop);
  }

  /** The client requires a version that this process does not have: fetches it if it can, otherwise refuses the request. */
  #awaitVersion(admitted: Admitted, body: ReadBody, shop: ShopAccess, minVersion: string): void {
    const { exchange, grant } = admitted;
    const { catchUp, shops } = this.#dependencies;
    if (!isId(minVersion)) exchange.refuse(MALFORMED_MIN_VERSION);
    else if (catchUp === undefined) exchange.refuse(NOT_REACHED, shop.state.version.id);
    else {
      exchange.resume('load', catchUp(shop.shopId), () => {
        const here = shops.loaded(grant.shopId) ?? shop;
        if (here.history.reaches(minVersion)) this.#readAt(admitted, body, here);
        else exchange.refuse(NOT_REACHED, here.state.version.id);
      });
    }
  }

  /** Stage 5, handle: the handler of the route makes the answer. */
  #handle(received: Admitted, body: ReadBody, shop: ShopAccess): void {
    const admitted = withVersionIds(received, shop);
    const { exchange, route, grant, query, isTest, idSegment } = admitted;
    const { value, text } = body;
    let id = '';
    if (route.target !== undefined) {
      const found = resolveRecordId(route.target, idSegment, query['id'], fieldOf(value, 'id'));
      if (!found.ok) {
        refuseAtShop(admitted, shop, found);
        return;
      }
      id = route.target === 'version' ? shop.history.idOf(found.value) : found.value;
    }
    const dependencies = this.#dependencies;
    const rateUsage = this.#throttle.rates.usage;
    const request = { shop, grant, id, body: value, text, query, isTest, dependencies, rateUsage };
    const handled = { admitted, shop, id, digest: body.digest };
    awaitAnswer(exchange, route.handle(request), (made) => {
      // Stage 6, send.
      if (made.ok) this.#sender.send(handled, made.value);
      else refuseAtShop(admitted, shop, made);
    });
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
      const { head, requestId } = exchange;
      const failure = thrownFailure(cause);
      // The loss of the database and the deletion of a shop are logged where they are noticed.
      const level = failure.code === 'INTERNAL_ERROR' ? 'error' : 'debug';
      this.#dependencies.logger[level]('http.failed', {
        requestId,
        verb: head.verb,
        route: exchange.routeName,
        cause: asError(cause),
      });
      if (exchange.shop !== null) this.#dependencies.onDamaged?.(exchange.shop.state.settings.id, cause);
      if (exchange.isOpen) exchange.refuse(failure);
      else exchange.drop();
    } catch {
      exchange.drop();
    }
  }
}

interface RouteMatch {
  readonly route: Route;
  /** The segment with the id, still encoded; null when the path has none. */
  readonly idSegment: string | null;
}

/** Finds the route of a verb and a path; that of HEAD is the route of GET. */
type RouteMatcher = (verb: string, path: string) => RouteMatch | undefined;

/** In the order in which the header `Allow` lists them. */
const ANSWERED_VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const satisfies readonly (Verb | 'HEAD')[];

/** The verbs that a path answers; none for an unknown path. */
const verbsAt = (match: RouteMatcher, path: string): readonly string[] =>
  ANSWERED_VERBS.filter((verb) => match(verb, path) !== undefined);

/**
 * A path is literal or ends with the segment of an id, so a lookup reads at most two maps, however many routes there
 * are. Throws when two rows have the same verb and path, which is a bug in the table.
 */
export function createRouteMatcher(routes: readonly Route[]): RouteMatcher {
  const literal = new Map<string, Map<string, RouteMatch>>();
  const withId = new Map<string, Map<string, Route>>();
  const claim = <T>(map: Map<string, Map<string, T>>, verb: string, path: string, value: T): void => {
    const byPath = valueAt(map, verb, () => new Map<string, T>());
    if (byPath.has(path)) throw new Error(`two routes for ${verb} ${path}`);
    byPath.set(path, value);
  };
  for (const route of routes) {
    for (const path of route.paths) {
      if (path.endsWith(`/${ID_SEGMENT}`)) {
        claim(withId, route.verb, path.slice(0, -ID_SEGMENT.length), route);
      } else {
        claim(literal, route.verb, path, { route, idSegment: null });
      }
    }
  }
  return (asked, path) => {
    const verb = asked === 'HEAD' ? 'GET' : asked;
    const match = literal.get(verb)?.get(path);
    if (match !== undefined) return match;
    const split = path.lastIndexOf('/') + 1;
    const route = withId.get(verb)?.get(path.slice(0, split));
    return route === undefined || split === path.length ? undefined : { route, idSegment: path.slice(split) };
  };
}
