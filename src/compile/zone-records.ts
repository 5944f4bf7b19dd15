/**
 * Zone records: which methods and blended rates belong to which zone. After a change of some records only
 * the lists of their zones are made anew: in a shop of 20,000 methods, a look at each one's zone would take
 * most of the time of a small write. A zone whose records did not change keeps its lists by identity.
 */
import type { BlendedRate } from '../domain/blended-rate.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { Zone } from '../domain/zone.ts';
import { findListEdit } from './list-edit.ts';

/** The records of a zone: its own and those of its subzones, in position order. */
export interface ZoneRecords {
  readonly zone: Zone;
  readonly methods: readonly ShippingMethod[];
  readonly blendedRates: readonly BlendedRate[];
}

interface Placed {
  readonly zoneId: string;
}

/** Zone id or subzone id -> index of the zone. */
type ZoneIndexes = ReadonlyMap<string, number>;

export class RecordsByZone {
  /** In the order of the zones. */
  readonly all: readonly ZoneRecords[];
  readonly #config: ShopConfig;
  readonly #indexes: ZoneIndexes;

  /** `previous` is what an earlier configuration came to. */
  constructor(config: ShopConfig, previous?: RecordsByZone) {
    const { zones, methods, blendedRates } = config;
    const before = previous !== undefined && previous.#config.zones === zones ? previous : null;
    const earlier = before === null ? null : before.#config;
    this.#config = config;
    this.#indexes = before === null ? indexZones(zones) : before.#indexes;
    const methodLists = regroup(methods, this.#indexes, zones.length, {
      list: earlier?.methods,
      groups: before?.all.map((records) => records.methods),
    });
    const blendedLists = regroup(blendedRates, this.#indexes, zones.length, {
      list: earlier?.blendedRates,
      groups: before?.all.map((records) => records.blendedRates),
    });
    this.all = zones.map((zone, index) => {
      const ofZone = methodLists[index] as readonly ShippingMethod[];
      const blendsOfZone = blendedLists[index] as readonly BlendedRate[];
      const known = before?.all[index];
      return known?.methods === ofZone && known.blendedRates === blendsOfZone
        ? known
        : { zone, methods: ofZone, blendedRates: blendsOfZone };
    });
  }
}

function indexZones(zones: readonly Zone[]): ZoneIndexes {
  const indexes = new Map<string, number>();
  for (const [index, { id, subzones }] of zones.entries()) {
    indexes.set(id, index);
    for (const subzone of subzones) indexes.set(subzone.id, index);
  }
  return indexes;
}

interface GroupedBefore<T> {
  readonly list: readonly T[] | undefined;
  readonly groups: readonly (readonly T[])[] | undefined;
}

/** The records of each zone, from what they were before where that is known. */
function regroup<T extends Placed>(
  list: readonly T[],
  indexes: ZoneIndexes,
  zones: number,
  before: GroupedBefore<T>,
): readonly (readonly T[])[] {
  if (before.list === undefined || before.groups === undefined) return groupAll(list, indexes, zones);
  if (before.list === list) return before.groups;
  const edit = findListEdit(before.list, list);
  if (edit === null) return groupAll(list, indexes, zones);
  const { removed, inserted, at } = edit;
  const from = before.list;
  const groups = [...before.groups];
  const gone = new Set(removed);
  const touched = new Set([...removed, ...inserted].map(({ zoneId }) => indexes.get(zoneId)));
  for (const index of touched) {
    if (index === undefined) continue;
    const kept = (groups[index] as readonly T[]).filter((record) => !gone.has(record));
    const added = inserted.filter(({ zoneId }) => indexes.get(zoneId) === index);
    groups[index] = added.length === 0 ? kept : kept.toSpliced(countBefore(kept, from, at), 0, ...added);
  }
  return groups;
}

/** How many of some records of a list, in its order, stand before an index of it. */
function countBefore<T>(records: readonly T[], list: readonly T[], index: number): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    // A search by identity looks into no record: it takes microseconds for 20,000.
    if (list.indexOf(records[middle] as T) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function groupAll<T extends Placed>(
  list: readonly T[],
  indexes: ZoneIndexes,
  zones: number,
): readonly (readonly T[])[] {
  const groups = Array.from({ length: zones }, (): T[] => []);
  for (const record of list) {
    const index = indexes.get(record.zoneId);
    if (index !== undefined) groups[index]?.push(record);
  }
  return groups;
}
