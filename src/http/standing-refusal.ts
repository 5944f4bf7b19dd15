/**
 * Refusals whose text never changes, as finished bytes but for the id of the request: under a flood most answers
 * are such a one, and what it costs is taken from the others.
 */
import { Buffer } from 'node:buffer';
import type { Failure } from '../domain/failure.ts';
import { REQUEST_ID_HEADER } from './answer-head.ts';
import { failureAnswer } from './failure-answer.ts';
import { statusLine } from './output.ts';
import { JSON_TYPE_AND_SAFETY } from './safety-headers.ts';

/** Ids of requests are shorter by far. */
const ID_BYTES_MAX = 256;

export class StandingRefusal {
  readonly status: number;
  readonly statusLine: string;
  readonly body: Uint8Array;
  readonly #bytes: Buffer;
  readonly #fixedBytes: number;
  /** The buffer up to where the last answer's id ended. Most are of one length. */
  #head: Buffer;

  constructor(failure: Failure) {
    const { status, headers, body } = failureAnswer(failure);
    this.status = status;
    this.statusLine = statusLine(status);
    this.body = body;
    const lines = [JSON_TYPE_AND_SAFETY, ...headers.map(([name, value]) => `${name}: ${value}`)];
    const fixed = `${lines.join('\r\n')}\r\n${REQUEST_ID_HEADER}: `;
    this.#fixedBytes = fixed.length;
    this.#bytes = Buffer.allocUnsafeSlow(fixed.length + ID_BYTES_MAX);
    this.#bytes.write(fixed, 'latin1');
    this.#head = this.#bytes.subarray(0, 0);
  }

  /** The value of Content-Type, with the other headers behind it; valid until the next call. The id was checked. */
  head(requestId: string): Buffer {
    this.#bytes.write(requestId, this.#fixedBytes, 'latin1');
    const length = this.#fixedBytes + requestId.length;
    if (this.#head.length !== length) this.#head = this.#bytes.subarray(0, length);
    return this.#head;
  }
}

const refusals = new WeakMap<Failure, StandingRefusal>();

/** Makes the answer to a failure once; gives the failure, of which this very object is to be refused with. */
export function standing(failure: Failure): Failure {
  refusals.set(failure, new StandingRefusal(failure));
  return failure;
}

/** The finished answer; undefined for a failure that was made for one request. */
export const standingRefusal = (failure: Failure): StandingRefusal | undefined => refusals.get(failure);
