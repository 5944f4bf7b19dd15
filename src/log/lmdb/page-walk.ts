/**
 * Walks the pages of an LMDB data file on disk, without mapping it, and reports where LMDB cannot have written them. LMDB
 * itself trusts every page, so a wrong number or offset kills the process. The content of records is not checked here:
 * they carry checksums.
 *
 * Bounds: one read per page of the trees and per large value, one bit of memory per page of the file,
 * depth <= DEPTH_MAX.
 */
import { PageClaims } from './page-claims.ts';
import {
  type FileSnapshot,
  NODE_FLAGS,
  PAGE_AT,
  PAGE_FLAGS,
  PAGE_HEADER_BYTES,
  type PageTree,
  readFreePages,
  readTree,
  readUint64LE,
  TREE_BYTES,
} from './page-layout.ts';
import { type Page, PageReader } from './page-reader.ts';
import {
  childOf,
  compareKeys,
  isFilled,
  keyOf,
  nodeAt,
  nodeCount,
  nodeFlags,
  type PageKey,
  valueAt,
  valueBytes,
} from './tree-page.ts';

/** LMDB's own limit of a cursor's depth. */
const DEPTH_MAX = 32;
/** The flags of a tree that say how keys and values are compared and stored; the others are of the file. */
const ORDER_FLAGS = 0x7f;
/** Flag of the tree of free pages: its keys are numbers, in numeric order. */
const INTEGER_KEYS = 0x08;
const FREE_KEY_BYTES = 8;
/** 8 TB of pages of 4 KB; the bits of a walk would take 256 MB then. */
const LAST_PAGE_MAX = 2 ** 31 - 1;

export interface PageDefect {
  readonly page: number;
  readonly what: string;
}

export interface WalkOptions {
  /** Findings after which the walk ends. */
  readonly defectsMax: number;
  /** Also looks at the order of keys: a wrong one hides entries, but nothing that LMDB does with them is unsafe. */
  readonly isOrderChecked: boolean;
}

/** What is wrong with the pages in use; empty when all is as LMDB leaves it. */
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

/** What the walk counted in a tree. */
interface TreeCount {
  readonly kind: TreeKind;
  depth: number;
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  entries: number;
}

/** A page that is to be visited: how deep it lies in its tree, and between which keys. */
interface Visit {
  readonly number: number;
  readonly depth: number;
  /** How deep it lies in the file, where the trees of tables lie below the main tree. */
  readonly level: number;
  /** The first key that may stand there; null for none. */
  readonly from: PageKey | null;
  /** The first key that may not. */
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

  /** The tree that page `holder` describes. */
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
      this.#report(number, 'lies too deep');
      return;
    }
    if (!this.#claim(number, 1)) return;
    const page = this.#reader.read(number, level);
    const flags = page.bytes.readUInt16LE(PAGE_AT.flags);
    const isBranch = flags === PAGE_FLAGS.branch;
    if (!this.#isOwn(page.bytes, number) || (!isBranch && flags !== PAGE_FLAGS.leaf)) {
      this.#report(number, 'is not the page that should stand there');
      return;
    }
    if (!isFilled(page, isBranch)) {
      this.#report(number, 'has a node that reaches out of it');
      return;
    }
    if (count.kind === 'free' && !hasNumbers(page, isBranch)) {
      this.#report(number, 'has an odd key');
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
        // The first key of a branch stands for all that is smaller.
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
      this.#report(number, 'does not lie as deep as the others');
      return;
    }
    for (let index = 0; index < nodes && !this.#isFull(); index++) {
      if (this.#visitEntry(page, nodeAt(page, index), number, level, count)) continue;
      this.#report(number, 'has an entry that cannot be');
      return;
    }
  }

  /** False when no leaf of the tree can hold this. */
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
   * A value too large for a page lies in pages of its own, one after the other. Returns how many; 0 when it
   * is not there.
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
    this.#report(number, 'is not the large value that should stand there');
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

  /** True when the pages lie in the file and nothing else uses them. */
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

/** True when the keys of a page of the tree of free pages are numbers; the first of a branch is not looked at. */
function hasNumbers(page: Page, isBranch: boolean): boolean {
  for (let index = isBranch ? 1 : 0; index < nodeCount(page); index++) {
    if (keyOf(page, index).length !== FREE_KEY_BYTES) return false;
  }
  return true;
}

/** True when the keys of a page ascend, and lie between those that lead to it. */
function isSorted(page: Page, isBranch: boolean, kind: TreeKind, { from, to }: Visit): boolean {
  let before = from;
  for (let index = isBranch ? 1 : 0; index < nodeCount(page); index++) {
    const key = keyOf(page, index);
    const order = before === null ? -1 : compare(kind, before, key);
    // A page may begin with the very key that leads to it.
    if (order > 0 || (order === 0 && before !== from)) return false;
    before = key;
  }
  return before === null || to === null || compare(kind, before, to) < 0;
}

const compare = (kind: TreeKind, first: PageKey, second: PageKey): number =>
  kind === 'free' ? numberOf(first) - numberOf(second) : compareKeys(first, second);

const numberOf = ({ page, start }: PageKey): number => readUint64LE(page.bytes, start);
