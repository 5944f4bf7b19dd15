/**
 * A route is data: one row of a table in `routes/`. Dispatch, permissions, the OpenAPI document and the tests of every
 * route derive from the rows.
 */

import type { Static, TSchema } from '#typebox';
import type { FailureCode, Outcome, ResourceKind } from '../../engine/domain/failure.ts';
import type { Permission } from '../../engine/domain/permission.ts';
import type { ShopState } from '../../engine/domain/shop-event.ts';
import { compileSchema, type SchemaCheck } from '../../engine/wire/schema-check.ts';
import type { Idempotency, KeyGrant, Origin, ShopAccess } from '../../shop/reader/shop-access.ts';
import type { Answer, BytesAnswer, OperatorAnswer, ValueAnswer } from './answer.ts';
import type { HttpDependencies, OperatorAccess } from './dependencies.ts';
import type { TagOf } from './entity-tag.ts';
import type { ContentType } from './output.ts';
import type { QueryValues } from './query-text.ts';
import type { RequestHead } from './request-head.ts';
import type { Tag } from './tags.ts';

export type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The last segment of a path that takes an id. */
export const ID_SEGMENT = ':id';

/** The paths of operators about one shop begin with it; behind `/api` they have all routes of the shop. */
export const OPERATED_SHOPS = '/operator/shops/';
/** The segment for the id of the shop in the path of a route of operators. */
export const SHOP_SEGMENT = ':shopId';

/** The documentation of an answer. */
export interface AnswerDoc {
  readonly status: 200 | 201;
  readonly description: string;
  readonly schema: TSchema;
  readonly example: unknown;
}

export const answerDoc = (
  description: string,
  schema: TSchema,
  example: unknown,
  status: AnswerDoc['status'] = 200,
): AnswerDoc => ({ status, description, schema, example });

interface RouteDoc {
  /** Unique; the operation id of the OpenAPI document. */
  readonly name: string;
  readonly verb: Verb;
  /** The first is the canonical one. The last segment may be `ID_SEGMENT`. */
  readonly paths: readonly [string, ...string[]];
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly success: AnswerDoc;
}

/** What a query parameter needs where the route needs less. */
export interface ParameterNeeds {
  readonly permission: Permission;
  /** A value that needs no more than the route. */
  readonly butFor?: string;
}

/** A query parameter; `schema` is a schema of strings. */
export interface QueryParameter {
  readonly schema: TSchema;
  /** The schema in documents: that of the value which the string represents. */
  readonly published: TSchema;
  readonly check: SchemaCheck<unknown>;
  readonly description: string;
  readonly needs?: ParameterNeeds;
}

export const queryParameter = (schema: TSchema, description: string, published = schema): QueryParameter => ({
  schema,
  published,
  check: compileSchema(schema),
  description,
});

export const withNeeds = (parameter: QueryParameter, needs: ParameterNeeds): QueryParameter => ({
  ...parameter,
  needs,
});

export interface BodyRow {
  readonly schema: TSchema;
  readonly check: SchemaCheck<unknown>;
  /** Which of the two limits on the length of a body applies. */
  readonly limit: 'body' | 'configBody';
  /** The request may have no body. */
  readonly isOptional: boolean;
  /** How many defects the refusal of a body names. */
  readonly defectsShown: number;
  readonly examples: Readonly<Record<string, unknown>>;
  /** The schema that a whole body must pass. It is wider than `schema` where the handler checks parts one by one. */
  readonly checkedSchema: TSchema;
  /** Reads a body faster than `JSON.parse` and the check; null for a body that it leaves to them. */
  readonly read?: (bytes: Buffer, text: string) => unknown;
  /** Makes the value of `X-Unknown-Fields` for any JSON value, "" when it has none; absent where unknown fields are refused. */
  readonly toldUnknown?: (value: unknown) => string;
}

/** A rate of a plan: the requests of a key, or the simulations of a shop. */
export type ThrottleKind = 'requests' | 'simulations';

/** How many requests of an owner passed in the current window of the plan's rate; null when it has no such rate. */
export type RateUsage = (kind: ThrottleKind, owner: string | null, plan: string) => number | null;

/** A request that passed all checks of its route. */
export interface ShopRequest<Body> {
  /** The unparsed body; "" without one. */
  readonly text: string;
  readonly origin: Origin;
  readonly shop: ShopAccess;
  readonly grant: KeyGrant;
  /** "" on a route that addresses no record. */
  readonly id: string;
  readonly body: Body;
  readonly query: QueryValues;
  /** A simulation that is counted nowhere (contract section 12.8). */
  readonly isTest: boolean;
  readonly dependencies: HttpDependencies;
  readonly rateUsage: RateUsage;
}

/** A route that reads or writes the shop of the key, or the one that an operator names in the path. */
export interface ShopRoute extends RouteDoc {
  readonly kind: 'shop';
  /** No key of the shop opens it: its paths are `${OPERATED_SHOPS}${SHOP_SEGMENT}...`. */
  readonly isForOperators?: true;
  /** The rate of the plan that a request counts against. */
  readonly counts: ThrottleKind;
  /** How many simulations a request counts as; one when absent. */
  readonly simulationsIn?: (body: unknown) => number;
  /** Takes `X-Simulation-Source`. */
  readonly takesSource?: true;
  readonly permission: Permission;
  /** The answer of an action that writes nothing, where it differs from `success`. */
  readonly readAnswer?: AnswerDoc;
  /** The permissions of actions, "" for a body without one. An action with the permission `read` writes nothing. */
  readonly permissionByAction?: Readonly<Record<string, Permission>>;
  /** The permission that a body with `force: true` needs. */
  readonly forceNeeds?: Permission;
  /** Answers 409 without an active changeset. */
  readonly needsChangeset?: true;
  /** The kind of record that the request addresses by an id in path, query or body. */
  readonly target?: ResourceKind;
  readonly body?: BodyRow;
  readonly query: Readonly<Record<string, QueryParameter>>;
  /** Reads or changes configuration: the answer names the version. */
  readonly isConfiguration: boolean;
  /**
   * Makes the entity tag of an answer that changes only with the state of the shop and the query: it may be 304 for
   * `If-None-Match`, and requests without a query share its bytes while they are being sent. Null for any other route.
   */
  readonly tagOf: TagOf | null;
  /** The answer changes without a write too: its tag is for `If-Match` only. */
  readonly changesUnwritten?: true;
  /** The body refers to a record, so the route may answer 404. */
  readonly mayNotFind?: boolean;
  /** Takes `If-Match`, `Idempotency-Key` and `X-Batch-Id`. */
  readonly isWrite: boolean;
  readonly handle: (request: ShopRequest<unknown>) => Outcome<Answer>;
}

/** A route that a shop system calls, with a signature instead of a key. The path holds the id of the shop. */
export interface CallbackRoute extends RouteDoc {
  readonly kind: 'callback';
  readonly body: BodyRow;
  readonly query: Readonly<Record<string, never>>;
  /** The sealed secret with which callbacks to this shop are signed, if there is one. */
  readonly sealedSecretOf: (state: ShopState) => string | undefined;
  readonly handle: (shop: ShopAccess, body: unknown, dependencies: HttpDependencies) => Outcome<ValueAnswer>;
}

/** A route that needs no key. */
export interface PublicRoute extends RouteDoc {
  readonly kind: 'public';
  readonly type: ContentType;
  readonly query: Readonly<Record<string, never>>;
  /** The answer has an entity tag and may be 304. */
  readonly isTagged?: true;
  /** A page or a part of one: no operation of the OpenAPI document. */
  readonly isFile?: true;
  /** Further statuses with their descriptions. */
  readonly otherStatuses?: Readonly<Record<number, string>>;
  readonly handle: (
    dependencies: HttpDependencies,
    isDraining: boolean,
    head: RequestHead,
  ) => Outcome<Answer<BytesAnswer>>;
}

type PublicFields = Omit<PublicRoute, 'kind' | 'verb' | 'paths' | 'tag' | 'query'> & {
  readonly path: string;
};

export const publicRoute = ({ path, ...fields }: PublicFields): PublicRoute => ({
  kind: 'public',
  verb: 'GET',
  paths: [path],
  tag: 'Operations',
  query: {},
  ...fields,
});

/** A request that passed all checks of a route of operators. */
interface OperatorRequest<Body> {
  /** The shop in the path; "" on a route about all of them. */
  readonly shopId: string;
  readonly body: Body;
  readonly query: QueryValues;
  readonly idempotency: Idempotency | null;
  readonly operators: OperatorAccess;
}

/** A route about the service as a whole or about the existence of a shop, for operators. */
export interface OperatorRoute extends RouteDoc {
  readonly kind: 'operator';
  readonly type: ContentType;
  readonly body?: BodyRow;
  readonly query: Readonly<Record<string, QueryParameter>>;
  /** Takes `Idempotency-Key`. */
  readonly isWrite: boolean;
  /** The answer may take minutes. */
  readonly isLong?: true;
  /** Refusals, besides those of every route of operators. */
  readonly failures: readonly FailureCode[];
  readonly handle: (request: OperatorRequest<unknown>) => Promise<Outcome<OperatorAnswer>>;
}

type OperatorFields<S extends TSchema> = Omit<
  OperatorRoute,
  'kind' | 'tag' | 'type' | 'body' | 'query' | 'isWrite' | 'handle'
> &
  Partial<Pick<OperatorRoute, 'type' | 'query'>> & {
    /** By default true except for GET. */
    readonly isWrite?: boolean;
    readonly body?: BodyDoc<S>;
    readonly handle: (request: OperatorRequest<Static<S>>) => Promise<Outcome<OperatorAnswer>>;
  };

export const operatorRoute = <S extends TSchema>({
  body,
  handle,
  ...fields
}: OperatorFields<S>): OperatorRoute => ({
  kind: 'operator',
  tag: 'Operators',
  type: 'json',
  query: {},
  isWrite: fields.verb !== 'GET',
  ...fields,
  ...(body === undefined ? {} : { body: bodyRow(body) }),
  // Sound: the body passed the check of the same schema before the handler sees it.
  handle: handle as OperatorRoute['handle'],
});

/** True for a route that only operators may call. */
export const isForOperators = (route: Route): boolean =>
  route.kind === 'operator' || (route.kind === 'shop' && route.isForOperators === true);

export type Route = ShopRoute | CallbackRoute | PublicRoute | OperatorRoute;

/** The body row of a route, or undefined. */
export const bodyOf = (route: Route): BodyRow | undefined =>
  route.kind === 'public' ? undefined : route.body;

/** The fields of a body row that have no default. */
type BodyDoc<S extends TSchema> = Partial<Omit<BodyRow, 'schema' | 'check' | 'examples'>> &
  Pick<BodyRow, 'examples'> & { readonly schema: S };

export function bodyRow<S extends TSchema>(body: BodyDoc<S>): BodyRow {
  const { checkedSchema = body.schema } = body;
  const check = compileSchema(checkedSchema);
  return { checkedSchema, check, limit: 'body', isOptional: false, defectsShown: 1, ...body };
}

/** A route without the fields that follow from others or have a default. */
export type ShopRouteFields<S extends TSchema> = Omit<ShopRoute, 'kind' | 'isWrite' | 'handle' | Derived> &
  Partial<Pick<ShopRoute, Exclude<Derived, 'body'>>> & {
    readonly body?: BodyDoc<S>;
    readonly handle: (request: ShopRequest<Static<S>>) => Outcome<Answer>;
  };
type Derived = 'counts' | 'body' | 'query' | 'isConfiguration' | 'tagOf';

function shopRoute<S extends TSchema>(fields: ShopRouteFields<S>, isWrite: boolean): ShopRoute {
  const { body, isConfiguration = true, handle, ...doc } = fields;
  return {
    kind: 'shop',
    counts: 'requests',
    query: {},
    tagOf: null,
    ...doc,
    isConfiguration,
    isWrite,
    ...(body === undefined ? {} : { body: bodyRow(body) }),
    // Sound: the body passed the check of the same schema before the handler sees it.
    handle: handle as ShopRoute['handle'],
  };
}

/** A route that writes nothing. It may have a body. */
export const readRoute = <S extends TSchema>(fields: ShopRouteFields<S>): ShopRoute =>
  shopRoute(fields, false);

export const writeRoute = <S extends TSchema>(
  fields: ShopRouteFields<S> & { readonly body: BodyDoc<S> },
): ShopRoute => shopRoute(fields, true);
