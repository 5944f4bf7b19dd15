/**
 * Postal tables: the owner of every code of one shape by the code's number, whatever pattern it has it from,
 * so that a look-up touches two lines of memory, however many patterns there are.
 *
 * Layout: blocks of 16 codes. A block with one owner is no more than a word; the others have their owners
 * side by side. Bounds: 4 bytes a block, and 32 more for each in which an exact code lies or a range or a
 * prefix begins or ends.
 */
import { PIECE_UNITS, type WorkMeter, type WorkSteps } from '../runtime/work-steps.ts';
import type { PostalPatterns } from './postal-patterns.ts';
import { NO_OWNER, type RangeCuts } from './postal-ranges.ts';
import type { PostalShape } from './postal-shape.ts';

/** The code has a symbol that no code of the table has: only a prefix can match it. */
export const NOT_IN_TABLE = -2;

const UNITS = 128;
const BLOCK_BITS = 4;
const BLOCK_CODES = 1 << BLOCK_BITS;
/** Units for looking at one pattern. */
const PATTERN_UNITS = 12;

export class PostalTable {
  /** What a unit adds to the number of a code, by 128 x place + unit; negative: no code has it. */
  readonly #shares: Int32Array;
  /** Place of the block's owners, or the complement of its one owner. */
  readonly #blocks: Int32Array;
  /** 0 = none, else one more than the owner. */
  readonly #owners: Uint16Array;

  constructor(shares: Int32Array, blocks: Int32Array, owners: Uint16Array) {
    this.#shares = shares;
    this.#blocks = blocks;
    this.#owners = owners;
  }

  /** Index of the subzone that owns a code of the shape, `NO_OWNER` or `NOT_IN_TABLE`. */
  find(code: string): number {
    let number = 0;
    for (let place = 0; place < code.length; place++) {
      const unit = code.charCodeAt(place);
      const share = unit < UNITS ? (this.#shares[UNITS * place + unit] as number) : NOT_IN_TABLE;
      if (share < 0) return NOT_IN_TABLE;
      number += share;
    }
    const block = this.#blocks[number >> BLOCK_BITS] as number;
    const owner = block < 0 ? ~block : (this.#owners[block + (number & (BLOCK_CODES - 1))] as number);
    return owner - 1;
  }
}

/** What a table is filled from. */
export interface TableSources {
  readonly listed: PostalPatterns;
  /** Holds all prefixes of `listed`, in order. */
  readonly ordered: PostalPatterns;
  /** Ranges of the shape's codes. */
  readonly cuts: RangeCuts | null;
}

/** The table of all codes of a shape, in steps. */
export function* tableSteps(
  shape: PostalShape,
  sources: TableSources,
  meter: WorkMeter,
): WorkSteps<PostalTable> {
  const writer = new TableWriter(shape.codes);
  yield* writeAll(writer, shape, sources, meter);
  yield* writer.layOut(meter);
  yield* writeAll(writer, shape, sources, meter);
  return new PostalTable(shape.sharesByUnit(), writer.blocks, writer.owners);
}

/** Goes over all patterns, the less specific first, so that the last one written is the one that holds. */
function* writeAll(
  writer: TableWriter,
  shape: PostalShape,
  { listed, ordered, cuts }: TableSources,
  meter: WorkMeter,
): WorkSteps<void> {
  let last = -1;
  for (let text = 0; text < ordered.texts.count; text++) {
    if (meter.spend(PATTERN_UNITS)) yield meter.take();
    // A prefix comes after those that it begins with; of equal ones the first keeps its codes.
    if (!ordered.isPrefix(text) || (last >= 0 && ordered.texts.isEqual(last, text))) continue;
    last = text;
    const from = shape.firstWith(ordered.texts, text);
    if (from < 0) continue;
    const to = from + shape.codesWith(ordered.texts.lengthOf(text));
    for (let at = from; at < to; ) {
      const end = writer.write(at, to, ordered.ownerOf(text));
      if (meter.spend((end - at) >> BLOCK_BITS)) yield meter.take();
      at = end;
    }
  }
  for (let cut = 0; cuts !== null && cut < cuts.count; cut++) {
    if (meter.spend(PATTERN_UNITS)) yield meter.take();
    const owner = cuts.owners[cut] as number;
    const to = cuts.starts[cut + 1] as number;
    for (let at = cuts.starts[cut] as number; owner !== NO_OWNER && at < to; ) {
      const end = writer.write(at, to, owner);
      if (meter.spend((end - at) >> BLOCK_BITS)) yield meter.take();
      at = end;
    }
  }
  // Backwards, since of equal codes the first that is listed holds.
  for (let at = shape.listed.length - 1; at >= 0; at--) {
    if (meter.spend(PATTERN_UNITS)) yield meter.take();
    const text = shape.listed[at] as number;
    const code = shape.firstWith(listed.texts, text);
    if (code >= 0) writer.write(code, code + 1, listed.ownerOf(text));
  }
}

/** First all blocks of several owners are marked, then laid out in order, then the owners are written. */
class TableWriter {
  readonly blocks: Int32Array;
  owners = new Uint16Array(0);
  #isLaidOut = false;

  constructor(codes: number) {
    this.blocks = new Int32Array(Math.ceil(codes / BLOCK_CODES)).fill(~0);
  }

  /**
   * The codes `from` to `to - 1` have one owner. Returns where it stopped, after `PIECE_UNITS` blocks: each
   * piece but the last ends with a block.
   */
  write(from: number, to: number, owner: number): number {
    const end = Math.min(to, ((from >> BLOCK_BITS) + PIECE_UNITS) << BLOCK_BITS);
    if (this.#isLaidOut) this.#own(from, end, owner);
    else this.#mark(from, end);
    return end;
  }

  /** Blocks that are filled in part have several owners. */
  #mark(from: number, to: number): void {
    if (from % BLOCK_CODES !== 0) this.blocks[from >> BLOCK_BITS] = 0;
    if (to % BLOCK_CODES !== 0) this.blocks[to >> BLOCK_BITS] = 0;
  }

  *layOut(meter: WorkMeter): WorkSteps<void> {
    const { blocks } = this;
    let place = 0;
    for (let from = 0; from < blocks.length; from += PIECE_UNITS) {
      const to = Math.min(from + PIECE_UNITS, blocks.length);
      for (let block = from; block < to; block++) {
        if ((blocks[block] as number) < 0) continue;
        blocks[block] = place;
        place += BLOCK_CODES;
      }
      if (meter.spend(to - from)) yield meter.take();
    }
    this.owners = new Uint16Array(place);
    this.#isLaidOut = true;
  }

  #own(from: number, to: number, owner: number): void {
    const { blocks } = this;
    const first = from >> BLOCK_BITS;
    const last = (to - 1) >> BLOCK_BITS;
    for (let block = first; block <= last; block++) {
      const place = blocks[block] as number;
      if (place < 0) {
        blocks[block] = ~(owner + 1);
        continue;
      }
      const start = place - (block << BLOCK_BITS);
      const end = Math.min(to, (block + 1) << BLOCK_BITS);
      for (let code = Math.max(from, block << BLOCK_BITS); code < end; code++) {
        this.owners[start + code] = owner + 1;
      }
    }
  }
}
