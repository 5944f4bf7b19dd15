/**
 * Walks the pages of an LMDB data file as the file lies on disk, without mapping it, and says where it
 * cannot be read: LMDB itself trusts every page, so a page that is missing or torn ends the process.
 *
 * Reads format version 2 of 64-bit little-endian systems: `struct MDB_page_header`, `MDB_node`, `MDB_db`
 * and `MDB_ovpage` of the LMDB sources in the lmdb package.
 * Bounds: one read per page in use, one bit of memory per page of the file, depth <= DEPTH_MAX.
 */
import { readSync } from 'node:fs';

export const PAGE_HEADER_BYTES = 24;
const FLAGS_AT = 18;
const LOWER_AT = 20;
const UPPER_AT = 22;
const EXTENT_PAGES_AT = 20;

const BRANCH = 0x01;
const LEAF = 0x02;
const OVERFLOW = 0x04;

const NODE_HEADER_BYTES = 8;
const BIG_DATA = 0x01;
const SUB_TREE = 0x02;
const EXTENT_BYTES = 24;
const TREE_BYTES = 48;
const TREE_ROOT_AT = 40;

/** LMDB's own limit of a cursor's depth. */
const DEPTH_MAX = 32;
/** Pages 0 and 1 are the meta pages. */
const FIRST_PAGE = 2;

/** The snapshot of a data file that its newest meta page describes. */
export interface FileSnapshot {
  readonly pageSize: number;
  /** The last page that was ever given out; the file may end earlier when the last ones are unused. */
  readonly lastPage: number;
  /** Number of the transaction that wrote it. */
  readonly transaction: number;
  /** Roots of the tree of free pages and of the tree of tables; null when empty. */
  readonly roots: readonly (number | null)[];
}

export interface PageDefect {
  readonly page: number;
  readonly what: string;
}

/** A page number, or null for the value that stands for none. */
export function readPageNumber(source: Buffer, at: number): number | null {
  const low = source.readUInt32LE(at);
  const high = source.readUInt32LE(at + 4);
  return low === 0xffffffff && high === 0xffffffff ? null : high * 2 ** 32 + low;
}

/** What is wrong with the pages in use, at most `defectsMax` findings; empty when all can be read. */
export function pageDefects(
  file: number,
  fileBytes: number,
  snapshot: FileSnapshot,
  defectsMax: number,
): readonly PageDefect[] {
  const walk = new PageWalk(file, fileBytes, snapshot, defectsMax);
  for (const root of snapshot.roots) if (root !== null) walk.visitTree(root, 0);
  return walk.defects;
}

class PageWalk {
  readonly defects: PageDefect[] = [];
  readonly #file: number;
  readonly #filePages: number;
  readonly #snapshot: FileSnapshot;
  readonly #defectsMax: number;
  readonly #seen: Uint8Array;

  constructor(file: number, fileBytes: number, snapshot: FileSnapshot, defectsMax: number) {
    this.#file = file;
    this.#filePages = Math.floor(fileBytes / snapshot.pageSize);
    this.#snapshot = snapshot;
    this.#defectsMax = defectsMax;
    this.#seen = new Uint8Array((this.#filePages >> 3) + 1);
  }

  visitTree(number: number, depth: number): void {
    if (this.defects.length >= this.#defectsMax) return;
    if (depth > DEPTH_MAX) this.#report(number, 'lies too deep');
    else if (this.#claim(number, 1)) this.#visitPage(number, depth);
  }

  #visitPage(number: number, depth: number): void {
    const page = this.#read(number);
    const kind = page.readUInt16LE(FLAGS_AT) & (BRANCH | LEAF);
    const lower = page.readUInt16LE(LOWER_AT);
    const upper = page.readUInt16LE(UPPER_AT);
    if (readPageNumber(page, 0) !== number || (kind !== BRANCH && kind !== LEAF)) {
      this.#report(number, 'is not the page that should stand there');
    } else if (lower > upper || upper > page.length - PAGE_HEADER_BYTES) {
      this.#report(number, 'has impossible bounds');
    } else {
      for (let at = PAGE_HEADER_BYTES; at < PAGE_HEADER_BYTES + (lower & ~1); at += 2) {
        const node = page.readUInt16LE(at) + PAGE_HEADER_BYTES;
        const isInside = node >= upper + PAGE_HEADER_BYTES && node + NODE_HEADER_BYTES <= page.length;
        if (isInside && this.#visitNode(page, node, kind === BRANCH, depth)) continue;
        this.#report(number, 'has a node that reaches out of it');
        return;
      }
    }
  }

  /** False when the node does not fit its page. */
  #visitNode(page: Buffer, node: number, isBranch: boolean, depth: number): boolean {
    const size = page.readUInt32LE(node);
    const flags = page.readUInt16LE(node + 4);
    const data = node + NODE_HEADER_BYTES + page.readUInt16LE(node + 6);
    if (isBranch) {
      if (data > page.length) return false;
      this.visitTree(flags * 2 ** 32 + size, depth + 1);
    } else if ((flags & BIG_DATA) !== 0) {
      if (data + EXTENT_BYTES > page.length) return false;
      this.#visitExtent(readPageNumber(page, data) ?? 0, size);
    } else {
      if (data + size > page.length) return false;
      if ((flags & SUB_TREE) !== 0 && size === TREE_BYTES) {
        const root = readPageNumber(page, data + TREE_ROOT_AT);
        if (root !== null) this.visitTree(root, depth + 1);
      }
    }
    return true;
  }

  /** A value too large for a page lies in pages of its own, one after the other. */
  #visitExtent(number: number, bytes: number): void {
    const pages = Math.ceil((PAGE_HEADER_BYTES + bytes) / this.#snapshot.pageSize);
    if (!this.#claim(number, pages)) return;
    const first = this.#read(number);
    const isExtent = readPageNumber(first, 0) === number && (first.readUInt16LE(FLAGS_AT) & OVERFLOW) !== 0;
    if (!isExtent || first.readUInt32LE(EXTENT_PAGES_AT) < pages) {
      this.#report(number, 'is not the large value that should stand there');
    }
  }

  /** True when the pages lie in the file and nothing else uses them. */
  #claim(number: number, pages: number): boolean {
    if (number < FIRST_PAGE || number + pages - 1 > this.#snapshot.lastPage) {
      this.#report(number, 'was never given out');
      return false;
    }
    for (let page = number; page < number + pages; page++) {
      if (page >= this.#filePages) {
        this.#report(page, 'is missing');
        return false;
      }
      const bit = 1 << (page & 7);
      const byte = this.#seen[page >> 3] ?? 0;
      if ((byte & bit) !== 0) {
        this.#report(page, 'is used twice');
        return false;
      }
      this.#seen[page >> 3] = byte | bit;
    }
    return true;
  }

  #read(number: number): Buffer {
    const { pageSize } = this.#snapshot;
    const page = Buffer.alloc(pageSize);
    readSync(this.#file, page, 0, pageSize, number * pageSize);
    return page;
  }

  #report(page: number, what: string): void {
    if (this.defects.length < this.#defectsMax) this.defects.push({ page, what });
  }
}
