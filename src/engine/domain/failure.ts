/**
 * Failures: the nine codes with which a request is refused. A failure is a value: the pure core returns it, the front
 * end sends it, and no layer between them throws it.
 */

import { ID_LENGTH_MAX } from './id.ts';

/** Code -> HTTP status. */
export const FAILURE_STATUS = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  PLAN_LIMIT_EXCEEDED: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
} as const;

export type FailureCode = keyof typeof FAILURE_STATUS;

export interface Failure {
  readonly ok: false;
  readonly code: FailureCode;
  /** One sentence for a person; names the field by its JSON path where there is one. */
  readonly message: string;
  /** Whole seconds until a retry can succeed; only with `RATE_LIMITED` and `UNAVAILABLE`. */
  readonly retryAfterSeconds?: number;
}

/** True when the service is to blame, not the request. */
export const isFault = ({ code }: Failure): boolean => FAILURE_STATUS[code] >= 500;

interface Success<T> {
  readonly ok: true;
  readonly value: T;
}

/** Result of an operation that can be refused. */
export type Outcome<T> = Success<T> | Failure;

export const success = <T>(value: T): Success<T> => ({ ok: true, value });

export const failure = (code: FailureCode, message: string): Failure => ({ ok: false, code, message });

export const invalid = (message: string): Failure => failure('VALIDATION_ERROR', message);

export const conflict = (message: string): Failure => failure('CONFLICT', message);

/** Too many requests: the same request can succeed after that time. */
export const rateLimited = (message: string, retryAfterSeconds = 1): Failure => ({
  ...failure('RATE_LIMITED', message),
  retryAfterSeconds,
});

/** A temporary fault of the server (contract section 12.2): the same request can succeed after that time. */
export const unavailable = (message: string, retryAfterSeconds = 1): Failure => ({
  ...failure('UNAVAILABLE', message),
  retryAfterSeconds,
});

/** The disk has no room for a write (contract section 12.2). */
export const DISK_FULL: Failure = unavailable('the disk is full: nothing was stored', 10);

/** Resource kinds as messages and descriptions of versions name them (contract section 1). */
export const RESOURCE_NAMES = {
  zone: 'Zone',
  productGroup: 'Product group',
  method: 'Method',
  rule: 'Rule',
  blendedRate: 'Blended rate',
  check: 'Check',
  version: 'Version',
  key: 'API key',
  auditEntry: 'Audit entry',
  shop: 'Shop',
} as const;

/** A kind of record within a shop. */
export type ResourceKind = Exclude<keyof typeof RESOURCE_NAMES, 'shop'>;

/**
 * `Method not found: method_x`. The message shows `?` for each character that no id has, and cuts a text that is too
 * long with `...`: a malformed id never reads as the id of another record.
 */
export function notFound(kind: ResourceKind | 'shop', id: string): Failure {
  const shown = id.replace(/[^A-Za-z0-9_-]/gu, '?');
  const cut = shown.length > ID_LENGTH_MAX ? `${shown.slice(0, ID_LENGTH_MAX)}...` : shown;
  return failure('NOT_FOUND', `${RESOURCE_NAMES[kind]} not found: ${cut}`);
}
