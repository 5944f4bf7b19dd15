/**
 * Writing answers: status line, headers, body, within one cork, without ever handing the library more than
 * the socket takes. What a slow reader has not taken waits in one buffer of ours until the socket is
 * writable, and the library closes a connection whose next request comes before that, so memory stays flat.
 */
import { Buffer } from 'node:buffer';
import { type AnswerText, lengthOf } from '../bytes/answer-text.ts';
import { latin1Buffer, writeAscii } from '../bytes/text-bytes.ts';
import type { ResponsePort } from './response-port.ts';

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

export interface Answer {
  readonly status: number;
  readonly type: ContentType;
  /** null: a status that has no body. */
  readonly body: Uint8Array | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** How one answer is sent. */
export interface Delivery {
  /** HEAD: the headers of GET, its length among them, and no body, which the client would read as the next answer. */
  readonly headOnly: boolean;
  /** Close the connection behind the answer. */
  readonly closes: boolean;
  readonly owner: BodyOwner;
}

/** Sends within one cork. The response must be neither aborted nor answered. */
export function sendAnswer(res: ResponsePort, answer: Answer, delivery: Delivery): void {
  res.cork(() => {
    const { status, type, headers, body } = answer;
    res.writeStatus(statusLine(status));
    if (body !== null) res.writeHeader('Content-Type', CONTENT_TYPES[type]);
    for (const [name, value] of headers) res.writeHeader(name, value);
    if (delivery.headOnly || body === null) {
      endHead(res, body, delivery.closes);
      delivery.owner.sent();
    } else if (delivery.closes) {
      res.end(body, true);
      delivery.owner.sent();
    } else {
      sendBody(res, body, true, delivery.owner);
    }
  });
}

/** Ends an answer behind its headers; `body` is what they are about. */
export function endHead(res: ResponsePort, body: Uint8Array | null, closes: boolean): void {
  if (closes) {
    // The one end that makes the library close the connection. It says that there are no bytes to come.
    res.end('', true);
    return;
  }
  // As a header of ours: a response that the library is told the length of waits for a body.
  if (body !== null) res.writeHeader('Content-Length', String(body.byteLength));
  res.endWithoutBody();
}

/**
 * Handed to the socket in one turn of the event loop: copying to the kernel takes about half a microsecond per
 * KiB, and small answers must not wait for a large one longer than for an evaluation. What is left for later
 * turns costs more: it is copied, which brings on collections of garbage, and waits for those turns. Measured with
 * answers of 300 KiB at 5 times the capacity: in parts of 64 KiB 60 % of it was answered, in 10 times as long.
 */
const PART_BYTES = 512 * 1024;

/** Whose answer a body is. */
export interface BodyOwner {
  /** True once the client is gone: the response must not be touched then. */
  readonly isOver: boolean;
  /** Called once when the last byte is with the library; not when the client goes away before. */
  sent(): void;
}

/**
 * Sends the body behind status and headers. `isKept`: the bytes stay as they are until all is sent;
 * otherwise what could not be sent at once is copied.
 */
export function sendBody(res: ResponsePort, body: Uint8Array, isKept: boolean, owner: BodyOwner): void {
  if (res.takeBody !== undefined) {
    if (res.takeBody(body)) owner.sent();
    return;
  }
  const total = body.byteLength;
  const [isTaken, isAll] = res.tryEnd(total > PART_BYTES ? body.subarray(0, PART_BYTES) : body, total);
  if (isAll) {
    owner.sent();
    return;
  }
  const start = res.getWriteOffset();
  const rest = isKept ? body.subarray(start) : Buffer.from(body.subarray(start));
  const sendFrom = (offset: number): boolean => {
    const at = offset - start;
    const [isFlushed, isDone] = res.tryEnd(rest.subarray(at, at + PART_BYTES), total);
    if (isDone) owner.sent();
    else if (isFlushed) setImmediate(sendMore);
    return isFlushed;
  };
  const sendMore = (): void => {
    if (!owner.isOver) res.cork(() => sendFrom(res.getWriteOffset()));
  };
  res.onWritable(sendFrom);
  if (isTaken) setImmediate(sendMore);
}

const OUTPUT_BYTES_INITIAL = 64 * 1024;
const OUTPUT_BYTES_MAX = 1024 * 1024;

let output = latin1Buffer(OUTPUT_BYTES_INITIAL);

/** An answer as bytes that are its own. */
export function ownBytes(text: AnswerText): Buffer {
  const bytes = latin1Buffer(lengthOf(text));
  writeAscii(text, bytes);
  return bytes;
}

/** An answer as bytes, in a buffer that the next call uses again; one beyond 1 MiB gets its own. */
export function asciiBytes(text: AnswerText): Uint8Array {
  const length = lengthOf(text);
  if (length > output.length) {
    if (length > OUTPUT_BYTES_MAX) return ownBytes(text);
    output = latin1Buffer(Math.min(2 ** Math.ceil(Math.log2(length)), OUTPUT_BYTES_MAX));
  }
  writeAscii(text, output);
  return output.subarray(0, length);
}
