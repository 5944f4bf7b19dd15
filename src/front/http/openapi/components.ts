/** The parts of the OpenAPI document that operations refer to: failures, headers, parameters, keys. */
import type { FailureCode } from '../../../engine/domain/failure.ts';
import {
  IDEMPOTENCY_HEADER,
  IDEMPOTENCY_KEY_PATTERN,
  SIMULATION_SOURCES,
  SOURCE_HEADER,
  TOKEN_LENGTH_MAX,
} from '../request-head.ts';
import type { JsonObject } from './openapi-schema.ts';

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
    when: 'No key, or one that is not valid or has expired',
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

export const headerRef = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });
export const parameterRef = (name: string): JsonObject => ({ $ref: `#/components/parameters/${name}` });

const text = (description: string): JsonObject => ({ description, schema: { type: 'string' } });

export const HEADERS: JsonObject = {
  RequestId: text("The request's id: the client's own X-Request-Id or a new one"),
  ConfigVersion: text('Id of the configuration version that the answer describes'),
  ETag: text(
    'The live configuration version in quotes, for If-Match and If-None-Match. Of an answer that shows the changeset: the ' +
      'version, the id of the changeset and the number of its writes, with a dot between',
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

export const PARAMETERS: JsonObject = {
  RequestId: headerParameter('X-Request-Id', 'Echoed in the answer', TOKEN_PATTERN),
  IfMatch: headerParameter(
    'If-Match',
    'Refuse the write with 409 unless one of these versions, by id or number, is current. The ETag of an answer that showed ' +
      'the changeset is current until the next write to it or its end',
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
    IDEMPOTENCY_KEY_PATTERN,
  ),
  BatchId: headerParameter('X-Batch-Id', 'The versions of one batch share it', TOKEN_PATTERN),
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

export const SECURITY_SCHEMES: JsonObject = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key; the bare key is accepted too' },
  operatorKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The value of `RATEWRIGHT_OPERATOR_KEY`; without this setting the paths of operators are 404',
  },
  shopifySignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Shopify-Hmac-Sha256',
    description: "Base64 of the HMAC-SHA256 of the raw body with the shop's Shopify secret",
  },
};
