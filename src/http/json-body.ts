/**
 * JSON bodies: what the head must say about them, how their bytes are gathered within a limit, and how they
 * are read. Only UTF-8 without a byte order mark is JSON on the wire (RFC 8259, section 8.1).
 */
import { Buffer, isAscii, isUtf8 } from 'node:buffer';
import { type Failure, invalid, type Outcome, success } from '../domain/failure.ts';
import type { RequestHead } from './request-head.ts';

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = new RegExp(`^;[ \\t]*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)"))?[ \\t]*`);
const JSON_TYPE = /^application\/json[ \t]*/i;

/** `application/json` with any parameters; a charset must be UTF-8. */
export function isJsonType(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const type = JSON_TYPE.exec(contentType);
  if (type === null) return false;
  let rest = contentType.slice(type[0].length);
  while (rest !== '') {
    const parameter = PARAMETER.exec(rest);
    if (parameter === null) return false;
    const [whole, name, token, quoted] = parameter;
    if (name?.toLowerCase() === 'charset' && (token ?? quoted ?? '').toLowerCase() !== 'utf-8') return false;
    rest = rest.slice(whole.length);
  }
  return true;
}

export const tooLarge = (bytesMax: number): Failure =>
  invalid(`the body must be at most ${bytesMax.toLocaleString('en-US')} bytes`);

/** What the head alone says against the body, or null. */
export function findBodyHeadDefect(head: RequestHead, bytesMax: number): Failure | null {
  if (!isJsonType(head.contentType)) {
    return invalid('header Content-Type must be application/json, in UTF-8 when it names a charset');
  }
  if (head.contentEncoding !== '' && head.contentEncoding.toLowerCase() !== 'identity') {
    return invalid('header Content-Encoding must be absent: compressed bodies are not accepted');
  }
  if (head.contentLength !== null && head.contentLength > bytesMax) return tooLarge(bytesMax);
  return null;
}

/** Gathers a body that comes in parts. Holds at most the limit, and copies: a part is gone after its call. */
export class BodyParts {
  readonly #bytesMax: number;
  readonly #declaredBytes: number | null;
  #gathered: Buffer | null = null;
  #length = 0;

  constructor(bytesMax: number, declaredBytes: number | null) {
    this.#bytesMax = bytesMax;
    this.#declaredBytes = declaredBytes;
  }

  /** False when the body is over its limit; what was gathered is dropped. */
  add(part: ArrayBuffer): boolean {
    const length = this.#length + part.byteLength;
    if (length > this.#bytesMax) {
      this.#gathered = null;
      return false;
    }
    if (part.byteLength > 0) {
      this.#reserve(length).set(new Uint8Array(part), this.#length);
      this.#length = length;
    }
    return true;
  }

  bytes(): Buffer {
    return this.#gathered === null ? Buffer.alloc(0) : this.#gathered.subarray(0, this.#length);
  }

  /** Room for `length` bytes. Doubled, so that copying stays linear and a length that is only told takes no memory. */
  #reserve(length: number): Buffer {
    if (this.#gathered !== null && this.#gathered.length >= length) return this.#gathered;
    const atMost = this.#declaredBytes ?? this.#bytesMax;
    const wanted = Math.max(length, Math.min(2 * length, atMost));
    const roomier = Buffer.allocUnsafeSlow(wanted);
    if (this.#gathered !== null) roomier.set(this.#gathered.subarray(0, this.#length));
    this.#gathered = roomier;
    return roomier;
  }
}

export interface ParsedBody {
  readonly value: unknown;
  /** The JSON text; null when the request came without a body. */
  readonly text: string | null;
}

/** The text that the bytes are, which may be JSON. */
export function bodyText(bytes: Buffer): Outcome<string> {
  if (bytes.length === 0) return invalid('the body is empty: a JSON object is expected');
  // The check costs a hundredth of the parse, and an ASCII text takes half the memory.
  if (isAscii(bytes)) return success(bytes.toString('latin1'));
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return invalid('the body must not begin with a byte order mark');
  }
  return isUtf8(bytes) ? success(bytes.toString('utf8')) : invalid('the body is not valid UTF-8');
}

/** The value that the bytes are the JSON text of. */
export function parseJsonBody(bytes: Buffer): Outcome<ParsedBody> {
  const text = bodyText(bytes);
  return text.ok ? parseJsonText(text.value) : text;
}

export function parseJsonText(text: string): Outcome<ParsedBody> {
  try {
    return success({ value: JSON.parse(text) as unknown, text });
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    return invalid(
      `the body is not valid JSON${position === undefined ? '' : ` (at character ${position})`}`,
    );
  }
}
