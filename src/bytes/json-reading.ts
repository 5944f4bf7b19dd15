/**
 * Reads JSON text in slices: returns the value that `JSON.parse` returns, or throws its error message, without blocking
 * the event loop for the whole text. Long arrays and objects are split at their commas, and `JSON.parse` reads the
 * pieces.
 *
 * Measured with 20,000 methods, 40 MB: `JSON.parse` takes 450 ms in one turn; this takes the same time in turns of 1
 * ms. Parsing in a worker thread costs this thread 900 ms, because a structured clone is slower to read.
 */
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { invariant } from '../runtime/invariant.ts';

/** The longest piece, unless a single string or number is longer. `JSON.parse` reads it in less than a millisecond. */
const PIECE_BYTES = 16_384;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * `bytes` must be valid UTF-8. Throws `SyntaxError` with the message of `JSON.parse`; only the excerpt of the text in
 * the message may differ. The stack limits the nesting depth of arrays and objects longer than a piece; 64 levels are
 * safe.
 */
export function* readJsonSteps(bytes: Buffer, shouldYield: ShouldYield): WorkSteps<unknown> {
  if (bytes.length <= PIECE_BYTES) return JSON.parse(bytes.toString());
  return yield* new JsonReader(bytes, shouldYield).document();
}

/**
 * The shortest texts that bring the parser to the next entry of an array or object, or to the point after its last
 * entry.
 */
const ARRAY = { open: '[', close: ']', afterComma: '[0,', afterEntry: '[0 ' };
type Container = typeof ARRAY;
const OBJECT: Container = { open: '{', close: '}', afterComma: '{"":0,', afterEntry: '{"":0 ' };
const FIELD_VALUE = '{"":';
const NONE = { open: '', close: '' };

class JsonReader {
  readonly #bytes: Buffer;
  readonly #shouldYield: ShouldYield;
  /** The next byte to read. */
  #at = 0;
  /** Bytes before `#at` minus the characters that they encode. */
  #excess = 0;

  constructor(bytes: Buffer, shouldYield: ShouldYield) {
    this.#bytes = bytes;
    this.#shouldYield = shouldYield;
  }

  *document(): WorkSteps<unknown> {
    yield* this.#skipSpace();
    const value = yield* this.#value('');
    yield* this.#skipSpace();
    if (this.#at < this.#bytes.length) this.#fail('0 ', this.#at);
    return value;
  }

  /** Reads the value that begins here; `before` brings the parser to it. */
  *#value(before: string): WorkSteps<unknown> {
    switch (this.#bytes[this.#at]) {
      case OPEN_ARRAY: {
        const elements: unknown[] = [];
        yield* this.#entries(ARRAY, elements);
        return elements;
      }
      case OPEN_OBJECT: {
        const fields = {};
        yield* this.#entries(OBJECT, fields);
        return fields;
      }
      default:
        return this.#parse(this.#endOfScalar(), before);
    }
  }

  /** Reads the array or object that begins here into `result`. */
  *#entries(kind: Container, result: object): WorkSteps<void> {
    const closeByte = kind.close.charCodeAt(0);
    let before = kind.open;
    do {
      this.#at++;
      yield* this.#skipSpace();
      const end = this.#endOfEntries();
      if (end > this.#at) {
        addEntries(result, this.#parse(end, before, kind) as object);
      } else if (this.#bytes[end] === COMMA || this.#bytes[end] === closeByte) {
        // There is no entry here: valid only in an empty array or object.
        if (before !== kind.open || this.#bytes[end] === COMMA) this.#fail(before, end);
      } else if (Array.isArray(result)) {
        result.push(yield* this.#value(before));
      } else {
        const name = yield* this.#name(before);
        setField(result, name, yield* this.#value(FIELD_VALUE));
      }
      if (this.#shouldYield()) yield;
      yield* this.#skipSpace();
      before = kind.afterComma;
    } while (this.#bytes[this.#at] === COMMA);
    if (this.#bytes[this.#at] !== closeByte) this.#fail(kind.afterEntry, this.#at);
    this.#at++;
  }

  /**
   * The end of the entries that begin here and fit in one piece; the current position when the first entry alone is
   * longer, or there is none.
   */
  #endOfEntries(): number {
    const bytes = this.#bytes;
    const limit = Math.min(bytes.length, this.#at + PIECE_BYTES);
    let end = this.#at;
    let depth = 0;
    for (let at = end; at < limit; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) at = this.#endOfText(at, limit) - 1;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (depth === 0) return at;
        depth--;
      } else if (byte === COMMA && depth === 0) end = at;
    }
    return end;
  }

  /** Reads the name of a field and the colon after it. */
  *#name(before: string): WorkSteps<string> {
    if (this.#bytes[this.#at] !== QUOTE) this.#fail(before, this.#at);
    const name = this.#parse(this.#endOfText(this.#at, this.#bytes.length), before) as string;
    yield* this.#skipSpace();
    if (this.#bytes[this.#at] !== COLON) this.#fail(`${before}"" `, this.#at);
    this.#at++;
    yield* this.#skipSpace();
    return name;
  }

  /** The end of the string, number or literal that begins here. */
  #endOfScalar(): number {
    const bytes = this.#bytes;
    if (bytes[this.#at] === QUOTE) return this.#endOfText(this.#at, bytes.length);
    let at = this.#at;
    while (at < bytes.length && !isSpace(bytes[at]) && !isPunctuation(bytes[at])) at++;
    return at;
  }

  /** The position after the string that begins at `start`, or `limit`. */
  #endOfText(start: number, limit: number): number {
    const bytes = this.#bytes;
    for (let at = start + 1; at < limit; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) at++;
    }
    return limit;
  }

  *#skipSpace(): WorkSteps<void> {
    while (isSpace(this.#bytes[this.#at])) {
      this.#at++;
      if (this.#at % PIECE_BYTES === 0 && this.#shouldYield()) yield;
    }
  }

  /**
   * Reads up to `end`: a single value, or entries as a container of their own. `before` brings the parser to this
   * point.
   */
  #parse(end: number, before: string, { open, close }: Pick<Container, 'open' | 'close'> = NONE): unknown {
    const text = this.#bytes.toString('utf8', this.#at, end);
    let value: unknown;
    try {
      value = JSON.parse(open + text + close);
    } catch {
      this.#fail(before, end);
    }
    this.#excess += end - this.#at - text.length;
    this.#at = end;
    return value;
  }

  /** Throws the error of `JSON.parse` for the whole text, whose first error is at `end` or before. */
  #fail(before: string, end: number): never {
    const shift = this.#at - this.#excess - before.length;
    try {
      JSON.parse(before + this.#bytes.toString('utf8', this.#at, end + 1));
    } catch (error) {
      const { message } = error as SyntaxError;
      throw new SyntaxError(message.replace(/position (\d+)/, (_, at) => `position ${Number(at) + shift}`));
    }
    invariant(false, 'what was refused in pieces is refused as a whole');
  }
}

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const isPunctuation = (byte: number | undefined): boolean =>
  byte === COMMA || byte === COLON || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT;

function addEntries(result: object, entries: object): void {
  if (Array.isArray(result)) for (const element of entries as unknown[]) result.push(element);
  else for (const [name, value] of Object.entries(entries)) setField(result, name, value);
}

/**
 * Sets a field as `JSON.parse` does, even if the name is `__proto__`. Using `defineProperty` for all fields takes twice
 * as long.
 */
export function setField(target: object, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  } else Reflect.set(target, name, value);
}
