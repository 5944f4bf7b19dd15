/**
 * JSON bodies: what the head must say about them, how their bytes are gathered within a limit, and how they
 * are read. Only UTF-8 without a byte order mark is JSON on the wire (RFC 8259, section 8.1).
 */
import { Buffer, isAscii, isUtf8 } from 'node:buffer';
import { type Failure, invalid, type Outcome, success } from '../../domain/failure.ts';
import type { RequestHead } from '../request-head.ts';
import { findBoundDefect } from './json-bounds.ts';

const NO_ROOM = Buffer.alloc(0);
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

/** The buffer of a body that arrives in parts grows by pieces, so that no byte is copied twice. */
const FIRST_PIECE_BYTES = 65_536;
const PIECE_BYTES = 1_048_576;
/** The system assigns memory at its first use, in pages of at least this size. */
const PAGE_BYTES = 4_096;

/** Gathers a body that arrives in parts, up to the limit. Copies each part, which is valid during its call only. */
export class BodyParts {
  readonly #bytesMax: number;
  readonly #declaredBytes: number | null;
  /** All are full but the last, whose free part is `#room`. */
  #pieces: Buffer[] = [];
  #room: Buffer = NO_ROOM;
  /** Pieces allocated before their bytes have arrived. */
  #ahead: Buffer[] = [];
  #aheadBytes = 0;
  #length = 0;

  constructor(bytesMax: number, declaredBytes: number | null) {
    this.#bytesMax = bytesMax;
    this.#declaredBytes = declaredBytes;
  }

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /**
   * Allocates and touches one more piece of the declared length: a copy into untouched memory takes three times as
   * long. False when the whole length is allocated.
   */
  prepare(): boolean {
    const left = (this.#declaredBytes ?? 0) - this.#length - this.#room.length - this.#aheadBytes;
    if (left <= 0) return false;
    const piece = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, left));
    for (let at = 0; at < piece.length; at += PAGE_BYTES) piece[at] = 0;
    this.#ahead.push(piece);
    this.#aheadBytes += piece.length;
    return true;
  }

  /** False when the body is over its limit; what was gathered is dropped. */
  add(part: ArrayBuffer): boolean {
    if (this.#length + part.byteLength > this.#bytesMax) {
      this.#pieces = [];
      this.#ahead = [];
      this.#room = NO_ROOM;
      this.#length = this.#bytesMax;
      return false;
    }
    for (let rest = Buffer.from(part); rest.length > 0; ) {
      if (this.#room.length === 0) this.#addPiece(rest.length);
      const copied = rest.copy(this.#room);
      this.#room = this.#room.subarray(copied);
      rest = rest.subarray(copied);
      this.#length += copied;
    }
    return true;
  }

  /** Bytes from `start` on, which is below `length`: at least one, at most `bytesMax`, and not beyond their piece. */
  slice(start: number, bytesMax: number): Buffer {
    let pieceStart = 0;
    for (const piece of this.pieces()) {
      const at = start - pieceStart;
      if (at < piece.length) return piece.subarray(at, at + bytesMax);
      pieceStart += piece.length;
    }
    return NO_ROOM;
  }

  /** The body in one buffer. */
  bytes(): Buffer {
    const pieces = this.pieces();
    return pieces.length === 1 ? (pieces[0] ?? NO_ROOM) : Buffer.concat(pieces);
  }

  /** The body in its pieces, without a copy. */
  pieces(): Buffer[] {
    const last = this.#pieces.length - 1;
    return this.#pieces.map((piece, at) =>
      at === last ? piece.subarray(0, piece.length - this.#room.length) : piece,
    );
  }

  #addPiece(needed: number): void {
    const ready = this.#ahead.shift();
    const piece = ready ?? this.#freshPiece(needed);
    if (ready !== undefined) this.#aheadBytes -= ready.length;
    this.#pieces.push(piece);
    this.#room = piece;
  }

  /** A declared length reserves nothing: the buffer grows with what has arrived, within bounds. */
  #freshPiece(needed: number): Buffer {
    const wanted = Math.min(PIECE_BYTES, Math.max(needed, this.#length, FIRST_PIECE_BYTES));
    const left = (this.#declaredBytes ?? this.#bytesMax) - this.#length;
    return Buffer.allocUnsafeSlow(Math.min(wanted, Math.max(left, Math.min(needed, PIECE_BYTES))));
  }
}

export const beginsWithMark = (bytes: Buffer): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
export const BYTE_ORDER_MARK = invalid('the body must not begin with a byte order mark');
export const NOT_UTF8 = invalid('the body is not valid UTF-8');

/** The text that the bytes are, which may be JSON. */
export function bodyText(bytes: Buffer): Outcome<string> {
  if (bytes.length === 0) return invalid('the body is empty: a JSON object is expected');
  // The check costs a hundredth of the parse, and an ASCII text takes half the memory.
  if (isAscii(bytes)) return success(bytes.toString('latin1'));
  if (beginsWithMark(bytes)) return BYTE_ORDER_MARK;
  return isUtf8(bytes) ? success(bytes.toString('utf8')) : NOT_UTF8;
}

/** The value that the bytes are the JSON text of, within the bounds of `JsonBounds`. */
export function parseJsonBody(bytes: Buffer): Outcome<unknown> {
  const text = bodyText(bytes);
  if (!text.ok) return text;
  return findBoundDefect(bytes) ?? parseJsonText(text.value);
}

export function parseJsonText(text: string): Outcome<unknown> {
  try {
    return success(JSON.parse(text) as unknown);
  } catch (error) {
    return notJson(error);
  }
}

/** The refusal of a text for which `JSON.parse` throws this. */
export function notJson(error: unknown): Failure {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return invalid(`the body is not valid JSON${position === undefined ? '' : ` (at character ${position})`}`);
}
