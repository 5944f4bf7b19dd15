/**
 * Walks the pages of an LMDB data file on disk, without mapping it, and reports pages that LMDB cannot have written.
 * LMDB trusts every page, so a wrong number or offset kills the process. The content of records is not checked here,
 * because records contain checksums.
 *
 * Bounds: one read per page of the trees and per large value, one bit of memory per page of the file, depth <=
 * DEPTH_MAX.
 */
import { readSync } from 'node:fs';
import {
  childOf,
  compareKeys,
  FIRST_PAGE,
  type FileSnapshot,
  isFilled,
  keyOf,
  NODE_FLAGS,
  nodeAt,
  nodeCount,
  nodeFlags,
  PAGE_AT,
  PAGE_FLAGS,
  PAGE_HEADER_BYTES,
  type Page,
  type PageKey,
  type PageTree,
  readFreePages,
  readTree,
  readUint64LE,
  TREE_BYTES,
  valueAt,
  valueBytes,
} from './page-layout.ts';

/** LMDB's limit for the depth of a cursor. */
const DEPTH_MAX = 32;
/** Flags of a tree that define how keys and values are compared and stored; the other flags belong to the file. */
const ORDER_FLAGS = 0x7f;
/** Flag of the tree of free pages: its keys are numbers in numeric order. */
const INTEGER_KEYS = 0x08;
const FREE_KEY_BYTES = 8;
/** 8 TB in pages of 4 KB; a walk needs 256 MB of memory then. */
const LAST_PAGE_MAX = 2 ** 31 - 1;

export interface PageDefect {
  readonly page: number;
  readonly what: string;
}

export interface WalkOptions {
  /** Number of defects after which the walk ends. */
  readonly defectsMax: number;
  /** Also checks the order of keys. A wrong order hides entries, but cannot crash LMDB. */
  readonly isOrderChecked: boolean;
}

/** Returns the defects of the pages in use; empty when there is none. */
export function pageDefects(
  file: number,
  fileBytes: number,
  snapshot: FileSnapshot,
  options: WalkOptions,
): readonly PageDefect[] {
  const walk = new PageWalk(file, fileBytes, snapshot, options);
  walk.run();
  return walk.defects;
}

type TreeKind = 'main' | 'table' | 'free';

/** The counts of a walk through one tree. */
interface TreeCount {
  readonly kind: TreeKind;
  depth: number;
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  entries: number;
}

/** A page to visit: its depth in the tree, and the bounds of its keys. */
interface Visit {
  readonly number: number;
  readonly depth: number;
  /** Depth in the file, in which the trees of tables are below the main tree. */
  readonly level: number;
  /** The smallest allowed key; null without a bound. */
  readonly from: PageKey | null;
  /** All keys must be smaller than this; null without a bound. */
  readonly to: PageKey | null;
}

const COUNTED = ['depth', 'branchPages', 'leafPages', 'overflowPages', 'entries'] as const;

class PageWalk {
  readonly defects: PageDefect[] = [];
  readonly #reader: PageReader;
  readonly #filePages: number;
  readonly #snapshot: FileSnapshot;
  readonly #options: WalkOptions;
  readonly #claims: PageClaims;

  constructor(file: number, fileBytes: number, snapshot: FileSnapshot, options: WalkOptions) {
    this.#reader = new PageReader(file, snapshot.pageSize);
    this.#filePages = Math.floor(fileBytes / snapshot.pageSize);
    this.#snapshot = snapshot;
    this.#options = options;
    this.#claims = new PageClaims(Math.min(snapshot.lastPage, LAST_PAGE_MAX));
  }

  run(): void {
    const { main, free, lastPage, transaction } = this.#snapshot;
    const meta = transaction & 1;
    if (lastPage > LAST_PAGE_MAX) {
      this.#report(meta, 'names an impossible last page');
      return;
    }
    this.#visitTree(meta, main, 'main', 0);
    this.#visitTree(meta, free, 'free', 0);
  }

  #isFull(): boolean {
    return this.defects.length >= this.#options.defectsMax;
  }

  /** Walks the tree that page `holder` describes. */
  #visitTree(holder: number, tree: PageTree, kind: TreeKind, level: number): void {
    const order = kind === 'free' ? INTEGER_KEYS : 0;
    if ((tree.flags & ORDER_FLAGS) !== order) this.#report(holder, 'describes a tree in another order');
    const count = { kind, depth: 0, branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
    const { root: number } = tree;
    if (number !== null) this.#visit({ number, depth: 1, level, from: null, to: null }, count);
    if (this.defects.length > 0) return;
    for (const field of COUNTED) {
      if (tree[field] !== count[field]) this.#report(holder, `does not count the ${field} of its tree`);
    }
  }

  #visit(visit: Visit, count: TreeCount): void {
    const { number, depth, level } = visit;
    if (this.#isFull()) return;
    if (depth > DEPTH_MAX) {
      this.#report(number, 'is too deep in its tree');
      return;
    }
    if (!this.#claim(number, 1)) return;
    const page = this.#reader.read(number, level);
    const flags = page.bytes.readUInt16LE(PAGE_AT.flags);
    const isBranch = flags === PAGE_FLAGS.branch;
    if (!this.#isOwn(page.bytes, number) || (!isBranch && flags !== PAGE_FLAGS.leaf)) {
      this.#report(number, 'is not the expected page');
      return;
    }
    if (!isFilled(page, isBranch)) {
      this.#report(number, 'has a node that extends beyond the page');
      return;
    }
    if (count.kind === 'free' && !hasNumbers(page, isBranch)) {
      this.#report(number, 'has a key of the wrong length');
      return;
    }
    if (this.#options.isOrderChecked && !isSorted(page, isBranch, count.kind, visit)) {
      this.#report(number, 'has keys out of order');
      return;
    }
    if (isBranch) this.#visitBranch(page, visit, count);
    else this.#visitLeaf(page, visit, count);
  }

  #visitBranch(page: Page, visit: Visit, count: TreeCount): void {
    const nodes = nodeCount(page);
    if (nodes < 2) {
      this.#report(visit.number, 'leads to too few pages');
      return;
    }
    count.branchPages++;
    for (let index = 0; index < nodes && !this.#isFull(); index++) {
      const child: Visit = {
        number: childOf(page, nodeAt(page, index)),
        depth: visit.depth + 1,
        level: visit.level + 1,
        // The first node of a branch holds all smaller keys; its own key has no meaning.
        from: index === 0 ? visit.from : keyOf(page, index),
        to: index + 1 === nodes ? visit.to : keyOf(page, index + 1),
      };
      this.#visit(child, count);
    }
  }

  #visitLeaf(page: Page, { number, depth, level }: Visit, count: TreeCount): void {
    const nodes = nodeCount(page);
    if (nodes < 1) {
      this.#report(number, 'is empty');
      return;
    }
    count.leafPages++;
    count.entries += nodes;
    count.depth ||= depth;
    if (count.depth !== depth) {
      this.#report(number, 'has not the depth of the other leaves');
      return;
    }
    for (let index = 0; index < nodes && !this.#isFull(); index++) {
      if (this.#visitEntry(page, nodeAt(page, index), number, level, count)) continue;
      this.#report(number, 'has an invalid entry');
      return;
    }
  }

  /** Returns false for an entry that is invalid in this tree. */
  #visitEntry(page: Page, node: number, holder: number, level: number, count: TreeCount): boolean {
    const flags = nodeFlags(page, node);
    if (flags === NODE_FLAGS.plain && count.kind === 'table') return true;
    const { bytes } = page;
    const [at, size] = [valueAt(page, node), valueBytes(page, node)];
    if (flags === NODE_FLAGS.bigData) {
      const pages = this.#visitExtent(bytes, at, size);
      count.overflowPages += pages;
      if (pages > 0 && count.kind === 'free') {
        const from = readUint64LE(bytes, at) * this.#snapshot.pageSize + PAGE_HEADER_BYTES;
        this.#visitFreePages(holder, this.#reader.readBytes(from, size));
      }
      return true;
    }
    if (flags === NODE_FLAGS.subTree && count.kind === 'main') {
      if (size !== TREE_BYTES) return false;
      this.#visitTree(holder, readTree(bytes, at), 'table', level + 1);
      return true;
    }
    if (flags !== NODE_FLAGS.plain) return false;
    if (count.kind === 'free') this.#visitFreePages(holder, bytes.subarray(at, at + size));
    return true;
  }

  /**
   * Visits the consecutive pages of a value that is too large for a leaf. Returns their number; 0 when they are
   * damaged.
   */
  #visitExtent(leaf: Buffer, at: number, bytes: number): number {
    const number = readUint64LE(leaf, at);
    const pages = readUint64LE(leaf, at + 16);
    if (pages < Math.ceil((PAGE_HEADER_BYTES + bytes) / this.#snapshot.pageSize)) {
      this.#report(number, 'is too short for its value');
      return 0;
    }
    if (!this.#claim(number, pages)) return 0;
    const head = this.#reader.readBytes(number * this.#snapshot.pageSize, PAGE_HEADER_BYTES);
    const isWhole =
      this.#isOwn(head, number) &&
      head.readUInt16LE(PAGE_AT.flags) === PAGE_FLAGS.overflow &&
      head.readUInt32LE(PAGE_AT.extentPages) === pages &&
      readUint64LE(head, PAGE_AT.transaction) === readUint64LE(leaf, at + 8);
    if (isWhole) return pages;
    this.#report(number, 'is not the expected large value');
    return 0;
  }

  #visitFreePages(holder: number, list: Buffer): void {
    const extents = readFreePages(list);
    if (extents === null) this.#report(holder, 'has an impossible list of free pages');
    for (const { number, pages } of extents ?? []) {
      const what = this.#claims.take(number, pages);
      if (what !== null) this.#report(number, what);
    }
  }

  #isOwn(page: Buffer, number: number): boolean {
    return (
      readUint64LE(page, PAGE_AT.number) === number &&
      readUint64LE(page, PAGE_AT.transaction) <= this.#snapshot.transaction
    );
  }

  /** True when the pages are in the file and not used otherwise. */
  #claim(number: number, pages: number): boolean {
    const isMissing = number + pages > this.#filePages;
    const what = this.#claims.take(number, pages) ?? (isMissing ? 'is missing' : null);
    if (what !== null) this.#report(isMissing ? Math.max(number, this.#filePages) : number, what);
    return what === null;
  }

  #report(page: number, what: string): void {
    if (!this.#isFull()) this.defects.push({ page, what });
  }
}

/** True when the keys of a page in the tree of free pages have the length of numbers. Skips the first of a branch. */
function hasNumbers(page: Page, isBranch: boolean): boolean {
  for (let index = isBranch ? 1 : 0; index < nodeCount(page); index++) {
    if (keyOf(page, index).length !== FREE_KEY_BYTES) return false;
  }
  return true;
}

/** True when the keys of a page ascend and are within the bounds of the visit. */
function isSorted(page: Page, isBranch: boolean, kind: TreeKind, { from, to }: Visit): boolean {
  let before = from;
  for (let index = isBranch ? 1 : 0; index < nodeCount(page); index++) {
    const key = keyOf(page, index);
    const order = before === null ? -1 : compare(kind, before, key);
    // The first key may be equal to the lower bound.
    if (order > 0 || (order === 0 && before !== from)) return false;
    before = key;
  }
  return before === null || to === null || compare(kind, before, to) < 0;
}

const compare = (kind: TreeKind, first: PageKey, second: PageKey): number =>
  kind === 'free' ? numberOf(first) - numberOf(second) : compareKeys(first, second);

const numberOf = ({ page, start }: PageKey): number => readUint64LE(page.bytes, start);

/**
 * Reads pages by number, each into the buffer of its level, so that a page stays valid while the pages below it are read.
 * Measured: reading 32 neighbours at a time is no faster, because the pages of a tree are scattered.
 */
class PageReader {
  readonly #file: number;
  readonly #pageSize: number;
  readonly #levels: Page[] = [];

  constructor(file: number, pageSize: number) {
    this.#file = file;
    this.#pageSize = pageSize;
  }

  /** Reads a page; valid until the next read of this level. Bytes beyond the end of the file are zero. */
  read(number: number, level: number): Page {
    this.#levels[level] ??= newPage(this.#pageSize);
    const page = this.#levels[level];
    const read = readSync(this.#file, page.bytes, 0, this.#pageSize, number * this.#pageSize);
    if (read < this.#pageSize) page.bytes.fill(0, read);
    return page;
  }

  /** Reads `length` bytes from offset `at`. Bytes beyond the end of the file are zero. */
  readBytes(at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    readSync(this.#file, bytes, 0, length, at);
    return bytes;
  }
}

function newPage(pageSize: number): Page {
  const memory = new ArrayBuffer(pageSize);
  return { bytes: Buffer.from(memory), words: new Uint16Array(memory) };
}

/** One bit per page of the file. Detects pages that are used twice, or that are both used and free. */
class PageClaims {
  readonly #lastPage: number;
  readonly #bits: Uint8Array;

  /** Holds `lastPage / 8` bytes. */
  constructor(lastPage: number) {
    this.#lastPage = lastPage;
    this.#bits = new Uint8Array((lastPage >> 3) + 1);
  }

  /**
   * Marks `pages` pages from `number` on as taken. Returns null, or the defect of the first page that cannot be
   * taken.
   */
  take(number: number, pages: number): string | null {
    if (number < FIRST_PAGE || number + pages - 1 > this.#lastPage) return 'was never allocated';
    for (let page = number; page < number + pages; page++) {
      const bit = 1 << (page & 7);
      const byte = this.#bits[page >> 3] ?? 0;
      if ((byte & bit) !== 0) return 'is used twice';
      this.#bits[page >> 3] = byte | bit;
    }
    return null;
  }
}
