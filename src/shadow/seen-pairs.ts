/**
 * Pairs of zone and product group that carts touched: a row of bits per zone, a bit per group, so that a shop
 * of thousands of both stays small in memory and on disk.
 */
import type { SeenPair } from '../pool/pool-task.ts';

export interface StoredPairs {
  /** Group ids; the n-th has bit n. */
  readonly groups: readonly string[];
  /** Zone id and its bits in base64, bit 0 the lowest of the first byte. */
  readonly zones: readonly (readonly [zoneId: string, bits: string])[];
}

export class SeenPairs {
  readonly #bitOfGroup = new Map<string, number>();
  readonly #rows = new Map<string, Uint8Array>();

  /** Zones and groups that it knows. */
  get size(): number {
    return this.#bitOfGroup.size + this.#rows.size;
  }

  add([zoneId, groupId]: SeenPair): void {
    let bit = this.#bitOfGroup.get(groupId);
    if (bit === undefined) {
      bit = this.#bitOfGroup.size;
      this.#bitOfGroup.set(groupId, bit);
    }
    let row = this.#rows.get(zoneId);
    if (row === undefined || row.length <= bit >> 3) {
      const longer = new Uint8Array(Math.max((bit >> 3) + 1, 2 * (row?.length ?? 0)));
      longer.set(row ?? []);
      row = longer;
      this.#rows.set(zoneId, row);
    }
    row[bit >> 3] = (row[bit >> 3] ?? 0) | (1 << (bit & 7));
  }

  /** False when no group was seen in the zone. */
  hasZone(zoneId: string): boolean {
    return this.#rows.has(zoneId);
  }

  /** Which of `groupIds` were seen in the zone, in their order. */
  seenIn(zoneId: string, groupIds: readonly string[]): readonly boolean[] {
    const row = this.#rows.get(zoneId);
    return groupIds.map((groupId) => {
      const bit = this.#bitOfGroup.get(groupId);
      return row !== undefined && bit !== undefined && ((row[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
    });
  }

  /** Only the pairs of these zones and groups. */
  restrictedTo(zoneIds: readonly string[], groupIds: readonly string[]): SeenPairs {
    const kept = new SeenPairs();
    for (const zoneId of zoneIds) {
      for (const [index, isSeen] of this.seenIn(zoneId, groupIds).entries()) {
        if (isSeen) kept.add([zoneId, groupIds[index] ?? '']);
      }
    }
    return kept;
  }

  stored(): StoredPairs {
    const zones = Array.from(this.#rows, ([zoneId, row]) => {
      return [zoneId, Buffer.from(row).toString('base64')] as const;
    });
    return { groups: [...this.#bitOfGroup.keys()], zones };
  }

  static of({ groups, zones }: StoredPairs): SeenPairs {
    const pairs = new SeenPairs();
    for (const [bit, groupId] of groups.entries()) pairs.#bitOfGroup.set(groupId, bit);
    for (const [zoneId, bits] of zones) pairs.#rows.set(zoneId, new Uint8Array(Buffer.from(bits, 'base64')));
    return pairs;
  }
}
