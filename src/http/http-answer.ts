/**
 * An answer as it goes to the client: its status, and its headers in one buffer, as the value of the first of them.
 * What is the same in every answer stands in the buffer already, and only the id of the request is written behind it.
 *
 * Every answer carries the headers that OWASP recommends for APIs, which keep a browser or a cache from making more of
 * it than it is. Left out: Strict-Transport-Security, which is up to the proxy that ends TLS; X-Frame-Options, which
 * `frame-ancestors` replaces; anything of CORS, without which no page of another host reads an answer.
 */
import { Buffer } from 'node:buffer';
import { type Latin1Buffer, latin1Buffer } from '../bytes/text-bytes.ts';

export const CONTENT_TYPES = {
  json: 'application/json',
  /** Prometheus text format 0.0.4. */
  metrics: 'text/plain; version=0.0.4; charset=utf-8',
  html: 'text/html; charset=utf-8',
  script: 'text/javascript; charset=utf-8',
  style: 'text/css; charset=utf-8',
} as const;
export type ContentType = keyof typeof CONTENT_TYPES;

const STATUS_LINES: Readonly<Record<number, string>> = {
  200: '200 OK',
  201: '201 Created',
  304: '304 Not Modified',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  409: '409 Conflict',
  422: '422 Unprocessable Content',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
};

export const statusLine = (status: number): string => STATUS_LINES[status] ?? String(status);

export type Headers = readonly (readonly [name: string, value: string])[];
export const NO_HEADERS: Headers = [];

/** An answer that is made: what the client gets. */
export interface HttpAnswer {
  readonly status: number;
  readonly type: ContentType;
  /** null: a status that has no body. */
  readonly body: Uint8Array | null;
  /** The bytes are valid during the call that sends them only; otherwise they stay as they are until all is sent. */
  readonly isReused?: boolean;
  /** The version that the answer is about, if it is about one. */
  readonly versionId: string | null;
  readonly headers: Headers;
  /** All headers but those of the rate, where they were made before. */
  readonly head?: AnswerHead;
}

export const VERSION_HEADER = 'X-Config-Version';
export const REQUEST_ID_HEADER = 'X-Request-Id';
export const POLICY_HEADER = 'Content-Security-Policy';

const ALWAYS: Headers = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
];
/** Of an answer that is data: shown as a document it may load, run and be framed by nothing. A page has its own. */
const DATA_POLICY = [POLICY_HEADER, "default-src 'none'; frame-ancestors 'none'"] as const;

/** Ids of requests have at most 64 characters. */
const ID_BYTES_MAX = 64;

export class AnswerHead {
  /** The name of the first header. */
  readonly name: Buffer;
  readonly #bytes: Latin1Buffer;
  readonly #idStart: number;
  /** The buffer up to the end of the last id. Most ids have one length. */
  #value: Buffer;

  /** `type` is null for an answer without a body. The headers hold no text of a request that was not checked. */
  constructor(type: ContentType | null, headers: Headers) {
    const typed: Headers = type === null ? [] : [['Content-Type', CONTENT_TYPES[type]]];
    const policy = headers.some(([name]) => name === POLICY_HEADER) ? [] : [DATA_POLICY];
    const text = [...typed, ...ALWAYS, ...policy, ...headers, [REQUEST_ID_HEADER, '']]
      .map(([name, value]) => `${name}: ${value}`)
      .join('\r\n');
    const nameEnd = text.indexOf(': ');
    this.name = Buffer.from(text.slice(0, nameEnd), 'latin1');
    const fixed = text.slice(nameEnd + 2);
    this.#idStart = fixed.length;
    this.#bytes = latin1Buffer(fixed.length + ID_BYTES_MAX);
    this.#bytes.latin1Write(fixed, 0, fixed.length);
    this.#value = this.#bytes.subarray(0, 0);
  }

  /** The value of the first header, with all others behind it; valid until the next call. */
  withId(requestId: string): Buffer {
    const end = this.#idStart + this.#bytes.latin1Write(requestId, this.#idStart, requestId.length);
    if (this.#value.length !== end) this.#value = this.#bytes.subarray(0, end);
    return this.#value;
  }
}

const PLAIN = new AnswerHead('json', []);

/** The head of the last answer about a version: most answers are about the same one. */
let lastVersionId: string | null = null;
let last = PLAIN;

/** The head of a JSON answer without further headers; `versionId` is the version that it is about, if it is about one. */
export function jsonHead(versionId: string | null): AnswerHead {
  if (versionId === null) return PLAIN;
  if (versionId !== lastVersionId) {
    last = new AnswerHead('json', [[VERSION_HEADER, versionId]]);
    lastVersionId = versionId;
  }
  return last;
}
