/**
 * Symbol texts: many short texts in two flat arrays, and their order. A million strings as objects, each
 * compared as one, took most of the time in which a large zone was compiled.
 */

import { PIECE_UNITS, type WorkMeter, type WorkSteps } from '../runtime/work-steps.ts';
import { ESCAPED, escapeSymbol, SYMBOLS, SYMBOLS_PER_UNIT_MAX, symbolOf } from './postal-symbols.ts';

/** Groups up to this size are sorted by insertion; measured: half as many or twice as many are slower. */
const INSERTION_MAX = 12;
/** Texts longer than this are not compared symbol by symbol, which two long equal ones would make slow. */
const INSERTION_LENGTH_MAX = 32;
/** Class of a text that ended before the symbol that is looked at; the others follow by symbol. */
const ENDED = 0;
const CLASSES = SYMBOLS + 1;

/** A list that only grows. `starts[i]` to `starts[i + 1] - 1` are the places of text i in `symbols`. */
export class SymbolTexts {
  count = 0;
  lengthMax = 0;
  symbols: Uint8Array;
  starts: Int32Array;

  /** Room for so many texts and symbols; both grow when it is not enough. */
  constructor(texts = 4, symbols = 32) {
    this.starts = new Int32Array(texts + 1);
    this.symbols = new Uint8Array(symbols);
  }

  /** Symbols of the text at this index. */
  lengthOf(index: number): number {
    return (this.starts[index + 1] as number) - (this.starts[index] as number);
  }

  add(text: string): void {
    this.addPart(text, 0, text.length);
  }

  /** Adds the units `from` to `to - 1` of a text. */
  addPart(text: string, from: number, to: number): void {
    const start = this.starts[this.count] as number;
    this.#reserve(start + (to - from) * SYMBOLS_PER_UNIT_MAX);
    const { symbols } = this;
    let at = start;
    for (let i = from; i < to; i++) {
      const unit = text.charCodeAt(i);
      const symbol = symbolOf(unit);
      if (symbol !== ESCAPED) {
        symbols[at++] = symbol;
        continue;
      }
      for (let place = 0; place < SYMBOLS_PER_UNIT_MAX; place++) symbols[at++] = escapeSymbol(unit, place);
    }
    this.starts[++this.count] = at;
    if (at - start > this.lengthMax) this.lengthMax = at - start;
  }

  /** Adds the text at an index of another list. */
  addFrom(other: SymbolTexts, index: number): void {
    const from = other.starts[index] as number;
    const length = other.lengthOf(index);
    const start = this.starts[this.count] as number;
    this.#reserve(start + length);
    for (let i = 0; i < length; i++) this.symbols[start + i] = other.symbols[from + i] as number;
    this.starts[++this.count] = start + length;
    if (length > this.lengthMax) this.lengthMax = length;
  }

  #reserve(symbols: number): void {
    if (symbols > this.symbols.length) {
      const grown = new Uint8Array(2 * symbols);
      grown.set(this.symbols);
      this.symbols = grown;
    }
    if (this.count + 1 === this.starts.length) {
      const grown = new Int32Array(2 * this.starts.length);
      grown.set(this.starts);
      this.starts = grown;
    }
  }

  /** How many symbols the texts at these indexes have in common at their beginning. */
  commonLength(a: number, b: number): number {
    const { symbols } = this;
    const startA = this.starts[a] as number;
    const startB = this.starts[b] as number;
    const most = Math.min(this.lengthOf(a), this.lengthOf(b));
    let length = 0;
    while (length < most && symbols[startA + length] === symbols[startB + length]) length++;
    return length;
  }

  isEqual(a: number, b: number): boolean {
    const length = this.lengthOf(a);
    return length === this.lengthOf(b) && this.commonLength(a, b) === length;
  }
}

/**
 * The indexes of the texts in ascending order, equal ones in the order in which they were added, a text
 * before those it is the beginning of. Cost: linear in the symbols that tell the texts apart.
 */
export function* orderTexts(texts: SymbolTexts, meter: WorkMeter): WorkSteps<Int32Array> {
  const order = new TextOrder(texts);
  for (let at = 0; at < texts.count; at += PIECE_UNITS) {
    const to = Math.min(at + PIECE_UNITS, texts.count);
    order.list(at, to);
    if (meter.spend(to - at)) yield meter.take();
  }
  order.push(0, texts.count, 0);
  for (let group = order.pop(); group !== null; group = order.pop()) {
    const { from, to, depth } = group;
    if (to - from <= INSERTION_MAX && texts.lengthMax <= INSERTION_LENGTH_MAX) {
      order.insert(from, to, depth);
      if (meter.spend((to - from) * INSERTION_MAX)) yield meter.take();
      continue;
    }
    order.begin(from);
    for (const pass of PASSES) {
      if (pass === 'scatter') order.place();
      for (let at = from; at < to; at += PIECE_UNITS) {
        const end = Math.min(at + PIECE_UNITS, to);
        order[pass](at, end, depth);
        if (meter.spend(end - at)) yield meter.take();
      }
    }
    order.divide(depth);
    if (meter.spend(CLASSES)) yield meter.take();
  }
  return order.order;
}

/** What is done to a group, piece by piece. */
const PASSES = ['count', 'scatter', 'collect'] as const;

interface TextGroup {
  readonly from: number;
  readonly to: number;
  /** Symbols that all texts of the group have in common. */
  readonly depth: number;
}

/** A radix sort from the first symbol on; groups that are still to be divided wait on a stack. */
class TextOrder {
  readonly order: Int32Array;
  readonly #texts: SymbolTexts;
  readonly #moved: Int32Array;
  readonly #classes: Uint8Array;
  readonly #counts = new Int32Array(CLASSES);
  readonly #places = new Int32Array(CLASSES);
  readonly #waiting: TextGroup[] = [];
  #from = 0;

  constructor(texts: SymbolTexts) {
    this.#texts = texts;
    this.order = new Int32Array(texts.count);
    this.#moved = new Int32Array(texts.count);
    this.#classes = new Uint8Array(texts.count);
  }

  list(from: number, to: number): void {
    for (let i = from; i < to; i++) this.order[i] = i;
  }

  push(from: number, to: number, depth: number): void {
    if (to - from > 1) this.#waiting.push({ from, to, depth });
  }

  pop(): TextGroup | null {
    return this.#waiting.pop() ?? null;
  }

  begin(from: number): void {
    this.#from = from;
    this.#counts.fill(0);
  }

  count(from: number, to: number, depth: number): void {
    const { starts, symbols } = this.#texts;
    for (let i = from; i < to; i++) {
      const text = this.order[i] as number;
      const at = (starts[text] as number) + depth;
      const found = at < (starts[text + 1] as number) ? (symbols[at] as number) + 1 : ENDED;
      this.#classes[i] = found;
      this.#counts[found] = (this.#counts[found] as number) + 1;
    }
  }

  place(): void {
    let place = this.#from;
    for (let each = 0; each < CLASSES; each++) {
      this.#places[each] = place;
      place += this.#counts[each] as number;
    }
  }

  scatter(from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const found = this.#classes[i] as number;
      const place = this.#places[found] as number;
      this.#places[found] = place + 1;
      this.#moved[place] = this.order[i] as number;
    }
  }

  collect(from: number, to: number): void {
    for (let i = from; i < to; i++) this.order[i] = this.#moved[i] as number;
  }

  /** Puts the parts of the group aside that are still to be ordered; texts that ended are equal. */
  divide(depth: number): void {
    let from = this.#from + (this.#counts[ENDED] as number);
    for (let each = ENDED + 1; each < CLASSES; each++) {
      const to = from + (this.#counts[each] as number);
      this.push(from, to, depth + 1);
      from = to;
    }
  }

  insert(from: number, to: number, depth: number): void {
    const { order } = this;
    for (let i = from + 1; i < to; i++) {
      const text = order[i] as number;
      let at = i;
      while (at > from && this.#isBefore(text, order[at - 1] as number, depth)) {
        order[at] = order[at - 1] as number;
        at--;
      }
      order[at] = text;
    }
  }

  #isBefore(a: number, b: number, depth: number): boolean {
    const { starts, symbols } = this.#texts;
    const endA = starts[a + 1] as number;
    const endB = starts[b + 1] as number;
    let atA = (starts[a] as number) + depth;
    let atB = (starts[b] as number) + depth;
    while (atA < endA && atB < endB) {
      const symbolA = symbols[atA++] as number;
      const symbolB = symbols[atB++] as number;
      if (symbolA !== symbolB) return symbolA < symbolB;
    }
    return atA === endA && atB < endB;
  }
}
