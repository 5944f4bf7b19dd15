/**
 * JSON bodies: the checks of the head; then, from bytes to a value, digest, encoding, bounds of the structure, JSON,
 * permission of the action, schema. The encoding must be UTF-8 without a byte order mark (RFC 8259, section 8.1).
 */
import { type Buffer, isAscii, isUtf8 } from 'node:buffer';
import { createHash, randomInt } from 'node:crypto';
import { type Failure, invalid, type Outcome, success } from '../../../engine/domain/failure.ts';
import type { RequestHead } from '../request-head.ts';
import type { BodyRow } from '../route.ts';

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = new RegExp(`^;[ \\t]*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)"))?[ \\t]*`);
const JSON_TYPE = /^application\/json[ \t]*/i;
/** The registered name, and the one that many clients send. */
const UTF8_NAME = /^utf-?8$/i;

/** True for `application/json` with any parameters; a charset must be UTF-8. */
export function isJsonType(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const type = JSON_TYPE.exec(contentType);
  if (type === null) return false;
  let rest = contentType.slice(type[0].length);
  while (rest !== '') {
    const parameter = PARAMETER.exec(rest);
    if (parameter === null) return false;
    const [whole, name, token, quoted] = parameter;
    if (name?.toLowerCase() === 'charset' && !UTF8_NAME.test(token ?? quoted ?? '')) return false;
    rest = rest.slice(whole.length);
  }
  return true;
}

export const tooLarge = (bytesMax: number): Failure =>
  invalid(`the body must be at most ${bytesMax.toLocaleString('en-US')} bytes`);

/** The refusal of a body for its head alone, or null. */
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

/** Requests with the same verb, path, query and body, byte for byte, have the same digest. */
export const digestRequest = (head: RequestHead, body: Uint8Array): string =>
  createHash('sha256').update(`${head.verb} ${head.path}?${head.query}\n`).update(body).digest('base64url');

/** Arrays and objects around a value, the outermost included (contract section 10). */
export const NESTING_MAX = 64;
/** The largest lawful import has fewer: one of these and what is in it take at least some 30 bytes there. */
export const CONTAINERS_MAX = 500_000;
/** All records together have fewer than 200. The parser takes fifty times as long for a new name as for a known one. */
export const NAMES_MAX = 4_096;

const TOO_DEEP = invalid(`the body must be nested at most ${NESTING_MAX} levels deep`);
const TOO_MANY_CONTAINERS = invalid(
  `the body must have at most ${CONTAINERS_MAX.toLocaleString('en-US')} arrays and objects`,
);
const TOO_MANY_NAMES = invalid(
  `the fields in the body must have at most ${NAMES_MAX.toLocaleString('en-US')} different names`,
);

const QUOTE = 0x22;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Of this process, so that nobody can choose names that count as one; by chance one pair in 2^32 does. */
const HASH_FACTOR = randomInt(2 ** 31) * 2 + 1;

/**
 * Bounds on the structure of a JSON body: levels of nesting, arrays and objects, and different names of fields. They are
 * checked on the bytes, in chunks of any size: a body is refused before it is parsed and, if it arrives in parts, before
 * the rest of it.
 *
 * Every valid JSON text within the bounds passes. A text that is not JSON may pass too; the parser refuses it. Cost: one
 * pass over the bytes, a fixed amount of memory.
 */
export class JsonBounds {
  #depth = 0;
  #containers = 0;
  #isInString = false;
  /** The last chunk ended with the backslash of an escape. */
  #isEscaped = false;
  /** Of the last text. */
  #hash = 0;
  readonly #names = new Set<number>();

  /** The failure of the first bound that is exceeded within these bytes, or null. Do not call after a failure. */
  add(bytes: Uint8Array): Failure | null {
    const { length } = bytes;
    let at = this.#isInString ? this.#stringEnd(bytes, 0) + 1 : 0;
    for (; at < length; at++) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        this.#hash = 0;
        at = this.#stringEnd(bytes, at + 1);
      } else if (byte === COLON) {
        if (this.#names.add(this.#hash).size > NAMES_MAX) return TOO_MANY_NAMES;
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (this.#depth === NESTING_MAX) return TOO_DEEP;
        if (this.#containers === CONTAINERS_MAX) return TOO_MANY_CONTAINERS;
        this.#depth++;
        this.#containers++;
      } else if ((byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) && this.#depth > 0) this.#depth--;
    }
    return null;
  }

  /** The index of the closing quote of a string, searched from `start`; the length of `bytes` when there is none. */
  #stringEnd(bytes: Uint8Array, start: number): number {
    const { length } = bytes;
    let hash = this.#hash;
    let isEscaped = this.#isEscaped;
    let at = start;
    for (; at < length; at++) {
      const byte = bytes[at] as number;
      if (isEscaped) isEscaped = false;
      else if (byte === QUOTE) break;
      else isEscaped = byte === BACKSLASH;
      hash = Math.imul(hash ^ byte, HASH_FACTOR);
      hash ^= hash >>> 15;
    }
    this.#hash = hash;
    this.#isInString = at === length;
    this.#isEscaped = isEscaped;
    return at;
  }
}

/** The failure of the first bound that a whole body exceeds, or null. */
export const findBoundDefect = (bytes: Uint8Array): Failure | null => new JsonBounds().add(bytes);

/** The refusal of bytes that are not valid text, or null. The check takes a hundredth of the time of the parser. */
function findEncodingDefect(bytes: Buffer): Failure | null {
  if (bytes.length === 0) return invalid('the body is empty: a JSON object is expected');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return invalid('the body must not begin with a byte order mark');
  }
  return isUtf8(bytes) ? null : invalid('the body is not valid UTF-8');
}

export const bodyText = (bytes: Buffer): Outcome<string> =>
  // An ASCII text takes half the memory when it is decoded as Latin-1.
  bytes.length > 0 && isAscii(bytes)
    ? success(bytes.toString('latin1'))
    : (findEncodingDefect(bytes) ?? success(bytes.toString('utf8')));

/** Parses the bytes as JSON, within the bounds of `JsonBounds`. */
export function parseJsonBody(bytes: Buffer): Outcome<unknown> {
  const text = bodyText(bytes);
  if (!text.ok) return text;
  const defect = findBoundDefect(bytes);
  if (defect !== null) return defect;
  try {
    return success(JSON.parse(text.value) as unknown);
  } catch (error) {
    return notJson(error);
  }
}

function notJson(error: unknown): Failure {
  if (!(error instanceof SyntaxError)) throw error;
  const position = /position (\d+)/.exec(error.message)?.[1];
  return invalid(`the body is not valid JSON${position === undefined ? '' : ` (at character ${position})`}`);
}

/**
 * Reads the text of a body within the bounds of `JsonBounds`. `forbidden` checks the permission of the action of a body
 * before its content is checked.
 */
export function readValue(
  row: BodyRow,
  forbidden: (value: unknown) => Failure | null,
  text: string,
): Outcome<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return notJson(error);
  }
  const refusal = forbidden(value);
  if (refusal !== null) return refusal;
  return row.check.check(value) ? success(value) : row.check.failure(value, row.defectsShown);
}
