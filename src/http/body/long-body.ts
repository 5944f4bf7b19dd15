/**
 * Bodies of megabytes, read in steps beside other requests: the digest, the bytes in one, their encoding, the JSON,
 * the schema. What is wrong is refused in the words that a short body gets.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import { joinSteps, lengthOf } from '../../bytes/joined-bytes.ts';
import { readJsonSteps } from '../../bytes/json-reading.ts';
import type { SharedBytes } from '../../bytes/shared-bytes.ts';
import type { Failure, Outcome } from '../../domain/failure.ts';
import { success } from '../../domain/failure.ts';
import type { ShouldYield, WorkSteps } from '../../pace/work-steps.ts';
import type { ShopAccess } from '../../shop/shop-access.ts';
import { type ShapeDefect, shapeFailure } from '../../wire/schema-check.ts';
import type { RequestHead } from '../request-head.ts';
import type { BodyRow } from '../route.ts';
import { beginDigest, endDigest } from '../write-request.ts';
import { BYTE_ORDER_MARK, beginsWithMark, NOT_UTF8, notJson } from './json-body.ts';

/** A shorter body is read at once: that takes some two milliseconds. */
export const LONG_BODY_BYTES = 262_144;

/** What is looked at between two looks at the clock. */
const CHUNK_BYTES = 65_536;

/** The value of a body. */
export interface ReadValue {
  readonly value: unknown;
  /** Of one that does not have its shape: the shop is asked for nothing but its refusal. */
  readonly refuse?: (shop: ShopAccess, shouldYield: ShouldYield) => WorkSteps<Failure>;
}

export interface LongBody {
  readonly bytes: Buffer<SharedArrayBuffer>;
  /** The same bytes, for other threads. */
  readonly text: SharedBytes;
  readonly isAscii: boolean;
  /** Of the request, when it was asked for. */
  readonly digest: string | null;
}

/** Puts a body together; `parts` is empty afterwards. */
export function* joinBodySteps(
  head: RequestHead,
  parts: Buffer[],
  isDigestWanted: boolean,
  shouldYield: ShouldYield,
): WorkSteps<Outcome<LongBody>> {
  let digest: string | null = null;
  if (isDigestWanted) {
    const hash = beginDigest(head, createHash('sha256'));
    for (const part of parts) yield* addSteps(hash, part, shouldYield);
    digest = endDigest(hash);
  }
  const bytes = Buffer.from(new SharedArrayBuffer(lengthOf(parts)));
  yield* joinSteps(parts, bytes, shouldYield);
  const encoding = yield* encodingSteps(bytes, shouldYield);
  if (!encoding.ok) return encoding;
  const text = new Uint8Array(bytes.buffer);
  return success({ bytes, text, isAscii: encoding.value === 'ascii', digest });
}

/** A value in which these are the first defects of its shape: refused here, or by the shop if that has more to say. */
export function misshapenValue(
  { refuse }: BodyRow,
  value: unknown,
  defects: readonly ShapeDefect[],
): Outcome<ReadValue> {
  if (refuse === undefined) return shapeFailure(defects);
  return success({ value, refuse: (shop, shouldYield) => refuse(shop, value, defects, shouldYield) });
}

/** The value of a body as its schema wants it, or one that is to be refused. */
export function* readBodySteps(
  body: LongBody,
  row: BodyRow,
  forbidden: (value: unknown) => Failure | null,
  shouldYield: ShouldYield,
): WorkSteps<Outcome<ReadValue>> {
  let value: unknown;
  try {
    value = yield* readJsonSteps(body, shouldYield);
  } catch (error) {
    if (error instanceof SyntaxError) return notJson(error);
    throw error;
  }
  const refusal = forbidden(value);
  if (refusal !== null) return refusal;
  const defects = yield* row.check.shapeDefectSteps(value, row.defectsShown, shouldYield);
  return defects.length === 0 ? success({ value }) : misshapenValue(row, value, defects);
}

function* addSteps(hash: Hash, bytes: Buffer, shouldYield: ShouldYield): WorkSteps<void> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    hash.update(bytes.subarray(at, at + CHUNK_BYTES));
    if (shouldYield()) yield;
  }
}

function* encodingSteps(bytes: Buffer, shouldYield: ShouldYield): WorkSteps<Outcome<'ascii' | 'utf8'>> {
  if (beginsWithMark(bytes)) return BYTE_ORDER_MARK;
  let encoding: 'ascii' | 'utf8' = 'ascii';
  for (let at = 0; at < bytes.length; ) {
    const end = endOfCharacter(bytes, Math.min(bytes.length, at + CHUNK_BYTES));
    const chunk = bytes.subarray(at, end);
    if (!isAscii(chunk)) {
      encoding = 'utf8';
      if (!isUtf8(chunk)) return NOT_UTF8;
    }
    if (shouldYield()) yield;
    at = end;
  }
  return success(encoding);
}

/** The first place from here on that is not within a character, if it is one of UTF-8. */
function endOfCharacter(bytes: Buffer, wanted: number): number {
  let end = wanted;
  while (end < bytes.length && end < wanted + 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end++;
  return end;
}
