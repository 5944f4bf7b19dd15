/** Every documented request of the route table: each path with each example body, for records of one shop. */
import type { ResourceKind } from '../../src/engine/domain/failure.ts';
import type { Permission } from '../../src/engine/domain/permission.ts';
import {
  bodyOf,
  ID_SEGMENT,
  isForOperators,
  type Route,
  SHOP_SEGMENT,
  type Verb,
} from '../../src/front/http/route.ts';

/** Prefix of the ids of a kind of record. */
export type IdKind =
  | 'zone'
  | 'sub'
  | 'group'
  | 'method'
  | 'rule'
  | 'blended'
  | 'check'
  | 'version'
  | 'key'
  | 'audit';

export const KIND_OF_TARGET: Readonly<Record<ResourceKind, IdKind>> = {
  zone: 'zone',
  productGroup: 'group',
  method: 'method',
  rule: 'rule',
  blendedRate: 'blended',
  check: 'check',
  version: 'version',
  key: 'key',
  auditEntry: 'audit',
};

/** One record of each kind, of the first shop of the test server. */
export const SAMPLE_IDS: Readonly<Record<IdKind, string>> = {
  zone: 'zone_us',
  sub: 'sub_ak',
  group: 'group_default',
  method: 'method_std',
  rule: 'rule_hide',
  blended: 'blended_all',
  check: 'check_std',
  key: 'key_shop_a_read',
  version: 'version_shop_a_1',
  audit: 'audit_2',
};

/** The path of a route, with this id, or with the first shop where operators name one. */
export const pathTo = (path: string, id: string): string =>
  path.replace(ID_SEGMENT, id).replace(SHOP_SEGMENT, 'shop_a');

/** The record of that shop for a route; undefined for a route without a record. */
export const sampleIdOf = (route: Route): string =>
  route.kind === 'shop' && route.target !== undefined ? SAMPLE_IDS[KIND_OF_TARGET[route.target]] : '';

/** The first example body of a route, with records of that shop; undefined for a route without a body. */
export function sampleBodyOf(route: Route): string | undefined {
  const [example] = Object.values(bodyOf(route)?.examples ?? {});
  return example === undefined
    ? undefined
    : JSON.stringify(example)
        .replace(
          /"(zone|method|version)_01\w+"/g,
          (_, kind: 'zone' | 'method' | 'version') => `"${SAMPLE_IDS[kind]}"`,
        )
        .replace(/"id":"\w+"/g, `"id":"${sampleIdOf(route) || 'x'}"`);
}

/** Query parameters with an id, besides `id` itself. */
const KIND_OF_PARAMETER: Readonly<Record<string, IdKind>> = {
  zoneId: 'zone',
  productGroupId: 'group',
  methodId: 'method',
  version: 'version',
};

/** The kind of the parameter `cursor`. */
const KIND_OF_CURSOR: Readonly<Record<string, IdKind>> = {
  '/api/zones': 'zone',
  '/api/groups': 'group',
  '/api/methods': 'method',
  '/api/rules': 'rule',
  '/api/blended': 'blended',
  '/api/checks': 'check',
  '/api/versions': 'version',
  '/api/audit': 'audit',
};

/** A route for keys of a shop. */
export type KeyedRoute = Extract<Route, { kind: 'shop' }>;

export const isKeyed = (route: Route): route is KeyedRoute => route.kind === 'shop' && !isForOperators(route);

export interface RouteRequest {
  readonly verb: Verb;
  /** Includes the query. */
  readonly path: string;
  readonly body: unknown;
  /** The permission that this request needs. */
  readonly needed: Permission;
  /** True when it is answered 409 without an active changeset. */
  readonly needsChangeset: boolean;
}

/** True for a route that answers 409 without an active changeset. */
export const isOfChangeset = (route: Route): boolean =>
  route.kind === 'shop' && route.needsChangeset === true;

/** `idOf` returns the id of a record of each kind. */
export function requestsOf(route: KeyedRoute, idOf: (kind: IdKind) => string): readonly RouteRequest[] {
  const examples = Object.values(bodyOf(route)?.examples ?? {}).map((example) => withIds(example, idOf));
  const { target } = route;
  const id = target === undefined ? '' : idOf(KIND_OF_TARGET[target]);
  return route.paths.flatMap((path) =>
    (examples.length === 0 ? [undefined] : examples).flatMap((body) => {
      const {
        action = '',
        id: bodyId,
        force,
      } = (body ?? {}) as { action?: string; id?: string; force?: true };
      const isNamed = target === undefined || path.endsWith(ID_SEGMENT) || bodyId !== undefined;
      const queries = [{ query: isNamed ? '' : `?id=${id}` }, ...(isNamed ? idQueries(route, idOf) : [])];
      const byBody = (force && route.forceNeeds) || route.permissionByAction?.[action];
      return queries.map(({ query, needed }: IdQuery) => ({
        verb: route.verb,
        path: path.replace(ID_SEGMENT, id) + query,
        body,
        needed: byBody ?? needed ?? route.permission,
        needsChangeset: isOfChangeset(route) || ['promote', 'discard', 'replay'].includes(action),
      }));
    }),
  );
}

/** The same request with an invalid body, except the action and the force, which decide the permission. */
export function withNoise(request: RouteRequest): RouteRequest {
  const { action, force } = (request.body ?? {}) as { readonly action?: string; readonly force?: true };
  const kept = { ...(action === undefined ? {} : { action }), ...(force === undefined ? {} : { force }) };
  return { ...request, body: { nonsense: true, ...kept } };
}

interface IdQuery {
  readonly query: string;
  /** The permission that it needs, where the route needs less. */
  readonly needed?: Permission | undefined;
}

/** One query for each parameter with an id. */
function idQueries(route: KeyedRoute, idOf: (kind: IdKind) => string): readonly IdQuery[] {
  const names = Object.keys(route.query).filter((name) => {
    const takesAnyId = route.query[name]?.check.check('no_such_id') ?? false;
    return takesAnyId && name !== 'id' && name !== 'search';
  });
  return names.map((name) => {
    const kind = name === 'cursor' ? KIND_OF_CURSOR[route.paths[0]] : KIND_OF_PARAMETER[name];
    if (kind === undefined) throw new Error(`say which kind of id the parameter ${name} takes`);
    return { query: `?${name}=${idOf(kind)}`, needed: route.query[name]?.needs?.permission };
  });
}

const withIds = (example: unknown, idOf: (kind: IdKind) => string): unknown =>
  JSON.parse(
    JSON.stringify(example).replace(
      /"(zone|sub|group|method|rule|blended|check|version|key)_01JD[0-9A-Z]+"/g,
      (_, kind: IdKind) => JSON.stringify(idOf(kind)),
    ),
  );
