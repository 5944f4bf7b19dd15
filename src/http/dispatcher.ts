/**
 * From a request to its answer: the same way for every route, read off its row. The head is judged first
 * (admission), then the body, then the shop decides the rest.
 *
 * A simulation of a shop in memory whose body came in one part is answered in the tick in which it
 * arrived, without a promise.
 */
import type { KeyGrant, ShopAccess } from '../actor/shop-access.ts';
import { type Failure, invalid } from '../domain/failure.ts';
import {
  type Admitted,
  type AdmittedPublic,
  admit,
  findMissingPermission,
  type KeyedRoute,
} from './admission.ts';
import type { HttpDependencies, HttpSettings } from './dependencies.ts';
import { Exchange, type ExchangeHost, type Headers, NO_HEADERS, VERSION_HEADER } from './exchange.ts';
import { thrownFailure } from './failure-answer.ts';
import { BodyParts, findBodyHeadDefect, type ParsedBody, parseJsonBody, tooLarge } from './json-body.ts';
import { announcesBody, readRequestHead } from './request-head.ts';
import type { BodyRow, LaterAnswer, Route, ShopRoute, WritePlan } from './route.ts';
import { createRouteMatcher, type RouteMatcher } from './route-table.ts';
import { resolveRecordId } from './routes/record-id.ts';
import { SharedAnswers } from './shared-answers.ts';
import { Throttle } from './throttle.ts';
import type { HttpRequest, HttpResponse } from './uws.ts';
import { isRequestId } from './write-headers.ts';
import { digestRequest, writeRequest } from './write-request.ts';

/** A body that was read: its value, and its digest when the client gave an idempotency key. */
interface ReadBody extends ParsedBody {
  readonly digest: string | null;
}

const NO_BYTES = Buffer.alloc(0);

export class Dispatcher implements ExchangeHost {
  readonly unreadBytesMax: number;
  readonly #dependencies: HttpDependencies;
  readonly #settings: HttpSettings;
  readonly #matchRoute: RouteMatcher;
  readonly #shared = new SharedAnswers();
  readonly #throttle: Throttle;
  #inFlight = 0;
  #isDraining = false;
  #whenIdle: (() => void)[] = [];

  constructor(dependencies: HttpDependencies, settings: HttpSettings, routes: readonly Route[]) {
    this.#dependencies = dependencies;
    this.#settings = settings;
    this.#matchRoute = createRouteMatcher(routes);
    this.#throttle = new Throttle(dependencies.plans, () => dependencies.clock.monotonicMs());
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

  ended(): void {
    this.#inFlight--;
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
  readonly handle = (res: HttpResponse, req: HttpRequest): void => {
    const exchange = new Exchange(res, this);
    this.#inFlight++;
    res.onAborted(() => exchange.abort());
    try {
      this.#begin(exchange, req);
    } catch (cause) {
      this.failed(exchange, cause);
    }
    exchange.leaveHandler();
  };

  #begin(exchange: Exchange, req: HttpRequest): void {
    const { head } = exchange;
    readRequestHead(req, head);
    exchange.requestId = isRequestId(head.requestId) ? head.requestId : this.#dependencies.requestIds();
    if (head.ambiguity !== null) {
      const failure = invalid(head.ambiguity);
      exchange.settle(() => exchange.refuse(failure));
      return;
    }
    const { keys, shops } = this.#dependencies;
    const admitted = admit(head, this.#matchRoute, keys, (route, grant) => {
      // The plan of a shop that is not in memory is known once it is.
      const shop = shops.loaded(grant.shopId);
      return shop === undefined ? null : this.#throttleOnce(exchange, route, grant, shop);
    });
    if (!admitted.ok) exchange.settle(() => exchange.refuse(admitted));
    else if (admitted.value.kind === 'public') this.#answerPublic(exchange, admitted.value);
    else this.#readBody(exchange, admitted.value);
  }

  /** Counts the request against its plan; the refusal of one too many, else null. */
  #throttleOnce(
    exchange: Exchange,
    { kind }: KeyedRoute,
    { keyId, shopId }: KeyGrant,
    { state }: ShopAccess,
  ): Failure | null {
    if (exchange.rateHeaders !== null) return null;
    const { plan } = state.settings;
    const verdict =
      kind === 'simulate'
        ? this.#throttle.judge('simulations', shopId, plan)
        : this.#throttle.judge('requests', keyId, plan);
    exchange.rateHeaders = verdict === null ? NO_HEADERS : verdict.headers;
    return verdict === null ? null : verdict.refusal;
  }

  #answerPublic(exchange: Exchange, { route }: AdmittedPublic): void {
    exchange.settle(() => {
      const { status, type, body } = route.answer(this.#dependencies, this.#isDraining);
      exchange.send({ status, type, body: Buffer.from(body), headers: [] });
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
    const { bodyBytesMax, configBodyBytesMax } = this.#settings;
    const bytesMax = row.limit === 'configBody' ? configBodyBytesMax : bodyBytesMax;
    const defect = findBodyHeadDefect(head, bytesMax);
    if (defect !== null) exchange.settle(() => exchange.refuse(defect));
    else this.#receiveBody(exchange, admitted, row, bytesMax);
  }

  #receiveBody(exchange: Exchange, admitted: Admitted, row: BodyRow, bytesMax: number): void {
    const { head } = exchange;
    let parts: BodyParts | null = null;
    let isTooLarge = false;
    exchange.onBody((part, isLast) => {
      if (isLast && parts === null && !head.isChunked) {
        // All of it, and no longer than it was said to be: read where it lies, without a copy.
        this.#parseBody(exchange, admitted, row, Buffer.from(part));
        return;
      }
      if (isTooLarge) return;
      parts ??= new BodyParts(bytesMax, head.contentLength);
      if (!parts.add(part)) {
        isTooLarge = true;
        exchange.settle(() => exchange.refuse(tooLarge(bytesMax)));
      } else if (isLast) {
        const bytes = parts.bytes();
        exchange.settle(() => this.#parseBody(exchange, admitted, row, bytes));
      }
    });
  }

  #parseBody(exchange: Exchange, admitted: Admitted, row: BodyRow, bytes: Buffer): void {
    const parsed = parseJsonBody(bytes);
    if (!parsed.ok) {
      exchange.refuse(parsed);
      return;
    }
    const { value, text } = parsed.value;
    const forbidden = findMissingActionPermission(admitted, value);
    if (forbidden !== null) {
      exchange.refuse(forbidden);
    } else if (!row.check.check(value)) {
      exchange.refuse(row.check.failure(value, row.defectsShown));
    } else {
      const digest = admitted.guards.idempotencyKey === null ? null : digestRequest(exchange.head, bytes);
      this.#run(exchange, admitted, { value, text, digest });
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
    shops.load(shopId).then(
      (shop) => {
        // Who left while the shop was loaded gets nothing written either.
        if (exchange.isOpen) exchange.attempt(() => this.#answer(exchange, admitted, body, shop));
      },
      (cause: unknown) => this.failed(exchange, cause),
    );
  }

  #answer(exchange: Exchange, admitted: Admitted, body: ReadBody, shop: ShopAccess): void {
    const { route } = admitted;
    const limited = this.#throttleOnce(exchange, route, admitted.grant, shop);
    if (limited !== null) {
      exchange.refuse(limited);
      return;
    }
    if (route.kind === 'shop') {
      this.#answerFromShop(exchange, admitted, route, body, shop);
      return;
    }
    const simulated = route.simulate(shop, body, admitted.query, this.#dependencies);
    const versionId = shop.state.version.id;
    if (simulated.ok) exchange.sendAscii(simulated.value, admitted.query['version'] ?? versionId);
    else exchange.refuse(simulated, [[VERSION_HEADER, versionId]]);
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
    const isShared = route.followsState && id === '' && isEmpty(query);
    const shared = isShared ? this.#shared.find(state, route.name) : undefined;
    if (shared !== undefined) {
      this.#sendValue(exchange, route, shared, versionId);
      return;
    }
    const dependencies = this.#dependencies;
    const throttle = this.#throttle;
    const handled = route.handle({ shop, grant, id, body: body.value, query, dependencies, throttle });
    if (!handled.ok) {
      exchange.refuse(handled, versionHeaders(route, versionId));
    } else if (handled.value.kind === 'write') {
      this.#write(exchange, admitted, route, handled.value, body, shop);
    } else if (handled.value.kind === 'later') {
      this.#answerLater(exchange, route, handled.value, shop);
    } else {
      const bytes = Buffer.from(JSON.stringify(handled.value.value));
      if (isShared) this.#shared.keep(state, route.name, bytes);
      this.#sendValue(exchange, route, bytes, versionId);
    }
  }

  #sendValue(exchange: Exchange, route: ShopRoute, body: Buffer, versionId: string): void {
    const { status } = route.success;
    exchange.send({ status, type: 'json', body, headers: versionHeaders(route, versionId) });
  }

  #answerLater(exchange: Exchange, route: ShopRoute, { answer }: LaterAnswer, shop: ShopAccess): void {
    answer.then(
      (outcome) =>
        exchange.attempt(() => {
          const versionId = shop.state.version.id;
          if (outcome.ok) {
            this.#sendValue(exchange, route, Buffer.from(JSON.stringify(outcome.value)), versionId);
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
    shop.write(writeRequest(plan, admitted, shop, body.digest)).then(
      (written) =>
        exchange.attempt(() => {
          if (written.ok) {
            const { status, versionId } = written.value;
            const bytes = Buffer.from(written.value.body);
            exchange.send({ status, type: 'json', body: bytes, headers: versionHeaders(route, versionId) });
          } else {
            exchange.refuse(written, versionHeaders(route, shop.state.version.id));
          }
        }),
      (cause: unknown) => this.failed(exchange, cause),
    );
  }
}

/** What the body's action lacks in permission, judged before the rest of the body is. */
function findMissingActionPermission({ route, grant }: Admitted, body: unknown): Failure | null {
  if (route.kind !== 'shop' || route.permissionByAction === undefined) return null;
  const action = fieldOf(body, 'action');
  if (typeof action !== 'string' || !Object.hasOwn(route.permissionByAction, action)) return null;
  return findMissingPermission(grant, route.permissionByAction[action] ?? route.permission);
}

const isEmpty = (values: object): boolean => Object.keys(values).length === 0;

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** The version an answer is about, and for a read the tag to guard a later write with. */
function versionHeaders(route: ShopRoute, versionId: string): Headers {
  if (!route.isConfiguration) return [];
  const version = [VERSION_HEADER, versionId] as const;
  return route.followsState ? [version, ['ETag', `"${versionId}"`]] : [version];
}
