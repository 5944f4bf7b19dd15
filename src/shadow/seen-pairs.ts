/**
 * Pairs of zone and product group that occurred in carts: a bit set of groups for each zone, so that thousands of
 * both need little memory and disk space.
 */
import type { SeenPair } from './shadow-batch.ts';

export interface StoredPairs {
  /** Group ids; the n-th has bit n. "" for a free bit. */
  readonly groups: readonly string[];
  /** Zone id and its bits in base64; bit 0 is the lowest bit of the first byte. */
  readonly zones: readonly (readonly [zoneId: string, bits: string])[];
}

const FREE = '';

export class SeenPairs {
  /** Group id by bit. */
  readonly #groups: string[] = [];
  readonly #bitOfGroup = new Map<string, number>();
  readonly #rows = new Map<string, Uint8Array>();

  /** Number of known zones and groups. */
  get size(): number {
    return this.#bitOfGroup.size + this.#rows.size;
  }

  add([zoneId, groupId]: SeenPair): void {
    const bit = this.#bitOf(groupId);
    setBit(this.#rowOf(zoneId, (bit >> 3) + 1), bit);
  }

  /** All pairs of another set. */
  addAll(other: SeenPairs): void {
    // The bit in this set of each bit in the other one.
    const bits = Uint32Array.from(other.#groups, (groupId) => (groupId === FREE ? 0 : this.#bitOf(groupId)));
    const isSame = bits.every((bit, at) => bit === at || other.#groups[at] === FREE);
    const bytes = Math.ceil(this.#groups.length / 8);
    for (const [zoneId, added] of other.#rows) {
      const row = this.#rowOf(zoneId, bytes);
      if (isSame) for (let at = 0; at < bytes; at++) row[at] = (row[at] ?? 0) | (added[at] ?? 0);
      else addBits(row, added, bits);
    }
  }

  /** The row of a zone, which has at least this many bytes from now on. */
  #rowOf(zoneId: string, bytes: number): Uint8Array {
    const row = this.#rows.get(zoneId) ?? NO_ROW;
    if (row.length >= bytes) return row;
    const longer = new Uint8Array(Math.max(bytes, 2 * row.length));
    longer.set(row);
    this.#rows.set(zoneId, longer);
    return longer;
  }

  /** The bit of a group, which gets one if it has none. */
  #bitOf(groupId: string): number {
    return this.#bitOfGroup.get(groupId) ?? this.#newBit(groupId);
  }

  #newBit(groupId: string): number {
    const free = this.#groups.indexOf(FREE);
    const bit = free < 0 ? this.#groups.length : free;
    this.#groups[bit] = groupId;
    this.#bitOfGroup.set(groupId, bit);
    return bit;
  }

  /** The bits of these groups, for `countIn`. */
  maskOf(groupIds: readonly string[]): Uint8Array {
    const mask = new Uint8Array(Math.ceil(this.#groups.length / 8));
    for (const groupId of groupIds) {
      const bit = this.#bitOfGroup.get(groupId);
      if (bit !== undefined) setBit(mask, bit);
    }
    return mask;
  }

  /** Number of groups in the mask that were seen in the zone. Reads eight groups at a time. */
  countIn(zoneId: string, mask: Uint8Array): number {
    const row = this.#rows.get(zoneId) ?? NO_ROW;
    let count = 0;
    for (let at = 0; at < Math.min(row.length, mask.length); at++) {
      for (let rest = (row[at] ?? 0) & (mask[at] ?? 0); rest !== 0; rest &= rest - 1) count++;
    }
    return count;
  }

  has(zoneId: string, groupId: string): boolean {
    const bit = this.#bitOfGroup.get(groupId);
    return bit !== undefined && hasBit(this.#rows.get(zoneId) ?? NO_ROW, bit);
  }

  /** A copy with only the pairs of these zones and groups. */
  restrictedTo(zoneIds: readonly string[], groupIds: readonly string[]): SeenPairs {
    const kept = new SeenPairs();
    const mask = this.maskOf(groupIds);
    for (const zoneId of zoneIds) {
      const row = this.#rows.get(zoneId)?.slice(0, mask.length);
      if (row === undefined) continue;
      for (let at = 0; at < row.length; at++) row[at] = (row[at] ?? 0) & (mask[at] ?? 0);
      kept.#rows.set(zoneId, row);
    }
    const known = new Set(groupIds);
    kept.#take(this.#groups.map((groupId) => (known.has(groupId) ? groupId : FREE)));
    return kept;
  }

  #take(groups: readonly string[]): void {
    for (const [bit, groupId] of groups.entries()) {
      this.#groups[bit] = groupId;
      if (groupId !== FREE) this.#bitOfGroup.set(groupId, bit);
    }
  }

  stored(): StoredPairs {
    const zones = Array.from(this.#rows, ([zoneId, row]) => {
      return [zoneId, Buffer.from(row).toString('base64')] as const;
    });
    return { groups: [...this.#groups], zones };
  }

  static of({ groups, zones }: StoredPairs): SeenPairs {
    const pairs = new SeenPairs();
    pairs.#take(groups);
    for (const [zoneId, bits] of zones) pairs.#rows.set(zoneId, new Uint8Array(Buffer.from(bits, 'base64')));
    return pairs;
  }
}

const NO_ROW = new Uint8Array(0);

const hasBit = (row: Uint8Array, bit: number): boolean => ((row[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;

function setBit(row: Uint8Array, bit: number): void {
  row[bit >> 3] = (row[bit >> 3] ?? 0) | (1 << (bit & 7));
}

/** Sets the bits `bits[n]` of the row where bit n is set in `added`. */
function addBits(row: Uint8Array, added: Uint8Array, bits: Uint32Array): void {
  for (let at = 0; at < added.length; at++) {
    for (let rest = added[at] ?? 0; rest !== 0; rest &= rest - 1) {
      setBit(row, bits[8 * at + 31 - Math.clz32(rest & -rest)] ?? 0);
    }
  }
}
