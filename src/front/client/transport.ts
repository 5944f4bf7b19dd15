/**
 * Sends requests over a pool of kept-alive connections; the outcome is a value. Bounds: the bytes of an answer, and the
 * total time to connect, send and read.
 */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { Attempt, PreparedRequest, RequestSender } from './attempt.ts';
import type { NetworkFailureCode } from './call-outcome.ts';

export interface TransportOptions {
  /** Of the server, or the path of its Unix socket. */
  readonly address: { readonly origin: string } | { readonly socketPath: string };
  readonly connections: number;
  readonly answerBytesMax: number;
}

/** The reason for which the client ended an attempt. */
class Ended extends Error {
  readonly code: NetworkFailureCode;

  constructor(code: NetworkFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

const GAVE_UP = 'the caller gave up';

/** Shorter than the server's idle timeout of 10 seconds, so that no connection closes under a request. */
const IDLE_MS_MAX = 4_000;

export class Transport implements RequestSender {
  readonly #server: RequestOptions;
  readonly #isTls: boolean;
  readonly #agent: HttpAgent;
  readonly #answerBytesMax: number;
  #underWay = 0;
  /** Resolves `close` after the last answer; null while the client is open. */
  #closed: (() => void) | null = null;
  #closing: Promise<void> | null = null;

  constructor({ address, connections, answerBytesMax }: TransportOptions) {
    const origin = 'origin' in address ? address.origin : null;
    this.#server = 'origin' in address ? urlToHttpOptions(new URL(address.origin)) : address;
    this.#isTls = origin?.startsWith('https:') === true;
    const Agent = this.#isTls ? HttpsAgent : HttpAgent;
    // This timeout is for idle connections; `send` limits the time of a request.
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, timeout: IDLE_MS_MAX });
    this.#answerBytesMax = answerBytesMax;
  }

  send(prepared: PreparedRequest, timeMs: number, signal: AbortSignal | undefined): Promise<Attempt> {
    return this.#send(prepared, timeMs, signal, (response) => textOf(response, this.#answerBytesMax));
  }

  /** As `send`; passes the body of an answer with status 200 on as a stream, and answers without a text. */
  stream(
    prepared: PreparedRequest,
    timeMs: number,
    signal: AbortSignal | undefined,
    pass: (body: AsyncIterable<Uint8Array>) => void,
  ): Promise<Attempt> {
    return this.#send(prepared, timeMs, signal, async (response) => {
      if (response.statusCode !== 200) return textOf(response, this.#answerBytesMax);
      pass(response);
      return '';
    });
  }

  async #send(
    prepared: PreparedRequest,
    timeMs: number,
    signal: AbortSignal | undefined,
    read: (response: IncomingMessage) => Promise<string>,
  ): Promise<Attempt> {
    if (this.#closing !== null) return failedAttempt(new Ended('ABORTED', 'the client is closed'), false);
    if (signal?.aborted === true) return failedAttempt(new Ended('ABORTED', GAVE_UP), false);
    const progress = { isSent: false };
    const request = this.#begin(prepared, progress);
    this.#underWay++;
    const timer = setTimeout(() => {
      request.destroy(new Ended('DEADLINE_EXCEEDED', `no answer within ${Math.round(timeMs)} ms`));
    }, timeMs);
    const onAbort = (): void => {
      request.destroy(new Ended('ABORTED', GAVE_UP));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await answerTo(request, read);
    } catch (error) {
      return failedAttempt(request.errored ?? error, progress.isSent);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#underWay--;
      if (this.#underWay === 0) this.#closed?.();
    }
  }

  #begin({ verb, path, headers, body }: PreparedRequest, progress: { isSent: boolean }): ClientRequest {
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = (this.#isTls ? httpsRequest : httpRequest)({
      ...this.#server,
      path,
      method: verb,
      headers: { ...headers, ...length },
      agent: this.#agent,
    });
    request.on('socket', (socket) => {
      const connected = (): void => {
        progress.isSent = true;
      };
      // Before this event Node buffers what is written, and nothing is sent.
      if (socket.connecting) socket.once(this.#isTls ? 'secureConnect' : 'connect', connected);
      else connected();
    });
    request.end(body ?? undefined);
    return request;
  }

  close(): Promise<void> {
    this.#closing ??= new Promise<void>((resolve) => {
      this.#closed = resolve;
      if (this.#underWay === 0) resolve();
    }).then(() => this.#agent.destroy());
    return this.#closing;
  }
}

/** Rejects when the request or its answer fails or was destroyed, with the reason. */
function answerTo(
  request: ClientRequest,
  read: (response: IncomingMessage) => Promise<string>,
): Promise<Attempt> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      read(response).then(
        (text) => resolve({ kind: 'answered', status, headers: singleHeaders(headers), text }),
        reject,
      );
    });
  });
}

/** Rejects when the answer ends early, or has more bytes. */
function textOf(response: IncomingMessage, bytesMax: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    response.on('data', (chunk: Uint8Array) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= bytesMax) return;
      response.destroy(new Ended('UNEXPECTED_ANSWER', `the answer has more than ${bytesMax} bytes`));
    });
    response.on('error', reject);
    response.on('end', () => resolve(Buffer.concat(chunks, length).toString('utf8')));
  });
}

function singleHeaders(headers: IncomingMessage['headers']): Readonly<Record<string, string>> {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) single[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return single;
}

function failedAttempt(error: unknown, isSent: boolean): Attempt {
  if (error instanceof Ended) return { kind: 'failed', code: error.code, message: error.message, isSent };
  const { message, code = '' } = error as Error & { readonly code?: string };
  // An aggregate error of several addresses has an empty message.
  const text = message === '' ? code : message;
  return { kind: 'failed', code: isSent ? 'CONNECTION_LOST' : 'UNREACHABLE', message: text, isSent };
}
