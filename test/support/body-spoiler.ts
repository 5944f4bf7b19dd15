/**
 * Nearly valid request bodies, ten thousands per second: valid bodies with changed values, tokens or bytes, and some
 * other bodies. The same seed gives the same bodies.
 */
import { SeededRandom } from '../../bench/profiles/seeded-random.ts';
import { NASTY_VALUES, SPOILERS, setField } from './odd-bodies.ts';

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/g;

/** Tokens that replace another one; they have another meaning or are invalid. */
const ODD_TOKENS = [
  ...'{ } [ ] , : null true false "" 0 -0 -1 1.5 1e400 -1e400 1e-400 00 01 .5 1. +1 0x1 NaN'.split(' '),
  ...'9007199254740993 99999999999999999999 "__proto__" "constructor"'.split(' '),
  ...'"a" "\\u0000" "\\ud800" "\\x"'.split(' '),
  ...`'a' /**/ {"__proto__":{"x":1}} ,"a":1,"a":2 [[[[[[[[ {"a":{"a":{"a":1}}} "`.split(' '),
  ...['"\n"', '\u00a0', '\ufeff'],
];

const CHARACTERS = [
  ...'aZ09 -_.,*/%"\\<&\'{$\n\u0000\u007f\u00e9\u2028\ufeff\u{1f600}',
  ...['\ud800', '\udc00', '__proto__'],
];

interface Base {
  readonly value: unknown;
  readonly tokens: readonly string[];
}

/** Maximum number of changes in one body. */
const CHANGES_MAX = 3;
const PARTS_MAX = 2_000;

/** All nested objects, arrays and values of a value, itself first. */
function* partsOf(value: unknown): Generator<unknown> {
  yield value;
  if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) yield* partsOf(part);
}

export class BodySpoiler {
  readonly #random: SeededRandom;
  readonly #bases: readonly Base[];
  /** Values of bodies that may be inserted at another place. */
  readonly #parts: readonly unknown[];
  readonly #tokens: readonly string[];

  /** `values` are accepted JSON values; parts of `others` are inserted too. */
  constructor(seed: number, values: readonly unknown[], others: readonly unknown[] = []) {
    this.#random = new SeededRandom(seed);
    this.#bases = values.map((value) => ({ value, tokens: JSON.stringify(value).match(TOKEN) ?? [] }));
    this.#parts = [...values, ...others].flatMap((value) => [...partsOf(value)]).slice(0, PARTS_MAX);
    this.#tokens = [...ODD_TOKENS, ...new Set(this.#bases.flatMap(({ tokens }) => tokens))];
  }

  next(): Buffer {
    const random = this.#random;
    const base = random.pick(this.#bases);
    const way = random.next();
    if (way < 0.05) return this.#anyBytes();
    if (way < 0.1) return Buffer.from(JSON.stringify(this.#anyValue(0)));
    if (way < 0.35) return Buffer.from(this.#retokened(base.tokens));
    const text = way < 0.65 ? this.#displaced(base.value) : base.tokens.join('');
    const bytes = Buffer.from(text);
    // The rest of the last way is the accepted body, unchanged.
    return way < 0.55 || way > 0.9 ? bytes : this.#spoilt(bytes);
  }

  /** A body with some values replaced, removed, repeated or added. */
  #displaced(value: unknown): string {
    let changed = value;
    for (let left = this.#random.between(1, CHANGES_MAX); left > 0; left--) changed = this.#changed(changed);
    return JSON.stringify(changed);
  }

  /** A copy with one value changed; only the path to it is copied. */
  #changed(value: unknown): unknown {
    const random = this.#random;
    if (typeof value !== 'object' || value === null || random.chance(0.1)) return this.#other(value);
    const how = random.next();
    if (Array.isArray(value)) {
      const at = random.between(0, value.length);
      if (at === value.length || how < 0.1) return value.toSpliced(at, 0, value[at] ?? this.#other(null));
      return how < 0.2 ? value.toSpliced(at, 1) : value.with(at, this.#changed(value[at]));
    }
    const copy: Record<string, unknown> = { ...value };
    const names = Object.keys(value);
    const name = names.length === 0 || how < 0.1 ? this.#name() : random.pick(names);
    if (how > 0.9) Reflect.deleteProperty(copy, name);
    else setField(copy, name, this.#changed(copy[name]));
    return copy;
  }

  /** A replacement for a value. */
  #other(value: unknown): unknown {
    const random = this.#random;
    const way = random.next();
    if (way < 0.2) return random.pick(NASTY_VALUES);
    if (way < 0.5) return random.pick(this.#parts);
    if (way < 0.6) return this.#anyValue(1);
    if (typeof value === 'number') return random.pick([value + 1, value - 1, -value, value * 1e6, value / 3]);
    if (typeof value !== 'string') return this.#text();
    const at = random.between(0, value.length);
    return value.slice(0, at) + this.#text() + value.slice(at + random.between(0, 2));
  }

  #name(): string {
    const part = this.#random.pick(this.#parts);
    const names = typeof part === 'object' && part !== null ? Object.keys(part) : [];
    return names.length === 0 ? this.#text() : this.#random.pick(names);
  }

  #text(): string {
    let text = '';
    for (let left = this.#random.between(0, 6); left > 0; left--) text += this.#random.pick(CHARACTERS);
    return text;
  }

  #anyValue(depth: number): unknown {
    const random = this.#random;
    const way = depth > 4 ? 0 : random.next();
    if (way < 0.3) return random.pick(NASTY_VALUES);
    if (way < 0.5)
      return random.chance(0.5) ? this.#text() : (random.next() - 0.5) * 10 ** random.between(0, 18);
    const length = random.between(0, 4);
    if (way < 0.7) return Array.from({ length }, () => this.#anyValue(depth + 1));
    const made = {};
    for (let left = length; left > 0; left--) setField(made, this.#name(), this.#anyValue(depth + 1));
    return made;
  }

  /** A text with some tokens replaced, removed, doubled or swapped with the next. */
  #retokened(from: readonly string[]): string {
    const random = this.#random;
    const tokens = [...from];
    for (let left = random.between(1, CHANGES_MAX); left > 0; left--) {
      const at = random.between(0, tokens.length - 1);
      const token = tokens[at] ?? '';
      const way = random.next();
      if (way < 0.5) tokens[at] = random.pick(this.#tokens);
      else if (way < 0.65) tokens.splice(at, 1);
      else if (way < 0.8) tokens.splice(at, 0, random.pick(this.#tokens));
      // Doubles a field or an element.
      else if (way < 0.9) tokens.splice(at, 0, ...tokens.slice(at, at + 4));
      else {
        tokens[at] = tokens[at + 1] ?? '';
        tokens[at + 1] = token;
      }
    }
    return tokens.join(random.chance(0.1) ? ' ' : '');
  }

  /** Bytes with some inserted, changed, removed or doubled; or cut anywhere, or one byte short. */
  #spoilt(bytes: Buffer): Buffer {
    const random = this.#random;
    let spoilt = bytes;
    for (let left = random.between(1, CHANGES_MAX); left > 0; left--) {
      const at = random.between(0, spoilt.length);
      const behind = at + random.between(1, 8);
      const way = random.next();
      if (way < 0.35) spoilt = put(spoilt, at, Uint8Array.from(random.pick(SPOILERS)));
      else if (way < 0.6 && at < spoilt.length) spoilt[at] = (spoilt[at] ?? 0) ^ (1 << random.between(0, 7));
      else if (way < 0.75) spoilt = put(spoilt.subarray(0, at), at, spoilt.subarray(behind));
      else if (way < 0.9) spoilt = put(spoilt, at, spoilt.subarray(at, behind));
      else spoilt = spoilt.subarray(0, way < 0.95 ? -1 : at);
    }
    return spoilt;
  }

  #anyBytes(): Buffer {
    return Buffer.from(
      Array.from({ length: this.#random.between(1, 200) }, () => this.#random.between(0, 255)),
    );
  }
}

const put = (bytes: Buffer, at: number, what: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), what, bytes.subarray(at)]);
