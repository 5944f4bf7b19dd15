/**
 * JSON scanner: reads the tokens of a JSON text from its bytes, for a reader that knows which fields may come. It
 * knows the usual ways of writing them and no other; `isUnusual` says that it met one that it leaves to `JSON.parse`.
 */
import { Buffer } from 'node:buffer';

const NO_BYTES = new Uint8Array(0);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DIGIT_ZERO = 0x30;

export const COMMA = 0x2c;
export const OBJECT_START = 0x7b;
export const OBJECT_END = 0x7d;
export const ARRAY_START = 0x5b;
export const ARRAY_END = 0x5d;

const NULL = Buffer.from('null');
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

/** What a byte is within a text of valid UTF-8; 2 to 4: the first of so many that are one character. */
const INNER = { plain: 0, end: 1, unusual: 5 } as const;
const INNER_OF = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === QUOTE) return INNER.end;
  if (byte < 0x20 || byte === BACKSLASH) return INNER.unusual;
  if (byte < 0x80) return INNER.plain;
  return byte < 0xc0 ? INNER.unusual : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
});

/**
 * The fields of one kind of object. A client writes them in the same order every time: the one that
 * came after a field before is looked for first. Measured: without that a cart takes a quarter longer to read.
 */
export class FieldNames {
  /** As they stand in a JSON text, with quotes and colon. */
  readonly names: readonly Uint8Array[];
  /** The field to look for at the beginning, then behind each field. */
  readonly likely: Uint8Array;

  /** Told by their places in this list. */
  constructor(names: readonly string[]) {
    this.names = names.map((name) => Buffer.from(`"${name}":`));
    this.likely = Uint8Array.from({ length: this.names.length + 1 }, (_, at) => at % this.names.length);
  }
}

/** No field: before the first of an object, or a name that is not known. */
export const NO_FIELD = -1;

export class JsonScanner {
  /** True from the first unusual token on; what is read after it means nothing. */
  isUnusual = false;
  #bytes: Uint8Array = NO_BYTES;
  #text = '';
  #at = 0;
  /** Bytes up to `#at` beyond the UTF-16 units that they are in the text. */
  #excess = 0;

  /** `bytes` are valid UTF-8, and `text` is what they say. */
  begin(bytes: Uint8Array, text: string): void {
    this.#bytes = bytes;
    this.#text = text;
    this.#at = 0;
    this.#excess = 0;
    this.isUnusual = false;
  }

  /** Forgets the text, so that a scanner at rest keeps none alive; true when all of it was read. */
  end(): boolean {
    this.#skipSpace();
    const isAtEnd = this.#at === this.#bytes.length;
    this.#bytes = NO_BYTES;
    this.#text = '';
    return isAtEnd && !this.isUnusual;
  }

  /** Steps over a byte of punctuation; false when another byte is there. */
  take(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) {
      this.#skipSpace();
      if (this.#bytes[this.#at] !== byte) return false;
    }
    this.#at++;
    return true;
  }

  /** The number of the field whose name comes next, `before` being the one that came before it; or `NO_FIELD`. */
  field({ names, likely }: FieldNames, before: number): number {
    if (this.#bytes[this.#at] !== QUOTE) this.#skipSpace();
    const guess = likely[before + 1] as number;
    if (this.#takeAll(names[guess] as Uint8Array)) return guess;
    for (let field = 0; field < names.length; field++) {
      if (!this.#takeAll(names[field] as Uint8Array)) continue;
      likely[before + 1] = field;
      return field;
    }
    return NO_FIELD;
  }

  /** A text without escapes, or null. */
  textOrNull(): string | null {
    const bytes = this.#bytes;
    if (!this.take(QUOTE)) return this.nullValue();
    let at = this.#at;
    const start = at - this.#excess;
    for (;;) {
      // Most of the bytes of a cart go through this line. Past the end there is no kind.
      let inner = INNER_OF[bytes[at] as number];
      while (inner === INNER.plain) inner = INNER_OF[bytes[++at] as number];
      if (inner === INNER.end) break;
      if (inner === undefined || inner === INNER.unusual) return this.giveUp();
      at += inner;
      // Four bytes are two units of UTF-16, fewer are one.
      this.#excess += inner === 2 ? 1 : 2;
    }
    this.#at = at + 1;
    return this.#text.slice(start, at - this.#excess);
  }

  /** A whole number of these bounds, of digits only. */
  count(minimum: number, maximum: number): number {
    const bytes = this.#bytes;
    let digit = (bytes[this.#at] as number) - DIGIT_ZERO;
    if (!isDigit(digit)) {
      this.#skipSpace();
      digit = (bytes[this.#at] as number) - DIGIT_ZERO;
    }
    let at = this.#at;
    let value = 0;
    while (isDigit(digit) && value <= maximum) {
      value = value * 10 + digit;
      digit = (bytes[++at] as number) - DIGIT_ZERO;
    }
    const digits = at - this.#at;
    const hasLeadingZero = digits > 1 && bytes[this.#at] === DIGIT_ZERO;
    // Whatever comes behind the digits is looked at by who asks for what comes next.
    if (digits === 0 || hasLeadingZero || value < minimum || value > maximum) this.giveUp();
    this.#at = at;
    return value;
  }

  flagOrNull(): boolean | null {
    this.#skipSpace();
    if (this.#takeAll(TRUE)) return true;
    return this.#takeAll(FALSE) ? false : this.nullValue();
  }

  /** The only other value that one may be which is none of its own kind. */
  nullValue(): null {
    this.#skipSpace();
    return this.#takeAll(NULL) ? null : this.giveUp();
  }

  /** Leaves the text to others. */
  giveUp(): null {
    this.isUnusual = true;
    return null;
  }

  #takeAll(wanted: Uint8Array): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    for (let i = 0; i < wanted.length; i++) if (bytes[start + i] !== wanted[i]) return false;
    this.#at = start + wanted.length;
    return true;
  }

  #skipSpace(): void {
    const bytes = this.#bytes;
    while (isSpace(bytes[this.#at])) this.#at++;
  }
}

const isDigit = (value: number): boolean => value >= 0 && value <= 9;

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
