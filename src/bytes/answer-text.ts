/** Answer text: the JSON text of an answer before it is encoded; and the bytes of texts. */
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

/**
 * Buffer with the function that `write` calls. Measured: calling it without the argument checks saves 4 % of the time
 * of an answer of 11 KB.
 */
export type Latin1Buffer = Buffer & { latin1Write(text: string, at: number, length: number): number };

/** A new buffer that is not part of the shared pool. */
export const latin1Buffer = (bytes: number) => Buffer.allocUnsafeSlow(bytes) as Latin1Buffer;

/** A buffer over existing memory. */
export const latin1BufferOf = (memory: ArrayBuffer | SharedArrayBuffer, bytes: number) =>
  Buffer.from(memory, 0, bytes) as Latin1Buffer;

/** The text itself, or the text in UTF-8 bytes. */
export const textOf = (text: string | Uint8Array): string =>
  typeof text === 'string' ? text : Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString();

/** Total length of the texts in UTF-8 bytes. */
export const bytesOfTexts = (texts: readonly string[]): number =>
  texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);

/** Writes parts of ASCII text in order, beginning at `start`; `to` must have room. */
export function writeAscii(parts: readonly string[], to: Latin1Buffer, start = 0): void {
  let at = start;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string;
    at += to.latin1Write(part, at, part.length);
  }
}
