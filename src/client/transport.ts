/**
 * One request over a pool of kept connections, and what came of it as a value. Bounds: the bytes of an
 * answer and the time, which covers connecting, sending and reading.
 */
import { Pool } from 'undici';
import type { NetworkFailureCode } from './call-outcome.ts';

export interface PreparedRequest {
  readonly verb: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export type Attempt =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
    }
  | { readonly kind: 'failed'; readonly code: NetworkFailureCode; readonly message: string };

export interface TransportOptions {
  readonly origin: string;
  readonly connections: number;
  readonly answerBytesMax: number;
}

/** Why an attempt was ended from here. */
class Ended extends Error {
  readonly code: NetworkFailureCode;

  constructor(code: NetworkFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Errors of a connection that was never made. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export class Transport {
  /** The library refuses a second close. */
  #closing: Promise<void> | null = null;
  readonly #pool: Pool;
  readonly #answerBytesMax: number;

  constructor({ origin, connections, answerBytesMax }: TransportOptions) {
    // The time is kept by the signal of each request.
    this.#pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
    this.#answerBytesMax = answerBytesMax;
  }

  /** Never rejects. `timeMs` is what is left of the call's time. */
  async send(prepared: PreparedRequest, timeMs: number, signal: AbortSignal | undefined): Promise<Attempt> {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      controller.abort(new Ended('DEADLINE_EXCEEDED', `no answer within ${Math.round(timeMs)} ms`));
    }, timeMs);
    const onAbort = (): void => controller.abort(new Ended('ABORTED', 'the caller gave up'));
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const { statusCode, headers, body } = await this.#pool.request({
        method: prepared.verb as 'GET',
        path: prepared.path,
        headers: prepared.headers,
        body: prepared.body,
        signal: controller.signal,
      });
      const text = await this.#read(body);
      return { kind: 'answered', status: statusCode, headers: singleHeaders(headers), text };
    } catch (error) {
      return failedAttempt(controller.signal.aborted ? controller.signal.reason : error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  async #read(body: AsyncIterable<Uint8Array>): Promise<string> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of body) {
      length += chunk.length;
      if (length > this.#answerBytesMax) {
        throw new Ended('UNEXPECTED_ANSWER', `the answer has more than ${this.#answerBytesMax} bytes`);
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length).toString('utf8');
  }

  /** Waits for requests under way. */
  close(): Promise<void> {
    this.#closing ??= this.#pool.close();
    return this.#closing;
  }
}

function singleHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) single[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return single;
}

function failedAttempt(error: unknown): Attempt {
  if (error instanceof Ended) return { kind: 'failed', code: error.code, message: error.message };
  const { message, code = '' } = error as Error & { readonly code?: string };
  const isUnreachable = NOT_CONNECTED.has(code) || code.startsWith('ERR_TLS') || code.startsWith('CERT_');
  const what = isUnreachable ? 'UNREACHABLE' : 'CONNECTION_LOST';
  // An error of several addresses has no message of its own.
  return { kind: 'failed', code: what, message: message === '' ? code : message };
}
