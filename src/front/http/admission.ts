/** What a key may do, and the query: the checks of a request before and after its body is read. */
import type { Clock } from '../../base/runtime/clock.ts';
import type { ApiKey } from '../../engine/domain/api-key.ts';
import { type Failure, failure, invalid, type Outcome, success } from '../../engine/domain/failure.ts';
import { findMissingPermission, type Permission } from '../../engine/domain/permission.ts';
import type { KeyGrant } from '../../shop/reader/shop-access.ts';
import { parseQuery, type QueryValues } from './query-text.ts';
import type { Route, ShopRoute } from './route.ts';

/**
 * The refusal of a key whose end has come, else null. `keyId` is null for an operator. `keys` are those of its shop: nothing else knows ends, so nothing else
 * has to forget one that changes.
 */
export function findKeyEnd(
  keys: readonly ApiKey[],
  keyId: string | null,
  clock: Pick<Clock, 'nowMs'>,
): Failure | null {
  // Most keys have no end.
  const expiresAt = keys.find((key) => key.expiresAt !== undefined && key.id === keyId)?.expiresAt;
  return expiresAt === undefined || clock.nowMs() < Date.parse(expiresAt)
    ? null
    : failure('UNAUTHORIZED', `the API key expired at ${expiresAt}`);
}

/** The refusal of a key without the permission that a parameter of its query needs, else null. */
export function findMissingQueryPermission(
  route: ShopRoute,
  grant: KeyGrant,
  query: QueryValues,
): Failure | null {
  for (const name in query) {
    const needs = route.query[name]?.needs;
    if (needs === undefined || query[name] === needs.butFor) continue;
    const missing = findMissingPermission(grant, needs.permission, `query parameter ${name}`);
    if (missing !== null) return missing;
  }
  return null;
}

/**
 * The refusal if the key lacks the permission for the body's action or its `force`, else null. Runs before other checks of
 * the body. A route without actions needs the permission that was checked before the body.
 */
export function findMissingActionPermission(
  route: ShopRoute,
  grant: KeyGrant,
  body: unknown,
): Failure | null {
  if (route.forceNeeds !== undefined && fieldOf(body, 'force') === true) {
    return findMissingPermission(grant, route.forceNeeds);
  }
  return route.permissionByAction === undefined
    ? null
    : findMissingPermission(grant, permissionOf(route, body));
}

/** True for a request that only reads. On a route of several actions, those with the permission `read` do. */
export const isRead = (route: ShopRoute, body: unknown): boolean =>
  !route.isWrite || permissionOf(route, body) === 'read';

/** The permission that the action of a body needs. */
function permissionOf({ permission, permissionByAction }: ShopRoute, body: unknown): Permission {
  if (permissionByAction === undefined) return permission;
  const action = fieldOf(body, 'action') ?? '';
  const isListed = typeof action === 'string' && Object.hasOwn(permissionByAction, action);
  return isListed ? (permissionByAction[action] ?? permission) : permission;
}

/** A field of an unchecked body. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const NO_QUERY = success<QueryValues>({});

/** The last query per route: a checkout sends the same one with every cart. */
const lastQueries = new WeakMap<Route, { readonly text: string; readonly read: Outcome<QueryValues> }>();

/** Reads a query string. Refuses parameters that the route does not have (400). */
export function readQuery(text: string, route: Route): Outcome<QueryValues> {
  // Most requests have no query; most others repeat the previous query.
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
