/**
 * Layout of LMDB's data file: format version 2 on 64-bit little-endian systems; `struct MDB_meta`, `MDB_db`,
 * `MDB_page_header`, `MDB_node` and `MDB_ovpage` in the sources of the lmdb package. Nodes and keys are read as 16-bit words, because
 * LMDB aligns every node to an even byte.
 */

/** Offsets of the fields of a page's header. */
export const PAGE_AT = {
  number: 0,
  transaction: 8,
  flags: 18,
  lower: 20,
  upper: 22,
  extentPages: 20,
} as const;
export const PAGE_HEADER_BYTES = 24;

export const PAGE_FLAGS = { branch: 0x01, leaf: 0x02, overflow: 0x04, meta: 0x08 } as const;

const NODE_HEADER_BYTES = 8;
export const NODE_FLAGS = { plain: 0, bigData: 0x01, subTree: 0x02 } as const;

/** A leaf holds these bytes in place of a large value: page, transaction and number of pages. */
const EXTENT_BYTES = 24;
export const TREE_BYTES = 48;

/** Pages 0 and 1 are the meta pages. */
export const FIRST_PAGE = 2;

const META_BYTES = 144;
const META_AT = {
  magic: PAGE_HEADER_BYTES,
  version: PAGE_HEADER_BYTES + 4,
  freeTree: PAGE_HEADER_BYTES + 24,
  mainTree: PAGE_HEADER_BYTES + 72,
  lastPage: PAGE_HEADER_BYTES + 120,
  transaction: PAGE_HEADER_BYTES + 128,
} as const;
const MAGIC = 0xbeefc0de;
const FILE_VERSION = 2;
const PAGE_SIZE_MIN = 512;
const PAGE_SIZE_MAX = 65_536;

/** Bytes of a meta page. */
export const META_PAGE_BYTES: number = PAGE_HEADER_BYTES + META_BYTES;

/** LMDB's descriptor of a tree of pages. */
export interface PageTree {
  readonly flags: number;
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly overflowPages: number;
  readonly entries: number;
  /** Null when the tree is empty. */
  readonly root: number | null;
}

/** The snapshot that a meta page describes. */
export interface FileSnapshot {
  readonly pageSize: number;
  /** The last page that was ever allocated. The file may end earlier if the last pages are unused. */
  readonly lastPage: number;
  /** Number of the transaction that wrote the snapshot. */
  readonly transaction: number;
  /** The tree of free pages: transaction -> pages that it freed. */
  readonly free: PageTree;
  /** The tree of tables: name -> tree. */
  readonly main: PageTree;
}

export function readUint64LE(source: Buffer, at: number): number {
  return source.readUInt32LE(at + 4) * 2 ** 32 + source.readUInt32LE(at);
}

/** Consecutive pages. */
interface PageRun {
  readonly number: number;
  readonly pages: number;
}

/**
 * Reads a list of free pages: the number of entries, then the entries. An entry is a page, or 0 for none, or -n
 * followed by the first of n pages. Returns null for an invalid list.
 */
export function readFreePages(list: Buffer): readonly PageRun[] | null {
  const length = list.length < 8 ? 0 : readUint64LE(list, 0);
  if (8 * (length + 1) > list.length) return null;
  const runs: PageRun[] = [];
  for (let index = 1; index <= length; index++) {
    const entry = Number(list.readBigInt64LE(8 * index));
    if (entry < 0) index++;
    if (index > length) return null;
    if (entry < 0) runs.push({ number: readUint64LE(list, 8 * index), pages: -entry });
    else if (entry > 0) runs.push({ number: entry, pages: 1 });
  }
  return runs;
}

/** Reads a page number; null for LMDB's value of an invalid page. */
function readPageNumber(source: Buffer, at: number): number | null {
  const [low, high] = [source.readUInt32LE(at), source.readUInt32LE(at + 4)];
  return low === 0xffffffff && high === 0xffffffff ? null : high * 2 ** 32 + low;
}

/** Reads a descriptor of `TREE_BYTES` bytes. */
export const readTree = (source: Buffer, at: number): PageTree => ({
  flags: source.readUInt16LE(at + 4),
  depth: source.readUInt16LE(at + 6),
  branchPages: readUint64LE(source, at + 8),
  leafPages: readUint64LE(source, at + 16),
  overflowPages: readUint64LE(source, at + 24),
  entries: readUint64LE(source, at + 32),
  root: readPageNumber(source, at + 40),
});

/** Reads the first `META_PAGE_BYTES` of a meta page. Returns its snapshot, or a text that names the defect. */
export function readMetaPage(page: Buffer): FileSnapshot | string {
  const isMeta = (page.readUInt16LE(PAGE_AT.flags) & PAGE_FLAGS.meta) !== 0;
  if (!isMeta || page.readUInt32LE(META_AT.magic) !== MAGIC) return 'is not a data file of LMDB';
  const version = page.readUInt16LE(META_AT.version);
  if (version !== FILE_VERSION) return `has LMDB file version ${version}`;
  // LMDB keeps the page size in the descriptor of the tree of free pages.
  const pageSize = page.readUInt32LE(META_AT.freeTree);
  const isPowerOfTwo = (pageSize & (pageSize - 1)) === 0;
  if (!isPowerOfTwo || pageSize < PAGE_SIZE_MIN || pageSize > PAGE_SIZE_MAX) {
    return `has an impossible page size of ${pageSize} bytes`;
  }
  return {
    pageSize,
    lastPage: readUint64LE(page, META_AT.lastPage),
    transaction: readUint64LE(page, META_AT.transaction),
    free: readTree(page, META_AT.freeTree),
    main: readTree(page, META_AT.mainTree),
  };
}

/** A page, as bytes and as little-endian words. */
export interface Page {
  readonly bytes: Buffer;
  readonly words: Uint16Array;
}

const HEADER_WORDS = PAGE_HEADER_BYTES / 2;
const LOWER = PAGE_AT.lower / 2;
const UPPER = PAGE_AT.upper / 2;

/** Position of a key: page, first byte and length. */
export interface PageKey {
  readonly page: Page;
  readonly start: number;
  readonly length: number;
}

const wordAt = (words: Uint16Array, index: number): number => words[index] as number;

/** Number of nodes according to the page's header. */
export const nodeCount = ({ words }: Page): number => wordAt(words, LOWER) >> 1;

/** Offset of a node, for `index` below `nodeCount`. */
export const nodeAt = ({ words }: Page, index: number): number =>
  wordAt(words, HEADER_WORDS + index) + PAGE_HEADER_BYTES;

export const nodeFlags = ({ words }: Page, node: number): number => wordAt(words, (node >> 1) + 2);

/** Number of bytes of a leaf's value. */
export const valueBytes = ({ words }: Page, node: number): number =>
  wordAt(words, node >> 1) + wordAt(words, (node >> 1) + 1) * 2 ** 16;

export const valueAt = ({ words }: Page, node: number): number =>
  node + NODE_HEADER_BYTES + wordAt(words, (node >> 1) + 3);

/** The child page of a branch's node. */
export const childOf = (page: Page, node: number): number =>
  valueBytes(page, node) + nodeFlags(page, node) * 2 ** 32;

export const keyOf = (page: Page, index: number): PageKey => {
  const node = nodeAt(page, index);
  return { page, start: node + NODE_HEADER_BYTES, length: wordAt(page.words, (node >> 1) + 3) };
};

/** True when the nodes fill the space from the upper bound to the end of the page without gaps or overlaps. */
export function isFilled(page: Page, isBranch: boolean): boolean {
  const { words, bytes } = page;
  const [lower, upper] = [wordAt(words, LOWER), wordAt(words, UPPER)];
  const room = bytes.length - PAGE_HEADER_BYTES;
  if (lower > upper || upper > room || (lower & 1) !== 0) return false;
  let left = room - upper;
  for (let index = 0; index < lower >> 1; index++) {
    const node = nodeAt(page, index);
    if (node < upper + PAGE_HEADER_BYTES || (node & 1) !== 0) return false;
    if (node + NODE_HEADER_BYTES > bytes.length) return false;
    const isExtent = (nodeFlags(page, node) & NODE_FLAGS.bigData) !== 0;
    const value = isBranch ? 0 : isExtent ? EXTENT_BYTES : valueBytes(page, node);
    const size = valueAt(page, node) - node + value;
    left -= size + (size & 1);
    if (size > bytes.length - node) return false;
  }
  return left === 0;
}

/** Compares keys in byte order: returns a number below, equal to or above 0. Keys start at even offsets. */
export function compareKeys(first: PageKey, second: PageKey): number {
  const [a, b] = [first.page.words, second.page.words];
  const shared = Math.min(first.length, second.length);
  const [from, to] = [first.start >> 1, second.start >> 1];
  for (let word = 0; word < shared >> 1; word++) {
    const [left, right] = [wordAt(a, from + word), wordAt(b, to + word)];
    if (left !== right) return (left & 0xff) - (right & 0xff) || left - right;
  }
  if ((shared & 1) !== 0) {
    const last = shared - 1;
    const order = (first.page.bytes[first.start + last] ?? 0) - (second.page.bytes[second.start + last] ?? 0);
    if (order !== 0) return order;
  }
  return first.length - second.length;
}
