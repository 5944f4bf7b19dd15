/**
 * Postal trie: finds the subzone that owns a postal code in one walk over the code's characters,
 * however many patterns the zone has.
 *
 * Exact beats range beats prefix, a narrower range and a longer prefix win, ties go to the subzone
 * listed first (contract section 4.4).
 *
 * Layout: nodes in breadth-first order, so that the children of a node lie side by side, sorted by
 * character; typed arrays, 14 bytes a node. Bounds: depth <= longest pattern, nodes <= total pattern
 * characters + 1.
 */
import {
  canonicalPattern,
  type PostalForm,
  parsePostalPattern,
  splitPostalPatterns,
} from '../domain/postal-code.ts';
import { type PostalRanges, RangeCollector } from './postal-ranges.ts';

export const NO_OWNER = -1;

export interface PostalTrie {
  /** Index of the subzone that owns this canonical code, or -1. An empty code has no owner. */
  find(code: string): number;
}

class FlatPostalTrie implements PostalTrie {
  // Children of node n: nodes firstChild[n] to firstChild[n + 1] - 1.
  readonly #firstChild: Int32Array;
  readonly #character: Uint16Array;
  readonly #exactOwner: Int32Array;
  readonly #prefixOwner: Int32Array;
  readonly #ranges: PostalRanges | null;

  constructor(nodes: FlatNodes, ranges: PostalRanges | null) {
    this.#firstChild = nodes.firstChild;
    this.#character = nodes.character;
    this.#exactOwner = nodes.exactOwner;
    this.#prefixOwner = nodes.prefixOwner;
    this.#ranges = ranges;
  }

  find(code: string): number {
    if (code === '') return NO_OWNER;
    let node = 0;
    let owner = this.#prefixOwner[0] as number;
    let depth = 0;
    for (; depth < code.length; depth++) {
      node = this.#child(node, code.charCodeAt(depth));
      if (node < 0) break;
      const prefixOwner = this.#prefixOwner[node] as number;
      if (prefixOwner !== NO_OWNER) owner = prefixOwner;
    }
    if (depth === code.length) {
      const exactOwner = this.#exactOwner[node] as number;
      if (exactOwner !== NO_OWNER) return exactOwner;
    }
    if (this.#ranges !== null) {
      const rangeOwner = this.#ranges.find(code);
      if (rangeOwner !== NO_OWNER) return rangeOwner;
    }
    return owner;
  }

  #child(node: number, character: number): number {
    let low = this.#firstChild[node] as number;
    let high = (this.#firstChild[node + 1] as number) - 1;
    if (low > high) return -1;
    // Most nodes hold a run of digits or letters without a gap: the distance from the first is the place.
    const guess = low + character - (this.#character[low] as number);
    if (guess >= low && guess <= high && this.#character[guess] === character) return guess;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#character[middle] as number;
      if (found === character) return middle;
      if (found < character) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

/** The trie of a zone's subzones for codes of one form. */
export const buildPostalTrie = (
  subzones: readonly { readonly postalCodes: string }[],
  form: PostalForm,
): PostalTrie =>
  buildPatternTrie(
    subzones.map(({ postalCodes }) => splitPostalPatterns(postalCodes)),
    form,
  );

/**
 * The trie of lists of patterns: the owner of a pattern is the index of its list. Patterns that do not
 * parse own nothing: they were refused when they were written.
 */
export function buildPatternTrie(lists: readonly (readonly string[])[], form: PostalForm): PostalTrie {
  const nodes = new NodeCollector();
  const ranges = new RangeCollector();
  for (const [owner, list] of lists.entries()) {
    for (const text of list) {
      const parsed = parsePostalPattern(text);
      if (typeof parsed === 'string') continue;
      const pattern = canonicalPattern(form, parsed);
      if (pattern.kind === 'range') ranges.add(pattern.from, pattern.to, owner);
      else if (pattern.kind === 'exact') nodes.addExact(pattern.code, owner);
      else nodes.addPrefix(pattern.prefix, owner);
    }
  }
  return new FlatPostalTrie(nodes.flatten(), ranges.build());
}

interface FlatNodes {
  readonly firstChild: Int32Array;
  readonly character: Uint16Array;
  readonly exactOwner: Int32Array;
  readonly prefixOwner: Int32Array;
}

/** Grows a trie as linked nodes: first child, next sibling. */
class NodeCollector {
  #count = 1;
  #firstChild = new Int32Array(64).fill(-1);
  #nextSibling = new Int32Array(64).fill(-1);
  #character = new Uint16Array(64);
  #exactOwner = new Int32Array(64).fill(NO_OWNER);
  #prefixOwner = new Int32Array(64).fill(NO_OWNER);

  addExact(code: string, owner: number): void {
    const node = this.#path(code);
    if (this.#exactOwner[node] === NO_OWNER) this.#exactOwner[node] = owner;
  }

  addPrefix(prefix: string, owner: number): void {
    const node = this.#path(prefix);
    if (this.#prefixOwner[node] === NO_OWNER) this.#prefixOwner[node] = owner;
  }

  #path(text: string): number {
    let node = 0;
    for (let i = 0; i < text.length; i++) {
      const character = text.charCodeAt(i);
      let child = this.#firstChild[node] as number;
      while (child >= 0 && this.#character[child] !== character) child = this.#nextSibling[child] as number;
      node = child >= 0 ? child : this.#add(node, character);
    }
    return node;
  }

  #add(parent: number, character: number): number {
    if (this.#count === this.#character.length) this.#grow();
    const node = this.#count++;
    this.#character[node] = character;
    this.#nextSibling[node] = this.#firstChild[parent] as number;
    this.#firstChild[parent] = node;
    return node;
  }

  #grow(): void {
    const length = this.#count * 2;
    const grown = (old: Int32Array) => {
      const array = new Int32Array(length).fill(-1);
      array.set(old);
      return array;
    };
    this.#firstChild = grown(this.#firstChild);
    this.#nextSibling = grown(this.#nextSibling);
    this.#exactOwner = grown(this.#exactOwner);
    this.#prefixOwner = grown(this.#prefixOwner);
    const character = new Uint16Array(length);
    character.set(this.#character);
    this.#character = character;
  }

  flatten(): FlatNodes {
    const count = this.#count;
    const flat = {
      firstChild: new Int32Array(count + 1),
      character: new Uint16Array(count),
      exactOwner: new Int32Array(count),
      prefixOwner: new Int32Array(count),
    };
    const order = new Int32Array(count);
    let placed = 1;
    for (let at = 0; at < count; at++) {
      const node = order[at] as number;
      flat.character[at] = this.#character[node] as number;
      flat.exactOwner[at] = this.#exactOwner[node] as number;
      flat.prefixOwner[at] = this.#prefixOwner[node] as number;
      flat.firstChild[at] = placed;
      const children: number[] = [];
      for (let child = this.#firstChild[node] as number; child >= 0; ) {
        children.push(child);
        child = this.#nextSibling[child] as number;
      }
      children.sort((a, b) => (this.#character[a] as number) - (this.#character[b] as number));
      for (const child of children) order[placed++] = child;
    }
    flat.firstChild[count] = placed;
    return flat;
  }
}
