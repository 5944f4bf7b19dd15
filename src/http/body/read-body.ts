/**
 * Reads the value of a body from its bytes: digest, encoding, JSON, permission of its action, shape.
 * Bodies of every length are read by the same steps. A short one is read at once. One of more than `LONG_BODY_BYTES` is
 * read in slices between other requests, by the event loop itself: to hand over a value from a worker thread takes the
 * loop longer than to parse it (see `readJsonSteps`).
 */
import { Buffer } from 'node:buffer';
import { joinSteps, lengthOf } from '../../bytes/joined-bytes.ts';
import { readJsonSteps } from '../../bytes/json-reading.ts';
import type { SharedBytes } from '../../bytes/shared-bytes.ts';
import { type Failure, type Outcome, success } from '../../domain/failure.ts';
import type { ShouldYield, WorkSteps } from '../../pace/work-steps.ts';
import type { ShopAccess } from '../../shop/shop-access.ts';
import { shapeFailure } from '../../wire/schema-check.ts';
import type { RequestHead } from '../request-head.ts';
import type { BodyRow } from '../route.ts';
import { beginDigest, endDigest } from '../write-request.ts';
import { findEncodingDefect, notJson } from './json-body.ts';

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
