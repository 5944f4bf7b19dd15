/**
 * Answer text: the JSON text of an answer before it is encoded, and the pieces that it is put together from; and the bytes
 * of texts.
 *
 * Text of answers is ASCII only, because a single other character makes writing the whole answer slower; other
 * characters are escaped.
 */
import { Buffer } from 'node:buffer';

/**
 * The ASCII parts of an answer, in order. Concatenation would build a rope, which V8 copies into new memory before it
 * writes the bytes.
 */
export type AnswerText = readonly string[];

/** Number of characters, which is the number of bytes. */
export function lengthOf(text: AnswerText): number {
  let length = 0;
  for (let i = 0; i < text.length; i++) length += (text[i] as string).length;
  return length;
}

/** The answer as one string, for callers that do not send it. */
export const joinedText = (text: AnswerText): string => text.join('');

/** Buffer with the function that `write` calls after it has checked its arguments. */
export type Latin1Buffer = Buffer & { latin1Write(text: string, at: number, length: number): number };

/** A new buffer that is not part of the shared pool. */
export const latin1Buffer = (bytes: number) => Buffer.allocUnsafeSlow(bytes) as Latin1Buffer;

/** Writes parts of ASCII text in order, beginning at `start`; `to` must have room. */
export function writeAscii(parts: readonly string[], to: Latin1Buffer, start = 0): void {
  let at = start;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string;
    at += to.latin1Write(part, at, part.length);
  }
}

const NOT_ASCII = /[\u007f-\uffff]/g;

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

// Longer texts are rare in a cart, and the scan below does not make them faster.
const PLAIN_LENGTH_MAX = 64;

/** True for printable ASCII without quote and backslash, which JSON does not escape. */
function isPlain(text: string): boolean {
  if (text.length > PLAIN_LENGTH_MAX) return false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x5c) return false;
  }
  return true;
}

/** `text` as a JSON string of printable ASCII with its quotes. Lone surrogates are preserved. */
export const asciiJson = (text: string): string => (isPlain(text) ? `"${text}"` : asciiJsonOf(text));

/** Any JSON value as text of printable ASCII. */
export const asciiJsonOf = (value: unknown): string => JSON.stringify(value).replace(NOT_ASCII, escapeUnit);

// `joined` adds what it reads to this variable; otherwise the optimiser would remove the read.
let unitsRead = 0;

/**
 * Returns the same text as one flat string. Concatenation in V8 only links the parts, and each part costs time
 * when the answer is written, so text that is used in many answers is flattened once. Reading a character from the
 * middle makes V8 flatten the string.
 */
export function joined(text: string): string {
  unitsRead = (unitsRead + text.charCodeAt(text.length >> 1)) | 0;
  return text;
}
