/**
 * Layout of LMDB's data file: format version 2 on 64-bit little-endian systems; `struct MDB_meta`, `MDB_db`,
 * `MDB_page_header`, `MDB_node` and `MDB_ovpage` in the sources of the lmdb package.
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

export const NODE_HEADER_BYTES = 8;
export const NODE_FLAGS = { plain: 0, bigData: 0x01, subTree: 0x02 } as const;

/** A leaf holds these bytes in place of a large value: page, transaction and number of pages. */
export const EXTENT_BYTES = 24;
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
export interface PageRun {
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
