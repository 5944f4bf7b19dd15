/**
 * Reads the nodes and keys of one page of a tree, and checks that the nodes fill the page as LMDB packs them. Reads
 * 16-bit words, because LMDB aligns every node to an even byte.
 */
import { EXTENT_BYTES, NODE_FLAGS, NODE_HEADER_BYTES, PAGE_AT, PAGE_HEADER_BYTES } from './page-layout.ts';

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
