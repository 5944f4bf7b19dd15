/**
 * JSON bodies: checks of the head, then from the bytes to a value: digest, encoding, JSON, permission of its action,
 * shape. Only UTF-8 without a byte order mark is JSON on the wire (RFC 8259, section 8.1).
 *
 * A body of more than `LONG_BODY_BYTES` is read in slices between other requests, by the event loop itself: to hand over
 * a value from a worker thread takes the loop longer than to parse it (see `readJsonSteps`).
 */
import { Buffer, isAscii, isUtf8 } from 'node:buffer';
import { joinSteps, lengthOf } from '../../bytes/joined-bytes.ts';
import { readJsonSteps } from '../../bytes/json-reading.ts';
import type { SharedBytes } from '../../bytes/shared-bytes.ts';
import { type Failure, invalid, type Outcome, success } from '../../domain/failure.ts';
import type { ShouldYield, WorkSteps } from '../../pace/work-steps.ts';
import type { ShopAccess } from '../../shop/shop-access.ts';
import { shapeFailure } from '../../wire/schema-check.ts';
import type { RequestHead } from '../request-head.ts';
import type { BodyRow } from '../route.ts';
import { beginDigest, endDigest } from '../write-request.ts';
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
function findEncodingDefect(bytes: Buffer): Failure | null {
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
function notJson(error: unknown): Failure {
  if (!(error instanceof SyntaxError)) throw error;
  const position = /position (\d+)/.exec(error.message)?.[1];
  return invalid(`the body is not valid JSON${position === undefined ? '' : ` (at character ${position})`}`);
}

/** The value of a body. */
export interface ReadValue {
  readonly value: unknown;
  /** Present when the body fails its schema: the shop then only makes the refusal. */
  readonly refuse?: (shop: ShopAccess, shouldYield: ShouldYield) => WorkSteps<Failure>;
}

/** The context of reading a body. `forbidden` checks the permission of its action before its content is checked. */
export interface BodyReader {
  readonly row: BodyRow;
  readonly forbidden: (value: unknown) => Failure | null;
}

/** A long body, whose bytes other threads may read. */
export interface ReadLongBody extends ReadValue {
  readonly text: SharedBytes;
  /** The digest of the request, when it was asked for. */
  readonly digest: string | null;
}

/** Joins the parts of a long body and reads it. `parts` is empty afterwards. */
export function* readLongBodySteps(
  reader: BodyReader,
  parts: Buffer[],
  digestOf: RequestHead | null,
  shouldYield: ShouldYield,
): WorkSteps<Outcome<ReadLongBody>> {
  const hash = digestOf === null ? null : beginDigest(digestOf);
  for (const part of hash === null ? [] : parts) {
    hash?.update(part);
    if (shouldYield()) yield;
  }
  const memory = new SharedArrayBuffer(lengthOf(parts));
  const bytes = yield* joinSteps(parts, Buffer.from(memory), shouldYield);
  const defect = findEncodingDefect(bytes);
  if (defect !== null) return defect;
  const read = yield* readValueSteps(reader, bytes, shouldYield);
  if (!read.ok) return read;
  return success({
    ...read.value,
    text: new Uint8Array(memory),
    digest: hash === null ? null : endDigest(hash),
  });
}

/** Reads a text, or the bytes of a long one. */
export function* readValueSteps(
  { row, forbidden }: BodyReader,
  json: string | Buffer,
  shouldYield: ShouldYield,
): WorkSteps<Outcome<ReadValue>> {
  let value: unknown;
  try {
    value = typeof json === 'string' ? JSON.parse(json) : yield* readJsonSteps(json, shouldYield);
  } catch (error) {
    return notJson(error);
  }
  const refusal = forbidden(value);
  if (refusal !== null) return refusal;
  // For a short body a single check is fastest.
  if (typeof json === 'string' && row.check.check(value)) return success({ value });
  const defects = yield* row.check.shapeDefectSteps(value, row.defectsShown, shouldYield);
  if (defects.length === 0) return success({ value });
  const { refuse } = row;
  if (refuse === undefined) return shapeFailure(defects);
  return success({ value, refuse: (shop, yieldNow) => refuse(shop, value, defects, yieldNow) });
}
