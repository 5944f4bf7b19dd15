/**
 * All requests of a server: finds the route of each and its key, and begins what becomes of it: a `KeyedRequest`, a callback
 * or the answer of a route that needs no key. Counts those in flight.
 */
import { randomBytes } from 'node:crypto';
import { valueAt } from '../../base/runtime/map-entries.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import { type Failure, invalid } from '../../engine/domain/failure.ts';
import { readQuery } from './admission.ts';
import { AnswerSender, awaitAnswer, sendBytes } from './answer-sender.ts';
import { admitCallback, type CallbackHost } from './callback.ts';
import { versionWithAge } from './config-age.ts';
import type { HttpDependencies, HttpSettings } from './dependencies.ts';
import { Exchange, type ExchangeHost, RequestObserver } from './exchange.ts';
import { BAD_KEY, NO_KEY, NO_ROUTE, STOPPING, thrownFailure } from './failure-answer.ts';
import { KeyedRequest, type RequestHost } from './keyed-request.ts';
import { NO_HEADERS, type ResponsePort } from './output.ts';
import { OverloadGate } from './overload-gate.ts';
import { isRequestId, readRequestHead } from './request-head.ts';
import { ID_SEGMENT, type PublicRoute, type Route, type ShopRoute, type Verb } from './route.ts';
import { RequestThrottle, Throttle } from './throttle.ts';
import type { HttpRequest } from './uws.ts';

export class RequestPipeline implements ExchangeHost {
  readonly unreadBytesMax: number;
  readonly #dependencies: HttpDependencies;
  readonly #matchRoute: RouteMatcher;
  readonly #host: RequestHost;
  readonly #callbackHost: CallbackHost;
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
    const rates = new Throttle(dependencies.plans, () => this.nowMs(), dependencies.planShare);
    const throttle = new RequestThrottle(rates, gate);
    const sender = new AnswerSender(dependencies.pool, dependencies.freshness !== undefined);
    this.#host = { dependencies, settings, throttle, sender };
    this.#callbackHost = { dependencies, settings, throttle };
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

  /** Framing (400), route (404), stopping (503), then the checks of this kind of route. */
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
    return this.#beginKeyed(exchange, route, idSegment);
  }

  /** Unique over all servers. */
  #newRequestId(): string {
    return this.#idPrefix + (++this.#requests).toString(36);
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
