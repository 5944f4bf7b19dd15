/**
 * JSON bodies: checks of the head, and decoding of the bytes to text and to a value. Only UTF-8 without a byte
 * order mark is JSON on the wire (RFC 8259, section 8.1).
 */
import { type Buffer, isAscii, isUtf8 } from 'node:buffer';
import { type Failure, invalid, type Outcome, success } from '../../domain/failure.ts';
import type { RequestHead } from '../request-head.ts';
import { findBoundDefect } from './json-bounds.ts';

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

/** The refusal of a body that follows from the head alone, or null. */
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

/** The refusal of bytes that are not valid text, or null. The check costs a hundredth of the parse. */
export function findEncodingDefect(bytes: Buffer): Failure | null {
  if (bytes.length === 0) return invalid('the body is empty: a JSON object is expected');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return invalid('the body must not begin with a byte order mark');
  }
  return isUtf8(bytes) ? null : invalid('the body is not valid UTF-8');
}

/** Decodes the bytes to text, without parsing it. */
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

/** The refusal of a text for which `JSON.parse` throws this error. */
export function notJson(error: unknown): Failure {
  if (!(error instanceof SyntaxError)) throw error;
  const position = /position (\d+)/.exec(error.message)?.[1];
  return invalid(`the body is not valid JSON${position === undefined ? '' : ` (at character ${position})`}`);
}
