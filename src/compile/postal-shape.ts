/**
 * Postal shapes: the exact codes that have digits at the same places, and which symbols they have at each.
 * Where these leave few codes for each that is listed, the codes are numbered and a table holds the owner of
 * every one. Patterns of several countries in one zone are of different shapes.
 */
import type { WorkMeter, WorkSteps } from '../runtime/work-steps.ts';
import type { PostalPatterns } from './postal-patterns.ts';
import { ESCAPE_SYMBOL, SYMBOL_OF_UNIT, SYMBOLS } from './postal-symbols.ts';
import type { SymbolTexts } from './symbol-texts.ts';

/** Longer codes have no table. */
export const TABLE_LENGTH_MAX = 10;
/** Each table has to be filled from all prefixes; the shapes of most patterns have one. */
const TABLES_MAX = 16;
/**
 * A table is made for up to so many codes to each exact code or range of the shape. Its blocks then take
 * about as much memory as the nodes of a trie for the same codes.
 */
const CODES_PER_PATTERN_MAX = 160;
/** Fewer patterns of a shape have no table: what it knows of units would take more memory than they do. */
export const TABLE_PATTERNS_MIN = 256;
/** So that numbers of codes are small integers. */
const CODES_MAX = 2 ** 30;
const DIGITS = 10;
const UNITS = 128;
/** No code of the shape has the symbol at this place. */
const ABSENT = -1;

/** Names a shape: a leading 1, then a bit for each place, 1 = no digit. */
export type ShapeName = number;

function shapeNameOfText({ symbols, starts }: SymbolTexts, text: number): ShapeName {
  const end = starts[text + 1] as number;
  let name = 1;
  for (let at = starts[text] as number; at < end; at++)
    name = 2 * name + ((symbols[at] as number) < DIGITS ? 0 : 1);
  return name;
}

/** The shape of the codes of digits of a length, the only ones that ranges hold. */
export const digitsShape = (length: number): ShapeName => 1 << length;

export class PostalShape {
  readonly length: number;
  /** The exact codes of the shape, by index, as they are listed. */
  readonly listed: Int32Array;
  #listedCount = 0;
  /** Numbers of codes are below this. */
  codes = 1;
  /** By 64 x place + symbol: 1 when a listed code has it, and once numbered what it adds to the number. */
  readonly #shares: Int32Array;
  /** By place: how many codes have the same symbols up to it. */
  readonly #widths: Int32Array;

  constructor(length: number, listed: number) {
    this.length = length;
    this.listed = new Int32Array(listed);
    this.#shares = new Int32Array(SYMBOLS * length).fill(ABSENT);
    this.#widths = new Int32Array(length);
  }

  /** Lists an exact code; no number is made for one with an escape. */
  include({ symbols, starts }: SymbolTexts, text: number): void {
    this.listed[this.#listedCount++] = text;
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

/** The shapes that are to have a table; only those of at least so many patterns. */
export function* surveyShapes(
  patterns: PostalPatterns,
  least: number,
  meter: WorkMeter,
): WorkSteps<ReadonlyMap<ShapeName, PostalShape>> {
  const { texts, ranges } = patterns;
  // Most zones list far fewer; to count none of the two thousand shapes took a third of compiling such a zone.
  if (texts.count + ranges.count < least) return new Map();
  const codes = new Int32Array(2 << TABLE_LENGTH_MAX);
  yield* eachCode(patterns, meter, (_text, name) => {
    codes[name] = (codes[name] as number) + 1;
  });
  const counts = Array.from(codes);
  for (let length = 1; length <= TABLE_LENGTH_MAX; length++) {
    counts[digitsShape(length)] = (counts[digitsShape(length)] as number) + ranges.countOf(length);
  }
  const names = [...counts.keys()]
    .filter((name) => name > 1 && (counts[name] as number) >= Math.max(1, least))
    .sort((a, b) => (counts[b] as number) - (counts[a] as number))
    .slice(0, TABLES_MAX);
  const shapes = new Map(
    names.map((name) => [name, new PostalShape(31 - Math.clz32(name), codes[name] as number)]),
  );
  if (shapes.size === 0) return shapes;
  yield* eachCode(patterns, meter, (text, name) => shapes.get(name)?.include(texts, text));
  for (const [name, shape] of shapes) {
    if (name === digitsShape(shape.length) && ranges.countOf(shape.length) > 0) shape.includeDigits();
    if (!shape.number(Math.min(CODES_MAX, CODES_PER_PATTERN_MAX * (counts[name] as number))))
      shapes.delete(name);
  }
  return shapes;
}

/** True when a table of one of the shapes holds the text. */
export function isInTable(
  patterns: PostalPatterns,
  text: number,
  shapes: ReadonlyMap<ShapeName, PostalShape>,
): boolean {
  const { texts } = patterns;
  if (patterns.isPrefix(text) || texts.lengthOf(text) > TABLE_LENGTH_MAX) return false;
  const shape = shapes.get(shapeNameOfText(texts, text));
  return shape !== undefined && shape.firstWith(texts, text) >= 0;
}

/** Every exact code that is not too long for a table. */
function* eachCode(
  patterns: PostalPatterns,
  meter: WorkMeter,
  visit: (text: number, name: ShapeName) => void,
): WorkSteps<void> {
  const { texts } = patterns;
  for (let text = 0; text < texts.count; text++) {
    if (!patterns.isPrefix(text) && texts.lengthOf(text) <= TABLE_LENGTH_MAX) {
      visit(text, shapeNameOfText(texts, text));
    }
    if (meter.spend(2)) yield meter.take();
  }
}
