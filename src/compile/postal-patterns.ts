/**
 * Postal patterns of a zone, read for one form of codes into what the trie and the ranges are built from.
 * Patterns that do not parse are left out: they were refused when they were written.
 */
import {
  canonicalPattern,
  isPackedPostalCode,
  type PostalForm,
  parsePostalPattern,
} from '../domain/postal-code.ts';
import { invariant } from '../runtime/invariant.ts';
import type { WorkMeter, WorkSteps } from '../runtime/work-steps.ts';
import { RangeCollector } from './postal-ranges.ts';
import { orderTexts, SymbolTexts } from './symbol-texts.ts';

const COMMA = 0x2c;
const SPACE = 0x20;
const STAR = 0x2a;

/** Owners are kept in 16 bits as one more than their index, 0 for none. */
const OWNERS_MAX = 0xffff - 1;
const MANY_OWNERS = `postal patterns have at most ${OWNERS_MAX} owners`;

/** Looks that parsing a pattern in any other than the plainest form comes to. */
const PARSE_UNITS = 24;
/** One that is taken as it is written, and one that is copied from a place that nobody has looked at of late. */
const TAKE_UNITS = 8;
const COPY_UNITS = 16;

export class PostalPatterns {
  readonly form: PostalForm;
  /** Exact codes and prefixes. */
  readonly texts: SymbolTexts;
  readonly ranges: RangeCollector;
  /** Twice the owner of each text, plus one for a prefix. */
  #tags: Int32Array;

  constructor(form: PostalForm, ranges = new RangeCollector(), texts?: number, symbols?: number) {
    this.form = form;
    this.ranges = ranges;
    this.texts = new SymbolTexts(texts, symbols);
    this.#tags = new Int32Array(this.texts.starts.length);
  }

  ownerOf(text: number): number {
    return (this.#tags[text] as number) >> 1;
  }

  isPrefix(text: number): boolean {
    return ((this.#tags[text] as number) & 1) === 1;
  }

  /** The same without the texts that are not kept. */
  *filtered(keep: (text: number) => boolean, meter: WorkMeter): WorkSteps<PostalPatterns> {
    const { texts } = this;
    const kept = new PostalPatterns(this.form, this.ranges);
    for (let text = 0; text < texts.count; text++) {
      if (keep(text)) kept.#addFrom(this, text);
      if (meter.spend(2 + texts.lengthOf(text))) yield meter.take();
    }
    return kept;
  }

  /** The same with its texts in ascending order, equal ones in the order in which they were added. */
  *ordered(meter: WorkMeter): WorkSteps<PostalPatterns> {
    const { texts } = this;
    const order = yield* orderTexts(texts, meter);
    const ordered = new PostalPatterns(this.form, this.ranges, texts.count, texts.starts[texts.count]);
    for (let at = 0; at < order.length; at++) {
      const text = order[at] as number;
      ordered.#addFrom(this, text);
      if (meter.spend(COPY_UNITS + texts.lengthOf(text))) yield meter.take();
    }
    return ordered;
  }

  /** Adds the pattern at `from` to `to - 1` of a text; returns the units of work. */
  add(text: string, from: number, to: number, owner: number): number {
    invariant(owner < OWNERS_MAX, MANY_OWNERS);
    const isPrefix = to > from && text.charCodeAt(to - 1) === STAR;
    const end = isPrefix ? to - 1 : to;
    // Most patterns are written as codes are compared. In the UK an exact one has a space to be put right.
    if ((isPrefix || this.form !== 'uk') && isPackedPostalCode(text, from, end)) {
      this.#addText(text, from, end, owner, isPrefix);
      return TAKE_UNITS + end - from;
    }
    const parsed = parsePostalPattern(text.slice(from, to));
    if (typeof parsed !== 'string') {
      const pattern = canonicalPattern(this.form, parsed);
      if (pattern.kind === 'range') this.ranges.add(pattern.from, pattern.to, owner);
      else if (pattern.kind === 'exact') this.#addText(pattern.code, 0, pattern.code.length, owner, false);
      else this.#addText(pattern.prefix, 0, pattern.prefix.length, owner, true);
    }
    return PARSE_UNITS + to - from;
  }

  #addText(text: string, from: number, to: number, owner: number, isPrefix: boolean): void {
    this.texts.addPart(text, from, to);
    this.#tag(2 * owner + (isPrefix ? 1 : 0));
  }

  #addFrom(other: PostalPatterns, text: number): void {
    this.texts.addFrom(other.texts, text);
    this.#tag(other.#tags[text] as number);
  }

  /** Tags the text that was added last. */
  #tag(tag: number): void {
    const index = this.texts.count - 1;
    if (index >= this.#tags.length) {
      const grown = new Int32Array(this.texts.starts.length);
      grown.set(this.#tags);
      this.#tags = grown;
    }
    this.#tags[index] = tag;
  }
}

/** Reads the comma-separated patterns of each subzone; the owner of a pattern is the index of its subzone. */
export function* readPatterns(
  subzones: readonly { readonly postalCodes: string }[],
  form: PostalForm,
  meter: WorkMeter,
): WorkSteps<PostalPatterns> {
  const patterns = yield* makeRoom(subzones, form, meter);
  for (const [owner, { postalCodes: text }] of subzones.entries()) {
    for (let from = 0; from <= text.length; ) {
      const to = endOfPattern(text, from);
      let first = from;
      while (first < to && text.charCodeAt(first) === SPACE) first++;
      let end = to;
      while (end > first && text.charCodeAt(end - 1) === SPACE) end--;
      const units = end > first ? patterns.add(text, first, end, owner) : 1;
      if (meter.spend(units + to - from - (end - first))) yield meter.take();
      from = to + 1;
    }
  }
  return patterns;
}

/** Room for what the commas promise, so that nothing large has to be copied while it grows. */
function* makeRoom(
  subzones: readonly { readonly postalCodes: string }[],
  form: PostalForm,
  meter: WorkMeter,
): WorkSteps<PostalPatterns> {
  let patterns = 1;
  let symbols = 1;
  for (const { postalCodes } of subzones) {
    patterns++;
    symbols += postalCodes.length;
    for (let at = postalCodes.indexOf(','); at >= 0; at = postalCodes.indexOf(',', at + 1)) {
      patterns++;
      if (meter.spend(1)) yield meter.take();
    }
  }
  return new PostalPatterns(form, undefined, patterns, symbols);
}

function endOfPattern(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text.charCodeAt(at) === COMMA) return at;
  return text.length;
}
