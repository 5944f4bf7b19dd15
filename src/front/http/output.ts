/**
 * Writes answers: status, headers, body. All headers are in one buffer, which is written as the value of the first
 * header: most answers differ only in the id of the request, which is written at its end.
 *
 * Every answer carries the headers that OWASP recommends for APIs: no browser or cache stores it, guesses its type, or
 * runs it. Not sent: Strict-Transport-Security, which belongs to the proxy that ends TLS; X-Frame-Options, which
 * `frame-ancestors` replaces; the headers of CORS, without which pages of other hosts cannot read an answer.
 *
 * uWebSockets.js never gets more of a body than the socket takes. The rest waits in one buffer until the socket is
 * writable; the library closes a connection whose next request arrives before that, so memory stays flat.
 */
import { Buffer } from 'node:buffer';
import {
  type AnswerText,
  type Latin1Buffer,
  latin1Buffer,
  lengthOf,
  writeAscii,
} from '../../base/bytes/answer-text.ts';

export const CONTENT_TYPES = {
  json: 'application/json',
  /** Prometheus text format 0.0.4. */
  metrics: 'text/plain; version=0.0.4; charset=utf-8',
  html: 'text/html; charset=utf-8',
  script: 'text/javascript; charset=utf-8',
  style: 'text/css; charset=utf-8',
  font: 'font/woff2',
  bytes: 'application/octet-stream',
} as const;
export type ContentType = keyof typeof CONTENT_TYPES;

const STATUS_LINES: Readonly<Record<number, string>> = {
  200: '200 OK',
  201: '201 Created',
  303: '303 See Other',
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

/** A body that is read while it is sent. */
export interface StreamedBody {
  readonly byteLength: number;
  /** Up to `length` bytes from `offset`, at least one. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Called once, when the answer is over. */
  close(): void;
}

export interface HttpAnswer {
  readonly status: number;
  readonly type: ContentType;
  /** null for a status without a body. */
  readonly body: Uint8Array | StreamedBody | null;
  /** True when the bytes are valid only during the call of `send`; otherwise until all of them are sent. */
  readonly isReused?: boolean;
  /** The version that the answer describes, if any. */
  readonly versionId: string | null;
  readonly headers: Headers;
  /** The prepared headers. */
  readonly head?: AnswerHead;
}

export const VERSION_HEADER = 'X-Config-Version';
/** Seconds since the configuration was known to be the newest; absent while it is. */
export const AGE_HEADER = 'X-Config-Age';
/** Paths of fields of a simulation that were ignored (contract section 12.4). */
export const UNKNOWN_FIELDS_HEADER = 'X-Unknown-Fields';
const REQUEST_ID_HEADER = 'X-Request-Id';
export const POLICY_HEADER = 'Content-Security-Policy';

/** uWebSockets.js closes a connection 8 to 12 s after its last answer: it counts 10 s in steps of 4. */
const KEPT = ['Keep-Alive', 'timeout=8'] as const;

const ALWAYS: Headers = [['Cache-Control', 'no-store'], ['X-Content-Type-Options', 'nosniff'], KEPT];
/** For data: opened as a document, it loads and runs nothing and cannot be framed. Pages have another policy. */
const DATA_POLICY = [POLICY_HEADER, "default-src 'none'; frame-ancestors 'none'"] as const;

/** Ids of requests have at most 64 characters. */
const ID_BYTES_MAX = 64;

export class AnswerHead {
  /** The name of the first header. */
  readonly name: Buffer;
  readonly #text: string;
  readonly #bytes: Latin1Buffer;
  readonly #idStart: number;
  /** The buffer up to the end of the last id. Most ids have the same length. */
  #value: Buffer;

  /** `text` is made by `headText`. */
  constructor(text: string) {
    this.#text = text;
    const nameEnd = text.indexOf(': ');
    this.name = Buffer.from(text.slice(0, nameEnd), 'latin1');
    const fixed = text.slice(nameEnd + 2);
    this.#idStart = fixed.length;
    this.#bytes = latin1Buffer(fixed.length + ID_BYTES_MAX);
    this.#bytes.latin1Write(fixed, 0, fixed.length);
    this.#value = this.#bytes.subarray(0, 0);
  }

  /** The value of the first header, followed by all other headers; valid until the next call. */
  withId(requestId: string): Buffer {
    const end = this.#idStart + this.#bytes.latin1Write(requestId, this.#idStart, requestId.length);
    if (this.#value.length !== end) this.#value = this.#bytes.subarray(0, end);
    return this.#value;
  }

  /** The head of the last answer of a connection. */
  ofLast(): AnswerHead {
    return new AnswerHead(this.#text.replace(`\r\n${KEPT.join(': ')}`, ''));
  }
}

/**
 * All headers, up to the id of the request. `type` is null for an answer without a body. The values must not contain
 * unchecked text of a request.
 */
export function headText(type: ContentType | null, headers: Headers): string {
  const typed: Headers = type === null ? [] : [['Content-Type', CONTENT_TYPES[type]]];
  const policy = headers.some(([name]) => name === POLICY_HEADER) ? [] : [DATA_POLICY];
  const always = ALWAYS.filter(([name]) => !headers.some(([given]) => given === name));
  return [...typed, ...always, ...policy, ...headers, [REQUEST_ID_HEADER, '']]
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n');
}

const PLAIN = new AnswerHead(headText('json', []));
const VERSION_MARK = '{version}';
/** The text before and after the id of the version. */
const [BEFORE_VERSION = '', BEHIND_VERSION = ''] = headText('json', [[VERSION_HEADER, VERSION_MARK]]).split(
  VERSION_MARK,
);

/** The head of the last answer with a version: the next is mostly of the same version. */
let lastVersionId: string | null = null;
let last = PLAIN;

/** The head of a JSON answer without further headers; `versionId` is the version that it describes, if any. */
export function jsonHead(versionId: string | null): AnswerHead {
  if (versionId === null) return PLAIN;
  if (versionId !== lastVersionId) {
    last = new AnswerHead(BEFORE_VERSION + versionId + BEHIND_VERSION);
    lastVersionId = versionId;
  }
  return last;
}

/** The part of a response of uWebSockets.js that an exchange uses; tests replace it. */
export interface ResponsePort {
  onAborted(handler: () => void): unknown;
  /** A part is valid during the call only. */
  onData(handler: (part: ArrayBuffer, isLast: boolean) => void): unknown;
  /** Reads no more from the connection until `resume`; data that has arrived may still come. */
  pause(): unknown;
  resume(): unknown;
  /** `handler` receives the offset of the first byte to send, and returns whether the socket took all that it sent. */
  onWritable(handler: (offset: number) => boolean): unknown;
  cork(task: () => void): unknown;
  writeStatus(line: string): unknown;
  writeHeader(name: string | Uint8Array, value: string | Uint8Array): unknown;
  end(body: string | Uint8Array, closes: boolean): unknown;
  endWithoutBody(): unknown;
  /** Returns whether the socket took all of it, and whether the response is complete. */
  tryEnd(body: Uint8Array, total: number): [isTaken: boolean, isComplete: boolean];
  getWriteOffset(): number;
  close(): unknown;
}

/** Ends an answer after its headers, which describe `body`, without sending the body. */
export function endHead(
  res: ResponsePort,
  body: Pick<Uint8Array, 'byteLength'> | null,
  closes: boolean,
): void {
  if (closes) {
    // Only this call makes the library close the connection. It also writes `Content-Length: 0`.
    res.end('', true);
    return;
  }
  // As a plain header: if the library knows the length, it waits for a body.
  if (body !== null) res.writeHeader('Content-Length', String(body.byteLength));
  res.endWithoutBody();
}

/**
 * Maximum bytes passed to the socket in one turn of the event loop. Small answers must not wait longer for a large one than for an evaluation. Smaller parts cost more: the
 * rest is copied, which causes garbage collections, and waits for later turns.
 */
const PART_BYTES = 512 * 1024;

interface BodyOwner {
  /** True after the client has disconnected: the response must not be used any more. */
  readonly isOver: boolean;
  /** Called once, when the library has the last byte; not if the client disconnects before. */
  end(): void;
}

/** Sends the body after status and headers. Without `isKept`, bytes that cannot be sent at once are copied. */
export function sendBody(res: ResponsePort, body: Uint8Array, isKept: boolean, owner: BodyOwner): void {
  const total = body.byteLength;
  const [isTaken, isAll] = res.tryEnd(total > PART_BYTES ? body.subarray(0, PART_BYTES) : body, total);
  if (isAll) {
    owner.end();
    return;
  }
  const start = res.getWriteOffset();
  const rest = isKept ? body.subarray(start) : Buffer.from(body.subarray(start));
  const sendFrom = (offset: number): boolean => {
    const at = offset - start;
    const [isFlushed, isDone] = res.tryEnd(rest.subarray(at, at + PART_BYTES), total);
    if (isDone) owner.end();
    else if (isFlushed) setImmediate(sendMore);
    return isFlushed;
  };
  const sendMore = (): void => {
    if (!owner.isOver) res.cork(() => sendFrom(res.getWriteOffset()));
  };
  res.onWritable(sendFrom);
  if (isTaken) setImmediate(sendMore);
}

/**
 * Sends a body part by part: the next part is read when the socket has taken the last one. `failed` is called when it cannot
 * be read.
 */
export function sendStreamed(
  res: ResponsePort,
  body: StreamedBody,
  owner: BodyOwner,
  failed: (cause: unknown) => void,
): void {
  const total = body.byteLength;
  let part: Uint8Array = new Uint8Array(0);
  let start = 0;
  const sendFrom = (offset: number): boolean => {
    const [isTaken, isDone] = res.tryEnd(part.subarray(offset - start), total);
    if (isDone) owner.end();
    else if (isTaken) readNext();
    return isTaken;
  };
  const readNext = (): void => {
    start += part.length;
    body.read(start, PART_BYTES).then((read) => {
      part = read;
      if (!owner.isOver) res.cork(() => sendFrom(start));
    }, failed);
  };
  res.onWritable(sendFrom);
  readNext();
}

const OUTPUT_BYTES_INITIAL = 64 * 1024;
const OUTPUT_BYTES_MAX = 1024 * 1024;

let output = latin1Buffer(OUTPUT_BYTES_INITIAL);

/** The bytes of an answer, in a buffer of their own. */
export function ownBytes(text: AnswerText): Buffer {
  const bytes = latin1Buffer(lengthOf(text));
  writeAscii(text, bytes);
  return bytes;
}

/** The bytes of an answer, in a buffer that the next call reuses; an answer above 1 MiB gets its own buffer. */
export function asciiBytes(text: AnswerText): Uint8Array {
  const length = lengthOf(text);
  if (length > output.length) {
    if (length > OUTPUT_BYTES_MAX) return ownBytes(text);
    output = latin1Buffer(Math.min(2 ** Math.ceil(Math.log2(length)), OUTPUT_BYTES_MAX));
  }
  writeAscii(text, output);
  return output.subarray(0, length);
}
