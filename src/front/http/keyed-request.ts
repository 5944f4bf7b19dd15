/**
 * A request with an API key, from its key to its answer: the stages admit, body, shop, throttle, age, handle, from top to
 * bottom. Each refuses the request, or continues, or waits and then continues. What need not wait continues in the same tick,
 * without a promise: a simulation of a shop in memory, whose body came in one part, is evaluated in the tick in which it
 * arrived.
 */
import type { Failure } from '../../engine/domain/failure.ts';
import { findMissingPermission, permits } from '../../engine/domain/permission.ts';
import { VersionReference } from '../../engine/domain/version-reference.ts';
import type { KeyGrant, ShopAccess } from '../../shop/reader/shop-access.ts';
import {
  fieldOf,
  findKeyEnd,
  findMissingActionPermission,
  findMissingQueryPermission,
  isRead,
  readQuery,
} from './admission.ts';
import { type AnswerSender, awaitAnswer, type HandledRequest, refuseAtShop } from './answer-sender.ts';
import { digestRequest, findBodyHeadDefect } from './body/json-body.ts';
import { type ReadBody, readBody, receiveBody } from './body/request-bodies.ts';
import { markRead } from './config-age.ts';
import type { HttpDependencies, HttpSettings } from './dependencies.ts';
import type { Exchange } from './exchange.ts';
import type { OverloadGate } from './overload-gate.ts';
import type { QueryValues } from './query-text.ts';
import { announcesBody, NO_GUARDS, readIsTest, readWriteGuards, type WriteGuards } from './request-head.ts';
import type { BodyRow, ShopRoute } from './route.ts';
import { resolveRecordId } from './routes/record-routes.ts';
import { rateOf, type Throttle } from './throttle.ts';

/** What the requests of a server share. */
export interface RequestHost {
  readonly dependencies: HttpDependencies;
  readonly settings: Pick<HttpSettings, 'bodyBytesMax' | 'configBodyBytesMax'>;
  readonly gate: OverloadGate;
  readonly throttle: Throttle;
  readonly sender: AnswerSender;
}

const NO_BYTES = Buffer.alloc(0);

export class KeyedRequest implements HandledRequest {
  readonly exchange: Exchange;
  readonly route: ShopRoute;
  readonly grant: KeyGrant;
  guards: WriteGuards = NO_GUARDS;
  query: QueryValues = {};
  /** A simulation that is counted nowhere. */
  isTest = false;
  /** The digest of the request; null without an idempotency key. */
  digest: string | null = null;
  /** The record that the request addresses; "" on a route that addresses none. */
  id = '';
  readonly #host: RequestHost;
  /** The encoded id at the end of the path, or null. */
  readonly #idSegment: string | null;
  #body: ReadBody = { value: {}, text: '' };

  constructor(
    host: RequestHost,
    exchange: Exchange,
    route: ShopRoute,
    idSegment: string | null,
    grant: KeyGrant,
  ) {
    this.#host = host;
    this.exchange = exchange;
    this.route = route;
    this.#idSegment = idSegment;
    this.grant = grant;
    exchange.caller = grant;
  }

  /** Admits the request and expects its body; the refusal of its head, or null. */
  begin(): Failure | null {
    return this.#admit() ?? this.#receive();
  }

  /**
   * End of the key (401), overload and rate (429), permission (403), headers and query (400), permission of its parameters
   * (403).
   */
  #admit(): Failure | null {
    const { exchange, route, grant } = this;
    const { dependencies, gate, throttle } = this.#host;
    const shop = dependencies.shops.loaded(grant.shopId);
    const ended = shop === undefined ? null : this.#findKeyEnd(shop);
    if (ended !== null) return ended;
    const overloaded = gate.refuse(grant.shopId, exchange.startMs);
    if (overloaded !== null) return overloaded;
    // The plan of a shop that is not in memory, and the size of a batch, are known only after the body.
    if (shop !== undefined && route.simulationsIn === undefined) {
      const limited = throttle.count(exchange, rateOf(route, grant), shop);
      if (limited !== null) return limited;
    }
    if (shop !== undefined && route.isConfiguration) exchange.shop = shop;
    const forbidden = findMissingPermission(grant, route.permission);
    if (forbidden !== null) return forbidden;
    const { head } = exchange;
    if (route.isWrite) {
      const guards = readWriteGuards(head);
      if (!guards.ok) return guards;
      this.guards = guards.value;
    }
    if (route.takesSource === true) {
      const isTest = readIsTest(head);
      if (!isTest.ok) return isTest;
      this.isTest = isTest.value;
    }
    const query = readQuery(head.query, route);
    if (!query.ok) return query;
    this.query = query.value;
    return findMissingQueryPermission(route, grant, query.value);
  }

  #findKeyEnd({ state }: ShopAccess): Failure | null {
    return findKeyEnd(state.keys, this.grant.keyId, this.#host.dependencies.clock);
  }

  #receive(): Failure | null {
    const { exchange, route, grant } = this;
    const { head } = exchange;
    const row = route.body;
    if (row === undefined || (row.isOptional && !announcesBody(head))) {
      this.digest = this.#digestOf(NO_BYTES);
      exchange.settle(() => this.#atShop());
      return null;
    }
    const { bodyBytesMax, configBodyBytesMax } = this.#host.settings;
    const isLong = row.limit === 'configBody' && permits(grant.permission, 'write');
    const bytesMax = isLong ? Math.max(bodyBytesMax, configBodyBytesMax) : bodyBytesMax;
    const defect = findBodyHeadDefect(head, bytesMax);
    if (defect !== null) return defect;
    const whole = (bytes: Buffer, isInBounds: boolean): void => {
      const read = this.#readBody(row, bytes, isInBounds);
      if (read === null) this.#atShop();
      else exchange.refuse(read);
    };
    receiveBody(exchange, bytesMax, { whole, isBounded: true });
    return null;
  }

  #readBody(row: BodyRow, bytes: Buffer, isInBounds: boolean): Failure | null {
    const { exchange, route, grant } = this;
    const forbidden = (value: unknown): Failure | null => {
      exchange.unknownFields = row.toldUnknown?.(value) ?? '';
      return findMissingActionPermission(route, grant, value);
    };
    const read = readBody(row, forbidden, bytes, isInBounds);
    if (!read.ok) return read;
    this.digest = this.#digestOf(bytes);
    this.#body = read.value;
    return null;
  }

  #digestOf(bytes: Buffer): string | null {
    return this.guards.idempotencyKey === null ? null : digestRequest(this.exchange.head, bytes);
  }

  /**
   * The shop is almost always in memory, otherwise it is recovered from the log. It is looked up again after the body,
   * because it may have left memory while the body arrived. The end of a key is known with its shop. Counts the request,
   * unless it was counted when it was admitted.
   */
  #atShop(found?: ShopAccess): void {
    const { exchange, route, grant } = this;
    const { dependencies, throttle } = this.#host;
    const shop = found ?? dependencies.shops.loaded(grant.shopId);
    if (shop === undefined) {
      exchange.resume('load', dependencies.shops.load(grant.shopId), (loaded) => this.#atShop(loaded));
      return;
    }
    const ended = this.#findKeyEnd(shop);
    if (ended !== null) {
      exchange.refuse(ended);
      return;
    }
    if (!exchange.isCounted) {
      const count = route.simulationsIn?.(this.#body.value) ?? 1;
      const limited = throttle.count(exchange, rateOf(route, grant), shop, count);
      if (limited !== null) {
        exchange.refuse(limited);
        return;
      }
    }
    if (!isRead(route, this.#body.value)) {
      this.#writeAt(shop);
      return;
    }
    const tooOld = markRead(exchange, route, dependencies.freshness?.(shop.shopId));
    if (tooOld === null) this.#handle(shop);
    else exchange.refuse(tooOld);
  }

  /** A node that may lack the newest writes fetches them before it decides a write, so that no refusal is an old one. */
  #writeAt(shop: ShopAccess): void {
    const catchingUp = this.#host.dependencies.upToDate?.(shop.shopId) ?? null;
    if (catchingUp === null) this.#handle(shop);
    else this.exchange.resume('load', catchingUp, () => this.#handle(this.#newest(shop)));
  }

  /** The shop after a wait, in which it may have left memory and come back. */
  #newest(shop: ShopAccess): ShopAccess {
    return this.#host.dependencies.shops.loaded(this.grant.shopId) ?? shop;
  }

  /** The handler of the route makes the answer, and the sender its bytes. */
  #handle(shop: ShopAccess): void {
    const { exchange, route, grant, isTest } = this;
    const { dependencies, throttle, sender } = this.#host;
    const { value, text } = this.#body;
    this.#nameVersions(shop);
    if (route.target !== undefined) {
      const found = resolveRecordId(route.target, this.#idSegment, this.query['id'], fieldOf(value, 'id'));
      if (!found.ok) {
        refuseAtShop(this, shop, found);
        return;
      }
      this.id = route.target === 'version' ? shop.history.idOf(found.value) : found.value;
    }
    const { id, query } = this;
    const rateUsage = throttle.usage;
    const origin = exchange;
    const request = { origin, shop, grant, id, body: value, text, query, isTest, dependencies, rateUsage };
    awaitAnswer(exchange, route.handle(request), (made) => {
      if (made.ok) sender.send(this, shop, made.value);
      else refuseAtShop(this, shop, made);
    });
  }

  /** Replaces version numbers and `live` in the query by version ids. The name of an unknown version stays as it is. */
  #nameVersions({ history }: ShopAccess): void {
    for (const name in this.query) {
      const value = this.query[name];
      if (value === undefined || this.route.query[name]?.schema !== VersionReference) continue;
      this.query = { ...this.query, [name]: history.idOf(value) };
    }
  }
}
