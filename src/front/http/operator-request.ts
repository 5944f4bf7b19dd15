/**
 * Requests of operators: who may make them, and what becomes of one that is about the service or the existence of a shop. One
 * about the content of a shop is a `KeyedRequest` without a key.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Failure, invalid, type Outcome, success } from '../../engine/domain/failure.ts';
import type { Idempotency } from '../../shop/reader/shop-access.ts';
import { readQuery } from './admission.ts';
import { digestRequest, findBodyHeadDefect } from './body/json-body.ts';
import { readBody, receiveBody } from './body/request-bodies.ts';
import type { HttpSettings, OperatorAccess } from './dependencies.ts';
import type { Exchange } from './exchange.ts';
import { BAD_OPERATOR_KEY, NO_OPERATOR_KEY } from './failure-answer.ts';
import { readWriteGuards } from './request-head.ts';
import type { BodyRow, OperatorRoute } from './route.ts';
import { openAnswer, sealAnswer } from './sealed-answer.ts';

const BEARER = /^(?:bearer +)?([\x21-\x7e]+)$/i;

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Lets operators in: with their key, or without one on the socket. */
export class OperatorGate {
  readonly #keyDigest: Buffer | null;
  /** Stands for the key on the socket. Of this process: another one cannot read the secrets in its stored answers. */
  readonly #secretOnSocket = randomBytes(32).toString('base64url');

  /** `key` is null when operators have no key. */
  constructor(key: string | null) {
    this.#keyDigest = key === null ? null : digestOf(key);
  }

  /** The secret with which answers to the caller are sealed. Compares in constant time. */
  secretOf({ isOnSocket, head: { authorization } }: Exchange): Outcome<string> {
    if (isOnSocket) return success(this.#secretOnSocket);
    if (authorization === '') return NO_OPERATOR_KEY;
    const given = BEARER.exec(authorization)?.[1] ?? '';
    const isKey = this.#keyDigest !== null && timingSafeEqual(digestOf(given), this.#keyDigest);
    return isKey ? success(given) : BAD_OPERATOR_KEY;
  }
}

interface OperatorCall {
  readonly exchange: Exchange;
  readonly route: OperatorRoute;
  /** "" on a route about all shops. */
  readonly shopId: string;
  /** That of the caller. */
  readonly secret: string;
}

const NO_BYTES = Buffer.alloc(0);

const NO_VERSION = invalid('header If-Match is not taken here: there is no version to compare');

/** Headers and query (400), head of the body (400); then the body and the handler. */
export function beginOperator(
  call: OperatorCall,
  operators: OperatorAccess,
  { bodyBytesMax }: Pick<HttpSettings, 'bodyBytesMax'>,
): Failure | null {
  const { exchange, route, shopId } = call;
  if (shopId !== '') exchange.caller = { shopId, keyId: null };
  const { head } = exchange;
  const guards = route.isWrite ? readWriteGuards(head) : null;
  if (guards?.ok === false) return guards;
  if (route.isWrite && head.ifMatch !== null) return NO_VERSION;
  const query = readQuery(head.query, route);
  if (!query.ok) return query;
  const handle = (body: unknown, bytes: Buffer): void => {
    const idempotency = idempotencyOf(call, guards?.value.idempotencyKey ?? null, bytes);
    const answer = route.handle({ shopId, body, query: query.value, idempotency, operators });
    exchange.resume('load', answer, (made) => {
      if (!made.ok) exchange.refuse(made);
      else {
        const { status, body: text, headers } = made.value;
        const sent = typeof text === 'string' ? Buffer.from(text) : text;
        if (typeof text !== 'string') exchange.atEnd(() => text.close());
        exchange.send({ status, type: route.type, body: sent, versionId: null, headers });
      }
    });
  };
  const row = route.body;
  if (row === undefined) {
    exchange.settle(() => handle({}, NO_BYTES));
    return null;
  }
  const defect = findBodyHeadDefect(head, bodyBytesMax);
  if (defect !== null) return defect;
  const whole = (bytes: Buffer, isInBounds: boolean): void => {
    const read = readBody(row as BodyRow, () => null, bytes, isInBounds);
    if (read.ok) handle(read.value.value, bytes);
    else exchange.refuse(read);
  };
  receiveBody(exchange, bodyBytesMax, { whole, isBounded: true });
  return null;
}

/** The answer may hold a secret, so it is stored sealed. */
function idempotencyOf(
  { exchange, secret }: OperatorCall,
  key: string | null,
  bytes: Buffer,
): Idempotency | null {
  if (key === null) return null;
  return {
    key,
    requestDigest: digestRequest(exchange.head, bytes),
    seal: (body) => sealAnswer(secret, body),
    open: (stored) => openAnswer(secret, stored),
  };
}
