/**
 * What the head of a request to a route decides, in this order: whose key is it (401), has it sent too much (429), may
 * it do this (403), are headers and query as they should be (400).
 */

import { type Failure, failure, invalid, type Outcome, success } from '../domain/failure.ts';
import { isId } from '../domain/id-pattern.ts';
import { type Permission, permits } from '../domain/permission.ts';
import type { KeyGrant, KeyRing } from '../shop/shop-access.ts';
import { BAD_SIGNATURE, NO_SIGNATURE } from './callback.ts';
import { BAD_KEY, NO_KEY } from './failure-answer.ts';
import { parseQuery, type QueryValues } from './query-text.ts';
import type { RequestHead } from './request-head.ts';
import type { CallbackRoute, PublicRoute, Route, ShopRoute, SimulateRoute } from './route.ts';
import type { RouteMatch } from './route-match.ts';
import { NO_GUARDS, readWriteGuards, type WriteGuards } from './write-headers.ts';

export type KeyedRoute = ShopRoute | SimulateRoute;

/** A request that may go on to its body and its shop. */
export interface Admitted {
  readonly kind: 'keyed';
  readonly route: KeyedRoute;
  /** The encoded id at the end of the path, or null. */
  readonly idSegment: string | null;
  readonly grant: KeyGrant;
  readonly guards: WriteGuards;
  readonly query: QueryValues;
}

/** A route that needs no key needs no more of the head either. */
export interface AdmittedPublic {
  readonly kind: 'public';
  readonly route: PublicRoute;
}

/** A callback; that it is genuine is known only once its body is there. */
export interface AdmittedCallback {
  readonly kind: 'callback';
  readonly route: CallbackRoute;
  readonly shopId: string;
}

/** A request of a good key that another thread answers, which judges the rest of its head. */
export interface AdmittedElsewhere {
  readonly kind: 'elsewhere';
}

export type AnyAdmitted = Admitted | AdmittedCallback | AdmittedPublic | AdmittedElsewhere;

export const ELSEWHERE = success<AdmittedElsewhere>({ kind: 'elsewhere' });

const NO_QUERY = success<QueryValues>({});

/** `throttle` counts the request of a good key and refuses one too many, or says that it is answered elsewhere. */
export function admit(
  head: RequestHead,
  { route, idSegment }: RouteMatch,
  keys: KeyRing,
  throttle: (route: KeyedRoute, grant: KeyGrant) => Failure | typeof ELSEWHERE | null,
): Outcome<AnyAdmitted> {
  if (route.kind === 'public') {
    const query = readQuery(head.query, route);
    return query.ok ? success({ kind: 'public', route }) : query;
  }
  if (route.kind === 'callback') {
    if (head.signature === '') return NO_SIGNATURE;
    const shopId = idSegment ?? '';
    if (!isId(shopId)) return BAD_SIGNATURE;
    const query = readQuery(head.query, route);
    return query.ok ? success({ kind: 'callback', route, shopId }) : query;
  }
  if (head.authorization === '') return NO_KEY;
  const grant = keys.find(head.authorization);
  if (grant === null) return BAD_KEY;
  const judged = throttle(route, grant);
  if (judged !== null) return judged;
  const forbidden = findMissingPermission(grant, route.permission);
  if (forbidden !== null) return forbidden;
  let guards = NO_GUARDS;
  if (route.kind === 'shop' && route.isWrite) {
    const read = readWriteGuards(head);
    if (!read.ok) return read;
    guards = read.value;
  }
  const query = readQuery(head.query, route);
  if (!query.ok) return query;
  return success({ kind: 'keyed', route, idSegment, grant, guards, query: query.value });
}

function findMissingPermission(grant: KeyGrant, needed: Permission): Failure | null {
  return permits(grant.permission, needed)
    ? null
    : failure(
        'FORBIDDEN',
        `this needs an API key with the permission ${needed}; this one has ${grant.permission}`,
      );
}

/** What the body's action lacks in permission, judged before the rest of the body is. */
export function findMissingActionPermission({ route, grant }: Admitted, body: unknown): Failure | null {
  if (route.kind !== 'shop' || route.permissionByAction === undefined) return null;
  const action = fieldOf(body, 'action');
  if (typeof action !== 'string' || !Object.hasOwn(route.permissionByAction, action)) return null;
  return findMissingPermission(grant, route.permissionByAction[action] ?? route.permission);
}

/** A field of a body that may be anything. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

interface LastQuery {
  readonly text: string;
  readonly read: Outcome<QueryValues>;
}

/** Of each route. Measured: to read `fields=rates` takes 1.3 of the 23 us of a simulation without traces. */
const lastQueries = new WeakMap<Route, LastQuery>();

function readQuery(text: string, route: Route): Outcome<QueryValues> {
  // Most requests have no query, and of the others most have the same as the one before.
  if (text === '') return NO_QUERY;
  const last = lastQueries.get(route);
  if (last?.text === text) return last.read;
  const read = parseKnown(text, route);
  lastQueries.set(route, { text, read });
  return read;
}

function parseKnown(text: string, route: Route): Outcome<QueryValues> {
  const parameters: ShopRoute['query'] = route.query;
  const read = parseQuery(text, Object.keys(parameters));
  if (!read.ok) return read;
  for (const [name, value] of Object.entries(read.value)) {
    const parameter = parameters[name];
    if (parameter !== undefined && !parameter.check.check(value)) {
      return invalid(`query parameter ${name} must be ${parameter.check.accepts}`);
    }
  }
  return read;
}

/**
 * Where another thread owns the shops: whether that thread answers the request. It answers all but callbacks and
 * simulations of the live configuration.
 */
export function isForwarded(admitted: AnyAdmitted): boolean {
  if (admitted.kind !== 'keyed') return admitted.kind !== 'callback';
  const { view, version, explain } = admitted.query;
  return (view ?? version ?? explain) !== undefined;
}
