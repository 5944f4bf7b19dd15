/**
 * The OpenAPI 3.1 document: derived from the route table and the schemas that check requests, so that it cannot
 * contradict the service. Only the texts around them are written here.
 */

import { packageVersion } from '../../../base/runtime/package-files.ts';
import { FAILURE_STATUS, type FailureCode } from '../../../engine/domain/failure.ts';
import { ID_PATTERN } from '../../../engine/domain/id.ts';
import { Id } from '../../../engine/domain/schema.ts';
import { VersionReference } from '../../../engine/domain/version-reference.ts';
import { ErrorEnvelope } from '../../../engine/wire/answer-schemas.ts';
import { AGE_HEADER, MIN_VERSION_HEADER } from '../config-age.ts';
import { CONTENT_TYPES, UNKNOWN_FIELDS_HEADER } from '../output.ts';
import {
  IDEMPOTENCY_HEADER,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  SIMULATION_SOURCES,
  SOURCE_HEADER,
  TOKEN_LENGTH_MAX,
} from '../request-head.ts';
import {
  type AnswerDoc,
  bodyOf,
  ID_SEGMENT,
  type ParameterNeeds,
  type QueryParameter,
  type Route,
} from '../route.ts';
import { TAGS } from '../tags.ts';
import { type Json, type JsonObject, SchemaComponents } from './openapi-schema.ts';

interface FailureDoc {
  readonly when: string;
  readonly example: string;
  /** The refusal may depend on the configuration; then the answer names the version. */
  readonly tellsVersion?: true;
}

export const FAILURE_DOCS: Readonly<Record<FailureCode, FailureDoc>> = {
  VALIDATION_ERROR: {
    when: 'The body, a parameter or a header is not accepted',
    example: '/items/0/quantity must be a whole number from 1 to 1,000,000 (pieces)',
    tellsVersion: true,
  },
  UNAUTHORIZED: {
    when: 'No API key, or one that is not valid or has expired',
    example: 'the API key is not valid',
  },
  FORBIDDEN: {
    when: 'The API key lacks the permission',
    example: 'this needs an API key with the permission write',
  },
  NOT_FOUND: {
    when: 'The record does not exist',
    example: 'Method not found: method_x',
    tellsVersion: true,
  },
  CONFLICT: {
    when: 'The state of the shop does not allow it',
    example: 'the configuration has changed: the current version is version_x',
    tellsVersion: true,
  },
  PLAN_LIMIT_EXCEEDED: {
    when: 'The plan, or the limits of every shop, do not allow as many',
    example: 'the plan starter allows 20 methods',
    tellsVersion: true,
  },
  RATE_LIMITED: { when: 'Too many requests', example: 'too many requests: try again in 1 second' },
  INTERNAL_ERROR: { when: 'A failure of the service', example: 'internal error' },
  UNAVAILABLE: {
    when: 'A temporary fault of the service; nothing was done',
    example: 'the database cannot be reached: try again in a moment',
  },
};

const headerRef = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });
const parameterRef = (name: string): JsonObject => ({ $ref: `#/components/parameters/${name}` });

const text = (description: string): JsonObject => ({ description, schema: { type: 'string' } });

const HEADERS: JsonObject = {
  RequestId: text("The request's id: the client's own X-Request-Id or a new one"),
  ConfigVersion: text('Id of the configuration version that the answer describes'),
  ETag: text(
    'The live configuration version in quotes, for If-Match and If-None-Match; the tag of a changeset only begins with it',
  ),
  TextTag: text('Changes with the text and its encoding; for If-None-Match'),
  IdempotencyKey: text(
    "The write's own Idempotency-Key: no write was found under it, and nothing was done. Without this header, which " +
      'the nodes of a cluster never send, an earlier attempt whose answer was lost may have been carried out',
  ),
  ConfigAge: text(
    'Seconds since the configuration of the answer was known to be the newest: only while a node cannot reach its database',
  ),
  UnknownFields: text(
    'On a simulation with fields that were ignored: their JSON Pointers in URI form (a comma is %2C), comma-separated, at most 10',
  ),
  Location: text('Path of the record that was made'),
  RetryAfter: { description: 'Whole seconds to wait', schema: { type: 'integer', minimum: 0 } },
  WwwAuthenticate: text('The authentication scheme'),
  RateLimitPolicy: text('On plans with a rate: its name, quota q and window w in seconds'),
  RateLimit: text(
    'On plans with a rate: the remaining quota (r), and the seconds until more is available (t)',
  ),
};

const headerParameter = (name: string, description: string, pattern: string): JsonObject => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', pattern },
});

const TOKEN_PATTERN = `^[A-Za-z0-9_-]{1,${TOKEN_LENGTH_MAX}}$`;

const ENTITY_TAGS = '^(\\*|.*".*".*|[A-Za-z0-9_, -]+)$';

const PARAMETERS: JsonObject = {
  RequestId: headerParameter('X-Request-Id', 'Echoed in the answer', TOKEN_PATTERN),
  IfMatch: headerParameter(
    'If-Match',
    'Refuse the write with 409 unless one of these versions, by id or number, is current',
    ENTITY_TAGS,
  ),
  IfNoneMatch: headerParameter(
    'If-None-Match',
    'Answer 304 without a body when the answer has one of these tags',
    ENTITY_TAGS,
  ),
  IdempotencyKey: headerParameter(
    IDEMPOTENCY_HEADER,
    'The same key with the same body gets the first answer again for 24 hours; with another body 409',
    `^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_LENGTH_MAX}}$`,
  ),
  BatchId: headerParameter('X-Batch-Id', 'The versions of one batch share it', TOKEN_PATTERN),
  MinConfigVersion: headerParameter(
    MIN_VERSION_HEADER,
    'Answer with this version, by id or number, or a later one; a node that cannot get it answers 503',
    ID_PATTERN,
  ),
  SimulationSource: {
    name: SOURCE_HEADER,
    in: 'header',
    required: false,
    description:
      'test: the answer is the same, but no coverage, changeset or usage figure counts the simulation, and the cart is ' +
      'not kept for replays. Limits of the plan count it',
    schema: { type: 'string', enum: [...SIMULATION_SOURCES], default: 'live' },
  },
};

/** The failures that a route can answer with. */
function failureCodes(route: Route): FailureCode[] {
  // A query parameter can be wrong on every route.
  if (route.kind === 'public') return ['VALIDATION_ERROR'];
  if (route.kind === 'callback') {
    return ['VALIDATION_ERROR', 'UNAUTHORIZED', 'NOT_FOUND', 'RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE'];
  }
  const { query, verb, isWrite, target, mayNotFind, needsChangeset } = route;
  const hasQuery = Object.keys(query).length > 0;
  // Every keyed route can answer with the other codes, also 400: for two `Authorization` headers, for example.
  const possible: Readonly<Partial<Record<FailureCode, boolean>>> = {
    NOT_FOUND: hasQuery || target !== undefined || mayNotFind === true,
    CONFLICT: isWrite || 'view' in query || needsChangeset === true,
    PLAN_LIMIT_EXCEEDED: isWrite && verb !== 'DELETE',
  };
  return (Object.keys(FAILURE_STATUS) as FailureCode[]).filter((code) => possible[code] ?? true);
}

/** The header `ETag` of a route, or null. */
function tagHeaderOf(route: Route): string | null {
  if (route.kind === 'public') return route.isTagged === true ? 'TextTag' : null;
  return route.kind === 'shop' && route.tagOf !== null ? 'ETag' : null;
}

const RATE_HEADERS: JsonObject = {
  'RateLimit-Policy': headerRef('RateLimitPolicy'),
  RateLimit: headerRef('RateLimit'),
};

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
    ...(route.kind === 'public' ? {} : RATE_HEADERS),
  };
}

function successResponse(
  route: Route,
  { status, description, schema, example }: AnswerDoc,
  schemas: SchemaComponents,
): JsonObject {
  const type = CONTENT_TYPES[route.kind === 'public' ? route.type : 'json'];
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
      ...(code === 'RATE_LIMITED' ? { 'Retry-After': headerRef('RetryAfter'), ...RATE_HEADERS } : {}),
      ...(code === 'UNAVAILABLE' ? { 'Retry-After': headerRef('RetryAfter') } : {}),
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
    ...(tagHeaderOf(route) !== null
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
  const inQuery = Object.entries(route.query)
    .filter(([name]) => !(hasPathId && name === 'id'))
    .map(([name, { published, description, needs }]: [string, QueryParameter]) => ({
      name,
      in: 'query',
      required: false,
      description: description + needsText(needs),
      schema: schemas.add(published),
    }));
  const guards = ['IfMatch', 'IdempotencyKey', 'BatchId'].map(parameterRef);
  const pathId = route.kind === 'shop' && route.target === 'version' ? VersionReference : Id;
  return [
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
    ...(tagHeaderOf(route) !== null ? [parameterRef('IfNoneMatch')] : []),
    ...(route.kind === 'shop' && route.isWrite ? guards : []),
    ...(mayRead(route) ? [parameterRef('MinConfigVersion')] : []),
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
      const template = path.replace(`/${ID_SEGMENT}`, '/{id}');
      const operations = paths[template] ?? {};
      paths[template] = { ...operations, [route.verb.toLowerCase()]: operation(route, path, schemas) };
    }
  }
  const codes = Object.keys(FAILURE_STATUS) as FailureCode[];
  const failures = Object.fromEntries(codes.map((code) => [code, failureResponse(code, schemas)]));
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
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key; the bare key is accepted too' },
        shopifySignature: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Shopify-Hmac-Sha256',
          description: "Base64 of the HMAC-SHA256 of the raw body with the shop's Shopify secret",
        },
      },
      headers: HEADERS,
      parameters: PARAMETERS,
      responses: failures,
      schemas: schemas.all(),
    },
  };
}
