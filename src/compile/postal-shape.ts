/**
 * Postal shapes: which symbols the exact codes of one length have at each of their places. Where these
 * leave few codes for each that is listed, the codes are numbered and a table holds the owner of every one.
 */
import type { WorkMeter, WorkSteps } from '../runtime/work-steps.ts';
import type { PostalPatterns } from './postal-patterns.ts';
import { ESCAPE_SYMBOL, SYMBOL_OF_UNIT, SYMBOLS } from './postal-symbols.ts';
import type { SymbolTexts } from './symbol-texts.ts';

/** Longer codes have no table. */
export const TABLE_LENGTH_MAX = 10;
/**
 * A table is made for up to so many codes to each exact code or range of that length. Its blocks then take
 * about as much memory as the nodes of a trie for the same codes.
 */
const CODES_PER_PATTERN_MAX = 160;
/** Fewer patterns of a length have no table: what it knows of units would take more memory than they do. */
export const TABLE_PATTERNS_MIN = 256;
/** So that numbers of codes are small integers. */
const CODES_MAX = 2 ** 30;
const DIGITS = 10;
const UNITS = 128;
/** No code of the shape has the symbol at this place. */
const ABSENT = -1;

export class PostalShape {
  readonly length: number;
  /** Numbers of codes are below this. */
  codes = 1;
  /** By 64 x place + symbol: 1 when a listed code has it, and once numbered what it adds to the number. */
  readonly #shares: Int32Array;
  /** By place: how many codes have the same symbols up to it. */
  readonly #widths: Int32Array;

  constructor(length: number) {
    this.length = length;
    this.#shares = new Int32Array(SYMBOLS * length).fill(ABSENT);
    this.#widths = new Int32Array(length);
  }

  /** A text of the shape's length; one with an escape is left out. */
  include({ symbols, starts }: SymbolTexts, text: number): void {
    const start = starts[text] as number;
    for (let place = 0; place < this.length; place++) {
      const symbol = symbols[start + place] as number;
      if (symbol >= ESCAPE_SYMBOL) return;
      this.#shares[SYMBOLS * place + symbol] = 1;
    }
  }

  includeDigits(): void {
    for (let place = 0; place < this.length; place++) {
      this.#shares.fill(1, SYMBOLS * place, SYMBOLS * place + DIGITS);
    }
  }

  /** Numbers the codes in ascending order; false when there are more than `most`. */
  number(most: number): boolean {
    for (let place = this.length - 1; place >= 0; place--) {
      this.#widths[place] = this.codes;
      let rank = 0;
      for (let at = SYMBOLS * place; at < SYMBOLS * (place + 1); at++) {
        if (this.#shares[at] !== ABSENT) this.#shares[at] = this.codes * rank++;
      }
      this.codes *= rank;
      if (this.codes > most) return false;
    }
    return true;
  }

  get isOfDigits(): boolean {
    return this.#shares.every((share, at) => share === ABSENT || at % SYMBOLS < DIGITS);
  }

  /** The first number of the codes that begin with a text, or -1 if none of the shape can. */
  firstWith({ symbols, starts }: SymbolTexts, text: number): number {
    const start = starts[text] as number;
    const length = (starts[text + 1] as number) - start;
    if (length > this.length) return ABSENT;
    let number = 0;
    for (let place = 0; place < length; place++) {
      const share = this.#shares[SYMBOLS * place + (symbols[start + place] as number)] as number;
      if (share === ABSENT) return ABSENT;
      number += share;
    }
    return number;
  }

  /** How many codes begin with a text of so many symbols of the shape. */
  codesWith(length: number): number {
    return length === 0 ? this.codes : (this.#widths[length - 1] as number);
  }

  /** What a unit adds to the number, by 128 x place + unit; -1 where no code of the shape has it. */
  sharesByUnit(): Int32Array {
    return Int32Array.from({ length: UNITS * this.length }, (_, at) => {
      const symbol = SYMBOL_OF_UNIT[at % UNITS] as number;
      return symbol < SYMBOLS ? (this.#shares[SYMBOLS * Math.floor(at / UNITS) + symbol] as number) : ABSENT;
    });
  }
}

/** The shapes of the codes that are to have a table, by length; only where there are `least` patterns. */
export function* surveyShapes(
  patterns: PostalPatterns,
  least: number,
  meter: WorkMeter,
): WorkSteps<readonly (PostalShape | undefined)[]> {
  const { texts, ranges } = patterns;
  const counts = Array.from({ length: TABLE_LENGTH_MAX + 1 }, (_, length) => ranges.countOf(length));
  yield* eachCode(patterns, meter, (_text, length) => {
    counts[length] = (counts[length] as number) + 1;
  });
  const shapes = counts.map((count, length) =>
    length > 0 && count >= least ? new PostalShape(length) : undefined,
  );
  if (shapes.every((shape) => shape === undefined)) return [];
  yield* eachCode(patterns, meter, (text, length) => shapes[length]?.include(texts, text));
  return shapes.map((shape, length) => {
    const hasRanges = ranges.countOf(length) > 0;
    if (hasRanges) shape?.includeDigits();
    const most = Math.min(CODES_MAX, CODES_PER_PATTERN_MAX * (counts[length] as number));
    if (shape === undefined || !shape.number(most)) return undefined;
    // Where letters stand among the digits, the codes of a range do not follow each other.
    return hasRanges && !shape.isOfDigits ? undefined : shape;
  });
}

/** Every exact code that is not too long for a table. */
function* eachCode(
  patterns: PostalPatterns,
  meter: WorkMeter,
  visit: (text: number, length: number) => void,
): WorkSteps<void> {
  const { texts } = patterns;
  for (let text = 0; text < texts.count; text++) {
    const length = texts.lengthOf(text);
    if (length <= TABLE_LENGTH_MAX && !patterns.isPrefix(text)) visit(text, length);
    if (meter.spend(2)) yield meter.take();
  }
}
