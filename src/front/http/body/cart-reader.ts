/**
 * Cart reader: parses a simulate request from its bytes in one pass, without `JSON.parse` and a schema check. It derives
 * from the schema and reads the usual forms of a body. Every other body is left to `JSON.parse` and the schema check, which
 * also make all refusals.
 */
import { Buffer } from 'node:buffer';
import { type SimulateRequest, simulateRequestSchema } from '../../../engine/domain/cart.ts';
import type { SchemaNode } from '../../../engine/wire/schema-check.ts';

const NO_BYTES = new Uint8Array(0);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DIGIT_ZERO = 0x30;

const COMMA = 0x2c;
const OBJECT_START = 0x7b;
const OBJECT_END = 0x7d;
const ARRAY_START = 0x5b;
const ARRAY_END = 0x5d;

const NULL = Buffer.from('null');
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

/** Kinds of bytes in valid UTF-8. 2 to 4: the first byte of a character of that many bytes. */
const INNER = { plain: 0, end: 1, unusual: 5 } as const;
const INNER_OF = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === QUOTE) return INNER.end;
  if (byte < 0x20 || byte === BACKSLASH) return INNER.unusual;
  if (byte < 0x80) return INNER.plain;
  return byte < 0xc0 ? INNER.unusual : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
});

/** Reads one value; null when the scanner gives up, or for a null that the schema accepts. */
type ReadValue = (scanner: JsonScanner) => unknown;

export class CartReader {
  readonly #scanner = new JsonScanner();
  readonly #read: ReadValue;

  constructor(itemsMax: number) {
    this.#read = readerOf(simulateRequestSchema(itemsMax) as SchemaNode);
  }

  /**
   * The request as `JSON.parse` would read it, which passes the schema, with null for absent fields; null when the body is
   * left to `JSON.parse`. `bytes` must be valid UTF-8, and `text` their decoded form.
   */
  read(bytes: Uint8Array, text: string): SimulateRequest | null {
    this.#scanner.begin(bytes, text);
    const request = this.#read(this.#scanner) as SimulateRequest;
    return this.#scanner.end() ? request : null;
  }
}

/** Of several alternatives, only the first is read: it is the usual one. */
function readerOf(schema: SchemaNode): ReadValue {
  const { anyOf } = schema;
  const isNullable = anyOf?.some(({ type }) => type === 'null') === true;
  const node = anyOf?.[0] ?? schema;
  switch (node.type) {
    case 'object':
      return recordReader(node, isNullable);
    case 'array':
      return listReader(node);
    case 'integer': {
      const { minimum = 0, maximum = 0 } = node;
      if (isNullable) return (scanner) => scanner.countOrNull(minimum, maximum);
      return (scanner) => scanner.count(minimum, maximum);
    }
    case 'boolean':
      return (scanner) => scanner.flagOrNull();
    default: {
      const read = node.pattern === undefined ? textOrNull : patternReader(node.pattern);
      return isNullable ? read : (scanner) => read(scanner) ?? scanner.giveUp();
    }
  }
}

const textOrNull = (scanner: JsonScanner): string | null => scanner.textOrNull();

/** Reads texts that match a pattern. Most texts equal the previous one, so the last match is kept. */
function patternReader(pattern: string): (scanner: JsonScanner) => string | null {
  const expected = new RegExp(pattern);
  let last: string | null = null;
  return (scanner) => {
    const text = scanner.textOrNull();
    if (text === last || text === null) return text;
    if (!expected.test(text)) return scanner.giveUp();
    last = text;
    return text;
  };
}

function listReader({ items = {}, maxItems = 0 }: SchemaNode): ReadValue {
  const readItem = readerOf(items);
  return (scanner) => {
    if (!scanner.take(ARRAY_START)) return scanner.giveUp();
    const list: unknown[] = [];
    do {
      if (list.length === maxItems || scanner.isUnusual) return scanner.giveUp();
      list.push(readItem(scanner));
    } while (scanner.take(COMMA));
    return scanner.take(ARRAY_END) ? list : scanner.giveUp();
  };
}

function recordReader({ properties = {}, required = [] }: SchemaNode, isNullable: boolean): ReadValue {
  const names = Object.keys(properties);
  const readers = Object.values(properties).map(readerOf);
  const fields = new FieldNames(names);
  const empty: Readonly<Record<string, unknown>> = Object.fromEntries(names.map((name) => [name, null]));
  const wanted = required.reduce((bits, name) => bits | (1 << names.indexOf(name)), 0);
  return (scanner) => {
    if (!scanner.take(OBJECT_START)) return isNullable ? scanner.nullValue() : scanner.giveUp();
    // An object without fields counts as absent.
    if (isNullable && scanner.take(OBJECT_END)) return null;
    const record: Record<string, unknown> = { ...empty };
    let seen = 0;
    let field = NO_FIELD;
    do {
      field = scanner.field(fields, field);
      // An unknown or repeated field.
      if (field === NO_FIELD || (seen & (1 << field)) !== 0) return scanner.giveUp();
      seen |= 1 << field;
      record[names[field] as string] = (readers[field] as ReadValue)(scanner);
    } while (scanner.take(COMMA));
    return scanner.take(OBJECT_END) && (seen & wanted) === wanted ? record : scanner.giveUp();
  };
}

/**
 * The fields of one kind of object. Clients write them in the same order every time, so the field that followed last
 * time is tried first.
 */
class FieldNames {
  /** The names as they appear in a JSON text, with quotes and colon. */
  readonly names: readonly Uint8Array[];
  /** The field to try first at the beginning, then after each field. */
  readonly likely: Uint8Array;

  /** A field is identified by its index in this list. */
  constructor(names: readonly string[]) {
    this.names = names.map((name) => Buffer.from(`"${name}":`));
    this.likely = Uint8Array.from({ length: this.names.length + 1 }, (_, at) => at % this.names.length);
  }
}

/** No field: the position before the first field of an object, or an unknown name. */
const NO_FIELD = -1;

/**
 * Reads the tokens of a JSON text from its bytes, for a reader that knows the possible fields. It supports only the usual
 * forms of tokens; `isUnusual` is set when it meets a token that it leaves to `JSON.parse`.
 */
class JsonScanner {
  /** True from the first unusual token on; values read after it are meaningless. */
  isUnusual = false;
  #bytes: Uint8Array = NO_BYTES;
  #text = '';
  #at = 0;
  /** Bytes up to `#at` minus UTF-16 units up to the same position of the text. */
  #excess = 0;

  /** `bytes` must be valid UTF-8, and `text` their decoded form. */
  begin(bytes: Uint8Array, text: string): void {
    this.#bytes = bytes;
    this.#text = text;
    this.#at = 0;
    this.#excess = 0;
    this.isUnusual = false;
  }

  /** Drops the reference to the text, so that an idle scanner keeps no text alive. True when all of it was read. */
  end(): boolean {
    this.#skipSpace();
    const isAtEnd = this.#at === this.#bytes.length;
    this.#bytes = NO_BYTES;
    this.#text = '';
    return isAtEnd && !this.isUnusual;
  }

  /** Skips a byte of punctuation; false when the next byte is another. */
  take(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) {
      this.#skipSpace();
      if (this.#bytes[this.#at] !== byte) return false;
    }
    this.#at++;
    return true;
  }

  /** The index of the next field, or `NO_FIELD`. `before` is the index of the previous field. */
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

  /** A whole number within these bounds, written in digits only. */
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
    // The next read checks the bytes after the digits.
    if (digits === 0 || hasLeadingZero || value < minimum || value > maximum) this.giveUp();
    this.#at = at;
    return value;
  }

  countOrNull(minimum: number, maximum: number): number | null {
    this.#skipSpace();
    return this.#takeAll(NULL) ? null : this.count(minimum, maximum);
  }

  flagOrNull(): boolean | null {
    this.#skipSpace();
    if (this.#takeAll(TRUE)) return true;
    return this.#takeAll(FALSE) ? false : this.nullValue();
  }

  /** Reads a literal null, the only value that a nullable field may have besides its own kind. */
  nullValue(): null {
    this.#skipSpace();
    return this.#takeAll(NULL) ? null : this.giveUp();
  }

  /** Marks the text as unusual: the caller falls back to `JSON.parse`. */
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
