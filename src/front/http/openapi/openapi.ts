/**
 * The OpenAPI 3.1 document: derived from the route table and the schemas that check requests, so that it cannot
 * contradict the service. Only the texts around them are written here.
 */

import { packageVersion } from '../../../base/runtime/package-files.ts';
import { FAILURE_STATUS, type FailureCode } from '../../../engine/domain/failure.ts';
import { Id } from '../../../engine/domain/schema.ts';
import { VersionReference } from '../../../engine/domain/version-reference.ts';
import { ErrorEnvelope } from '../../../engine/wire/answer-schemas.ts';
import { AGE_HEADER, CONTENT_TYPES, UNKNOWN_FIELDS_HEADER } from '../output.ts';
import { IDEMPOTENCY_HEADER } from '../request-head.ts';
import {
  type AnswerDoc,
  bodyOf,
  ID_SEGMENT,
  isForOperators,
  type ParameterNeeds,
  type QueryParameter,
  type Route,
  SHOP_SEGMENT,
} from '../route.ts';
import { TAGS } from '../tags.ts';
import {
  FAILURE_DOCS,
  HEADERS,
  headerRef,
  PARAMETERS,
  parameterRef,
  SECURITY_SCHEMES,
} from './components.ts';
import { type Json, type JsonObject, SchemaComponents } from './openapi-schema.ts';

const ALL_FAILURES = Object.keys(FAILURE_STATUS) as FailureCode[];
/** Those of every route of operators. */
const OPERATOR_FAILURES = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  // Also without the setting that opens them.
  'NOT_FOUND',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
] as const;

/** The failures that a route can answer with. */
function failureCodes(route: Route): FailureCode[] {
  // A query parameter can be wrong on every route.
  if (route.kind === 'public') return ['VALIDATION_ERROR'];
  if (route.kind === 'callback') {
    return ['VALIDATION_ERROR', 'UNAUTHORIZED', 'NOT_FOUND', 'RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE'];
  }
  if (route.kind === 'operator') {
    const possible = new Set<FailureCode>([...OPERATOR_FAILURES, ...route.failures]);
    return ALL_FAILURES.filter((code) => possible.has(code));
  }
  const { query, verb, isWrite, target, mayNotFind, needsChangeset } = route;
  const hasQuery = Object.keys(query).length > 0;
  // Every keyed route can answer with the other codes, also 400: for two `Authorization` headers, for example.
  const possible: Readonly<Partial<Record<FailureCode, boolean>>> = {
    FORBIDDEN: !isForOperators(route),
    NOT_FOUND: hasQuery || target !== undefined || mayNotFind === true,
    CONFLICT: isWrite || 'view' in query || needsChangeset === true,
    PLAN_LIMIT_EXCEEDED: isWrite && verb !== 'DELETE',
  };
  return ALL_FAILURES.filter((code) => possible[code] ?? true);
}

/** The header `ETag` of a route, or null. */
function tagHeaderOf(route: Route): string | null {
  if (route.kind === 'public') return route.isTagged === true ? 'TextTag' : null;
  return route.kind === 'shop' && route.tagOf !== null ? 'ETag' : null;
}

/** True for a read that answers 304 to the tag of its last answer. */
const mayBeUnchanged = (route: Route): boolean =>
  tagHeaderOf(route) !== null && !(route.kind === 'shop' && route.changesUnwritten);

/** True for a route with a request that only reads. */
const mayRead = (route: Route): boolean =>
  route.kind === 'shop' && (!route.isWrite || Object.values(route.permissionByAction ?? {}).includes('read'));

function answerHeaders(route: Route): JsonObject {
  const tag = tagHeaderOf(route);
  const tellsVersion = route.kind === 'callback' || (route.kind === 'shop' && route.isConfiguration);
  return {
    'X-Request-Id': headerRef('RequestId'),
    ...(tellsVersion ? { 'X-Config-Version': headerRef('ConfigVersion') } : {}),
    ...(tag === null ? {} : { ETag: headerRef(tag) }),
    ...(bodyOf(route)?.toldUnknown === undefined
      ? {}
      : { [UNKNOWN_FIELDS_HEADER]: headerRef('UnknownFields') }),
    ...(mayRead(route) || route.kind === 'callback' ? { [AGE_HEADER]: headerRef('ConfigAge') } : {}),
  };
}

function successResponse(
  route: Route,
  { status, description, schema, example }: AnswerDoc,
  schemas: SchemaComponents,
): JsonObject {
  const type = CONTENT_TYPES['type' in route ? route.type : 'json'];
  return {
    description,
    headers: { ...answerHeaders(route), ...(status === 201 ? { Location: headerRef('Location') } : {}) },
    content: { [type]: { schema: schemas.add(schema), example: example as Json } },
  };
}

function failureResponse(code: FailureCode, schemas: SchemaComponents): JsonObject {
  const { when, example, tellsVersion } = FAILURE_DOCS[code];
  return {
    description: when,
    headers: {
      'X-Request-Id': headerRef('RequestId'),
      ...(code === 'VALIDATION_ERROR' ? { [UNKNOWN_FIELDS_HEADER]: headerRef('UnknownFields') } : {}),
      ...(tellsVersion
        ? {
            'X-Config-Version': headerRef('ConfigVersion'),
            ETag: headerRef('ETag'),
            [AGE_HEADER]: headerRef('ConfigAge'),
            [IDEMPOTENCY_HEADER]: headerRef('IdempotencyKey'),
          }
        : {}),
      ...(code === 'RATE_LIMITED' || code === 'UNAVAILABLE'
        ? { 'Retry-After': headerRef('RetryAfter') }
        : {}),
      ...(code === 'UNAUTHORIZED' ? { 'WWW-Authenticate': headerRef('WwwAuthenticate') } : {}),
    },
    content: {
      [CONTENT_TYPES.json]: {
        schema: schemas.add(ErrorEnvelope),
        example: { error: { code, message: example } },
      },
    },
  };
}

function responses(route: Route, schemas: SchemaComponents): JsonObject {
  const success = successResponse(route, route.success, schemas);
  const readAnswer = route.kind === 'shop' ? route.readAnswer : undefined;
  const others = route.kind === 'public' ? (route.otherStatuses ?? {}) : {};
  return {
    [route.success.status]: success,
    ...(readAnswer && { [readAnswer.status]: successResponse(route, readAnswer, schemas) }),
    ...(mayBeUnchanged(route)
      ? { 304: { description: 'The client has this answer already', headers: answerHeaders(route) } }
      : {}),
    ...Object.fromEntries(
      Object.entries(others).map(([status, description]) => [status, { ...success, description }]),
    ),
    ...Object.fromEntries(
      failureCodes(route).map((code) => [FAILURE_STATUS[code], { $ref: `#/components/responses/${code}` }]),
    ),
  };
}

function parameters(route: Route, hasPathId: boolean, schemas: SchemaComponents): Json[] {
  const inQuery = Object.entries(route.query).map(
    ([name, { published, description, needs }]: [string, QueryParameter]) => ({
      name,
      in: 'query',
      required: false,
      description:
        hasPathId && name === 'id' ? 'If given, the id that the path has' : description + needsText(needs),
      schema: schemas.add(published),
    }),
  );
  const guards = route.kind === 'operator' ? ['IdempotencyKey'] : ['IfMatch', 'IdempotencyKey', 'BatchId'];
  const shopId = {
    name: 'shopId',
    in: 'path',
    required: true,
    description: 'Names the shop',
    schema: schemas.add(Id),
  };
  const pathId = route.kind === 'shop' && route.target === 'version' ? VersionReference : Id;
  return [
    ...(route.paths[0].includes(SHOP_SEGMENT) ? [shopId] : []),
    ...(hasPathId
      ? [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: 'Names the record',
            schema: schemas.add(pathId),
          },
        ]
      : []),
    ...inQuery,
    parameterRef('RequestId'),
    ...(mayBeUnchanged(route) ? [parameterRef('IfNoneMatch')] : []),
    ...('isWrite' in route && route.isWrite ? guards.map(parameterRef) : []),
    ...(route.kind === 'shop' && route.takesSource ? [parameterRef('SimulationSource')] : []),
  ];
}

function requestBody(route: Route, schemas: SchemaComponents): JsonObject {
  const body = bodyOf(route);
  if (body === undefined) return {};
  const examples = Object.entries(body.examples).map(([name, value]) => [name, { value: value as Json }]);
  return {
    requestBody: {
      required: !body.isOptional,
      content: {
        [CONTENT_TYPES.json]: {
          schema: schemas.add(body.schema),
          examples: Object.fromEntries(examples),
        },
      },
    },
  };
}

function needsText(needs: ParameterNeeds | undefined): string {
  if (needs === undefined) return '';
  const which = needs.butFor === undefined ? 'It' : `Any other value than \`${needs.butFor}\``;
  return `. ${which} needs the permission \`${needs.permission}\``;
}

function permissionText(route: Route): string {
  if (route.kind === 'public') return 'Needs no key.';
  if (route.kind === 'callback') return 'Needs no key, but the signature of the caller.';
  if (route.kind === 'operator' || isForOperators(route))
    return 'Needs the key of operators, but not on the socket in the data folder.';
  const byAction = Object.entries(route.permissionByAction ?? {});
  const forced = route.forceNeeds ? ` \`force\` needs \`${route.forceNeeds}\`.` : '';
  if (byAction.length === 0) return `Needs the permission \`${route.permission}\`.${forced}`;
  return byAction
    .map(
      ([action, needed]) =>
        `${action === '' ? 'Without an action it' : `Action \`${action}\``} needs \`${needed}\`.`,
    )
    .join(' ');
}

function securityOf(route: Route): JsonObject {
  if (route.kind === 'public') return { security: [] };
  if (isForOperators(route)) return { security: [{ operatorKey: [] }] };
  return route.kind === 'callback' ? { security: [{ shopifySignature: [] }] } : {};
}

function operation(route: Route, path: string, schemas: SchemaComponents): JsonObject {
  const hasPathId = path.endsWith(`/${ID_SEGMENT}`);
  const isFirst = path === route.paths[0];
  return {
    operationId: isFirst ? route.name : `${route.name}${hasPathId ? 'ById' : 'Alias'}`,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, permissionText(route)].filter((part) => part !== undefined).join(' '),
    ...securityOf(route),
    parameters: parameters(route, hasPathId, schemas),
    ...requestBody(route, schemas),
    responses: responses(route, schemas),
  };
}

/** True for an operation; pages and their parts are none. */
export const isDocumented = (route: Route): boolean => route.kind !== 'public' || route.isFile !== true;

export function openApiDocument(routes: readonly Route[]): JsonObject {
  const schemas = new SchemaComponents();
  const paths: Record<string, Record<string, Json>> = {};
  const documented = routes.filter(isDocumented);
  for (const route of documented) {
    for (const path of route.paths) {
      const template = path.replace(`/${ID_SEGMENT}`, '/{id}').replace(SHOP_SEGMENT, '{shopId}');
      const operations = paths[template] ?? {};
      paths[template] = { ...operations, [route.verb.toLowerCase()]: operation(route, path, schemas) };
    }
  }
  const failures = Object.fromEntries(ALL_FAILURES.map((code) => [code, failureResponse(code, schemas)]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ratewright',
      version: packageVersion(),
      summary: 'Shipping rates for a cart, and why',
      description:
        'Prices are whole cents, weights whole grams. A path with a trailing slash is another path. HEAD is answered ' +
        'wherever GET is, with the same headers and no body; any other verb than those of a path is 404 with the ' +
        'header Allow. A query parameter that a route does not have is 400, and nothing is done.',
      contact: { name: 'The Ratewright authors' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      parameters: PARAMETERS,
      responses: failures,
      schemas: schemas.all(),
    },
  };
}
