/**
 * A route as data: one row says everything about it. Dispatch, permissions, the OpenAPI document and the
 * tests of every route derive from the rows; a new route is one more row in a file below `routes/`.
 */

import type { Static, TSchema } from '#typebox';
import type { SharedBytes } from '../bytes/shared-bytes.ts';
import { type Failure, type Outcome, type ResourceKind, success } from '../domain/failure.ts';
import type { Permission } from '../domain/permission.ts';
import type { ShopState } from '../domain/shop-event.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import type { KeyGrant, ShopAccess } from '../shop/shop-access.ts';
import type { Work } from '../shop/work-estimate.ts';
import { compileSchema, type SchemaCheck, type ShapeDefect } from '../wire/schema-check.ts';
import type { HeavyAnswer } from '../worker/heavy-work.ts';
import { answerQuestion, type ReadQuestion } from '../worker/pool-task.ts';
import type { Answer, BytesAnswer, ValueAnswer } from './answer.ts';
import type { HttpDependencies } from './dependencies.ts';
import { type TagOf, versionTag } from './entity-tag.ts';
import type { ContentType } from './output.ts';
import type { QueryValues } from './query-text.ts';

export type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The last segment of a path that takes an id. */
export const ID_SEGMENT = ':id';

/** What a route answers, as documents show it. */
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
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly success: AnswerDoc;
}

/** A query parameter: a schema of strings and what it is for. */
export interface QueryParameter {
  readonly schema: TSchema;
  /** The schema that documents show: of the value that the text stands for. */
  readonly published: TSchema;
  readonly check: SchemaCheck<unknown>;
  readonly description: string;
}

export const queryParameter = (schema: TSchema, description: string, published = schema): QueryParameter => ({
  schema,
  published,
  check: compileSchema(schema),
  description,
});

/** Refuses a body in which the first `defectsShown` defects of its shape are these. */
export type RefuseBody = (
  shop: ShopAccess,
  value: unknown,
  defects: readonly ShapeDefect[],
  shouldYield: ShouldYield,
) => WorkSteps<Failure>;

export interface BodyRow {
  readonly schema: TSchema;
  readonly check: SchemaCheck<unknown>;
  /** Which of the two body limits holds. */
  readonly limit: 'body' | 'configBody';
  /** The request may come without a body. */
  readonly isOptional: boolean;
  /** Defects named in the message that refuses a body. */
  readonly defectsShown: number;
  readonly examples: Readonly<Record<string, unknown>>;
  /** What refuses the whole body, where that is less than the schema says: parts of it are judged one by one. */
  readonly checkedSchema: TSchema;
  /** A quicker way to the same value, which then passes the check; null for a body that it leaves to the usual one. */
  readonly read?: (bytes: Buffer, text: string) => unknown;
  /** Where the shop is asked what else is wrong with a body that does not have its shape. */
  readonly refuse?: RefuseBody;
}

/**
 * May have a worker thread read and answer a body whose reading alone is heavy: null to read it here. The answer is null
 * when the worker found no such request in it.
 */
export type AnswerUnread = (
  shop: ShopAccess,
  text: string,
  query: QueryValues,
  dependencies: HttpDependencies,
) => Promise<HeavyAnswer | null> | null;

/** Which rate of a plan is meant: the requests of a key, or the simulations of a shop. */
export type ThrottleKind = 'requests' | 'simulations';

/** How many an owner had let through in the current window of the plan's rate; null when nothing is counted. */
export type RateUsage = (kind: ThrottleKind, owner: string, plan: string) => number | null;

/** A request that passed every check its row asks for. */
export interface ShopRequest<Body> {
  /** The unparsed body: a text, or the bytes of a long body; "" without a body. */
  readonly text: string | SharedBytes;
  /** A worker thread has already declined the body. */
  readonly isThreadTried: boolean;
  readonly shop: ShopAccess;
  readonly grant: KeyGrant;
  /** "" on a route that addresses no record. */
  readonly id: string;
  readonly body: Body;
  readonly query: QueryValues;
  readonly dependencies: HttpDependencies;
  readonly rateUsage: RateUsage;
}

/** A route that answers from, or writes to, the shop of the key. */
export interface ShopRoute extends RouteDoc {
  readonly kind: 'shop';
  /** Which rate of the plan a request counts against: that of its key, or the simulations of its shop. */
  readonly counts: ThrottleKind;
  /** How many simulations a request counts as; one when absent. */
  readonly simulationsIn?: (body: unknown) => number;
  readonly permission: Permission;
  /** The answer of an action that writes nothing, where it differs from `success`. */
  readonly readAnswer?: AnswerDoc;
  /** Where the body's `action` needs more than `permission`: action, or "" for none -> permission. */
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
  /** Of a read whose answer carries a tag, else null. */
  readonly tagOf: TagOf | null;
  /** Whether the tag stands for the whole answer, so that `If-None-Match` spares it. */
  readonly isSpared: boolean;
  /** The answer is the same as long as the shop's state is: requests that come together may share it. */
  readonly isShared: boolean;
  /** The body refers to a record, so the route may answer 404. */
  readonly mayNotFind?: boolean;
  /** May write: takes `If-Match`, `Idempotency-Key` and `X-Batch-Id`. */
  readonly isWrite: boolean;
  readonly answerUnread?: AnswerUnread;
  readonly handle: (request: ShopRequest<unknown>) => Outcome<Answer>;
}

/** A route that a shop system calls: no key, but a signature with a secret of the shop that the path names. */
export interface CallbackRoute extends RouteDoc {
  readonly kind: 'callback';
  readonly body: BodyRow;
  readonly query: Readonly<Record<string, never>>;
  /** The sealed secret that callbacks to this shop are signed with, if it has one. */
  readonly sealedSecretOf: (state: ShopState) => string | undefined;
  /** Answers a value, at once or after the configuration is compiled. */
  readonly handle: (
    shop: ShopAccess,
    body: unknown,
    dependencies: HttpDependencies,
  ) => Outcome<Answer<ValueAnswer>>;
}

/** A route that needs no key. */
export interface PublicRoute extends RouteDoc {
  readonly kind: 'public';
  readonly type: ContentType;
  readonly query: Readonly<Record<string, never>>;
  /** Statuses beside the success, with what they mean. */
  readonly otherStatuses?: Readonly<Record<number, string>>;
  /** Answers bytes, at once or later. */
  readonly handle: (
    dependencies: HttpDependencies,
    isDraining: boolean,
    acceptEncoding: string,
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

export type Route = ShopRoute | CallbackRoute | PublicRoute;

/** The body row of a route, or undefined. */
export const bodyOf = (route: Route): BodyRow | undefined =>
  route.kind === 'public' ? undefined : route.body;

/** A body row without what follows from its schema; a field that is left out has the usual value. */
type BodyDoc<S extends TSchema> = Partial<Omit<BodyRow, 'schema' | 'check' | 'examples'>> &
  Pick<BodyRow, 'examples'> & { readonly schema: S };

export function bodyRow<S extends TSchema>(body: BodyDoc<S>): BodyRow {
  const { checkedSchema = body.schema } = body;
  const check = compileSchema(checkedSchema);
  return { checkedSchema, check, limit: 'body', isOptional: false, defectsShown: 1, ...body };
}

/** A route without what follows from its other fields; keys and shop settings are no configuration. */
export type ShopRouteFields<S extends TSchema> = Omit<ShopRoute, 'kind' | 'isWrite' | 'handle' | Derived> &
  Partial<Pick<ShopRoute, Exclude<Derived, 'body'>>> & {
    readonly body?: BodyDoc<S>;
    readonly handle: (request: ShopRequest<Static<S>>) => Outcome<Answer>;
  };
type Derived = 'counts' | 'body' | 'query' | 'isConfiguration' | 'tagOf' | 'isSpared' | 'isShared';

function shopRoute<S extends TSchema>(fields: ShopRouteFields<S>, isWrite: boolean): ShopRoute {
  const { body, isConfiguration = true, handle, ...doc } = fields;
  const { tagOf = isConfiguration && doc.verb === 'GET' ? versionTag : null } = fields;
  return {
    kind: 'shop',
    counts: 'requests',
    query: {},
    isSpared: false,
    isShared: tagOf !== null,
    ...doc,
    isConfiguration,
    tagOf,
    isWrite,
    ...(body === undefined ? {} : { body: bodyRow(body) }),
    // Sound: the body passed the check of the same schema before the handler sees it.
    handle: handle as ShopRoute['handle'],
  };
}

/** A route that writes nothing, with or without a body. */
export const readRoute = <S extends TSchema>(fields: ShopRouteFields<S>): ShopRoute =>
  shopRoute(fields, false);

export const writeRoute = <S extends TSchema>(
  fields: ShopRouteFields<S> & { readonly body: BodyDoc<S> },
): ShopRoute => shopRoute(fields, true);

/** Answers a question in a worker thread when its work is heavy, otherwise in this thread. */
export function answerRead(
  { shop, dependencies: { heavy } }: ShopRequest<unknown>,
  work: Work,
  question: ReadQuestion,
): Outcome<Answer> {
  const read = () => answerQuestion(shop, question);
  if (shop.costOf(work) < heavy.heavyFromUs) return success({ kind: 'value', read });
  return success({ kind: 'thread', answer: heavy.answer(shop, question, () => jsonOf(read())) });
}

/** The bytes of an answer for a caller that keeps them. */
export const jsonOf = (made: Outcome<unknown>): Outcome<Uint8Array> =>
  made.ok ? success(Buffer.from(JSON.stringify(made.value))) : made;
