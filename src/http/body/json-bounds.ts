/**
 * Bounds on the structure of a JSON body: levels of nesting, fields of one object, elements of one array, bytes of one
 * text. They are checked on the bytes, in any division into chunks, so a body is refused before it is parsed and, when
 * it arrives in parts, before the rest has arrived.
 *
 * Every valid JSON text within the bounds passes. A text that is not JSON may pass too: the parser refuses it.
 * Cost: one look at each byte, a fixed amount of memory.
 */
import { type Failure, invalid } from '../../domain/failure.ts';
import { POSTAL_CODES_LENGTH_MAX } from '../../domain/text.ts';

/** Arrays and objects around a value, the outermost included (contract section 10). */
export const NESTING_MAX = 64;
/** No record has more than 20 fields. Without a bound, two million names in one object take seconds to store. */
export const FIELDS_MAX = 10_000;
/** A body of 32 MiB has room for about 600,000 of the shortest methods. */
export const ELEMENTS_MAX = 1_000_000;
/** The longest text that a record takes, each character an escape. A text is parsed in one go, however long. */
export const TEXT_BYTES_MAX = 6 * POSTAL_CODES_LENGTH_MAX;

const TOO_DEEP = invalid(`the body must be nested at most ${NESTING_MAX} levels deep`);
const TOO_MANY_FIELDS = invalid(
  `an object in the body must have at most ${FIELDS_MAX.toLocaleString('en-US')} fields`,
);
const TOO_MANY_ELEMENTS = invalid(
  `an array in the body must have at most ${ELEMENTS_MAX.toLocaleString('en-US')} elements`,
);
const TEXT_TOO_LONG = invalid(
  `a text in the body must be at most ${TEXT_BYTES_MAX.toLocaleString('en-US')} bytes`,
);

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Follows the structure of one body through its bytes. */
export class JsonBounds {
  #depth = 0;
  #isInString = false;
  /** The last chunk ended with the backslash of an escape. */
  #isEscaped = false;
  /** Bytes of the newest text so far. */
  #textBytes = 0;
  /** Commas that the open array or object of each level may still have; level 0 is unbounded. */
  readonly #commasLeft = new Int32Array(NESTING_MAX + 1);
  /** The failure for exceeding the bound, by level. */
  readonly #tooMany: Failure[] = [];

  /** The failure of the first bound that the body exceeds within these bytes, or null. Do not call after a failure. */
  add(bytes: Uint8Array): Failure | null {
    const commasLeft = this.#commasLeft;
    const { length } = bytes;
    let at = 0;
    if (this.#isInString) {
      at = this.#stringEnd(bytes, 0) + 1;
      if (this.#textBytes > TEXT_BYTES_MAX) return TEXT_TOO_LONG;
    }
    for (; at < length; at++) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        this.#textBytes = 0;
        at = this.#stringEnd(bytes, at + 1);
        if (this.#textBytes > TEXT_BYTES_MAX) return TEXT_TOO_LONG;
      } else if (byte === COMMA) {
        const left = (commasLeft[this.#depth] as number) - 1;
        if (left < 0 && this.#depth > 0) return this.#tooMany[this.#depth] ?? null;
        commasLeft[this.#depth] = left;
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (this.#depth === NESTING_MAX) return TOO_DEEP;
        this.#depth++;
        commasLeft[this.#depth] = (byte === OPEN_OBJECT ? FIELDS_MAX : ELEMENTS_MAX) - 1;
        this.#tooMany[this.#depth] = byte === OPEN_OBJECT ? TOO_MANY_FIELDS : TOO_MANY_ELEMENTS;
      } else if ((byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) && this.#depth > 0) this.#depth--;
    }
    return null;
  }

  /** The index of the closing quote of a string, searched from `start`; the length of `bytes` when there is none. */
  #stringEnd(bytes: Uint8Array, start: number): number {
    const { length } = bytes;
    let at = this.#isEscaped ? start + 1 : start;
    while (at < length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    this.#textBytes += Math.min(at, length) - start;
    this.#isInString = at >= length;
    this.#isEscaped = at > length;
    return at;
  }
}

/** The failure of the first bound that a whole body exceeds, or null. */
export const findBoundDefect = (bytes: Uint8Array): Failure | null => new JsonBounds().add(bytes);
