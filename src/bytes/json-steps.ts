/**
 * JSON text in steps: the text that `JSON.stringify` makes of plain data, made in parts, so that a text of megabytes
 * does not block the event loop. `JSON.stringify` itself makes short texts.
 */

import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { jsonLength } from './json-length.ts';

/** About how many characters are made in one step. */
const SHORT_LENGTH = 16_384;
/** A record with more fields counts as long without a look at the fields. */
const NAMES_MAX = 2_048;
/** Length of a part, unless a single short value is longer. */
const PART_LENGTH = 65_536;

/** The parts, in order. `value` is plain JSON data; fields that are undefined are left out. */
export function* jsonSteps(value: unknown, shouldYield: ShouldYield): WorkSteps<readonly string[]> {
  const text = new PartedText();
  yield* addValue(text, value, shouldYield);
  return text.end();
}

/**
 * The whole text when it is short, else null. Most records are short, and a generator and a list of parts would double
 * the time to write them.
 */
export function shortJson(value: unknown): string | null {
  const length = jsonLength(value, SHORT_LENGTH);
  if (length > SHORT_LENGTH) return null;
  return JSON.stringify(value);
}

class PartedText {
  readonly #parts: string[] = [];
  #open = '';

  add(text: string): void {
    this.#open += text;
    if (this.#open.length < PART_LENGTH) return;
    this.#parts.push(this.#open);
    this.#open = '';
  }

  end(): readonly string[] {
    if (this.#open !== '' || this.#parts.length === 0) this.#parts.push(this.#open);
    return this.#parts;
  }
}

function* addValue(text: PartedText, value: unknown, shouldYield: ShouldYield): WorkSteps<void> {
  // List the names once, and only the names: listing the entries of a record with 20,000 fields takes ten milliseconds.
  const names = isRecord(value) ? Object.keys(value) : [];
  const length = names.length > NAMES_MAX ? Number.POSITIVE_INFINITY : jsonLength(value, SHORT_LENGTH);
  if (length <= SHORT_LENGTH) {
    text.add(JSON.stringify(value));
    if (shouldYield()) yield;
  } else if (typeof value === 'string') {
    yield* addLongText(text, value, shouldYield);
  } else if (isRecord(value)) {
    let before = '{';
    for (const name of names) {
      const field = value[name];
      if (field === undefined) continue;
      text.add(`${before}${JSON.stringify(name)}:`);
      before = ',';
      yield* addValue(text, field, shouldYield);
    }
    text.add(before === '{' ? '{}' : '}');
  } else if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      text.add(index === 0 ? '[' : ',');
      yield* addValue(text, element, shouldYield);
    }
    text.add(']');
  }
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function* addLongText(text: PartedText, value: string, shouldYield: ShouldYield): WorkSteps<void> {
  text.add('"');
  for (let at = 0; at < value.length; ) {
    let end = Math.min(value.length, at + SHORT_LENGTH);
    // Do not cut a surrogate pair: each half alone would be escaped.
    if (end < value.length && isPair(value.charCodeAt(end - 1), value.charCodeAt(end))) end++;
    text.add(JSON.stringify(value.slice(at, end)).slice(1, -1));
    if (shouldYield()) yield;
    at = end;
  }
  text.add('"');
}

const isPair = (first: number, second: number): boolean =>
  first >= 0xd800 && first <= 0xdbff && second >= 0xdc00 && second <= 0xdfff;
