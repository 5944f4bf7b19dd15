/**
 * Pairs of zone and product group that occurred in carts, at most `PAIRS_MAX`, so that a shop of thousands of both cannot
 * fill the memory.
 */

/** Zone id and the ids of groups. */
export type StoredPairs = readonly (readonly [zoneId: string, groupIds: readonly string[]])[];

/** Further pairs are not kept: they count as not seen. */
export const PAIRS_MAX = 100_000;

export class SeenPairs {
  readonly #groups = new Map<string, Set<string>>();
  #size = 0;

  constructor(stored: StoredPairs = []) {
    this.addAll(stored);
  }

  add(zoneId: string, groupIds: readonly string[]): void {
    const groups = this.#groups.get(zoneId) ?? new Set();
    this.#groups.set(zoneId, groups);
    for (const groupId of groupIds) {
      if (this.#size === PAIRS_MAX) return;
      const before = groups.size;
      this.#size += groups.add(groupId).size - before;
    }
  }

  addAll(pairs: StoredPairs): void {
    for (const [zoneId, groupIds] of pairs) this.add(zoneId, groupIds);
  }

  /** The groups that were seen in the zone. */
  in(zoneId: string): ReadonlySet<string> {
    return this.#groups.get(zoneId) ?? NONE;
  }

  /** Removes pairs of other zones and groups. */
  keepOnly(zoneIds: ReadonlySet<string>, groupIds: ReadonlySet<string>): void {
    for (const [zoneId, groups] of this.#groups) {
      const isKnown = zoneIds.has(zoneId);
      for (const groupId of groups) {
        if (isKnown && groupIds.has(groupId)) continue;
        groups.delete(groupId);
        this.#size--;
      }
      if (groups.size === 0) this.#groups.delete(zoneId);
    }
  }

  stored(): StoredPairs {
    return Array.from(this.#groups, ([zoneId, groups]) => [zoneId, [...groups]] as const);
  }
}

const NONE: ReadonlySet<string> = new Set();
