/**
 * Zone records: the methods and blended rates of each zone. After a small change only the lists of the changed
 * records' zones are made again: in a shop of 20,000 methods, reading the zone of each method would take most of the
 * time of a small write. A zone whose records did not change keeps its lists by identity. The first run and a run
 * after a large change read all records, in steps.
 */
import type { BlendedRate } from '../domain/blended-rate.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { Zone } from '../domain/zone.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
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

export interface RecordsByZone {
  /** In the order of the zones. */
  readonly all: readonly ZoneRecords[];
  readonly config: ShopConfig;
  readonly indexes: ZoneIndexes;
}

/** Groups the records of a configuration by zone; `previous` is the result for an earlier configuration. */
export function* recordsByZoneSteps(
  config: ShopConfig,
  previous: RecordsByZone | undefined,
  shouldYield: ShouldYield,
): WorkSteps<RecordsByZone> {
  const { zones, methods, blendedRates } = config;
  const before = previous?.config.zones === zones ? previous : undefined;
  const earlier = before?.config;
  const indexes = before?.indexes ?? (yield* indexZones(zones, shouldYield));
  const methodLists = yield* regroup(
    methods,
    indexes,
    zones.length,
    { list: earlier?.methods, groups: before?.all.map((records) => records.methods) },
    shouldYield,
  );
  const blendedLists = yield* regroup(
    blendedRates,
    indexes,
    zones.length,
    { list: earlier?.blendedRates, groups: before?.all.map((records) => records.blendedRates) },
    shouldYield,
  );
  const all = zones.map((zone, index) => {
    const ofZone = methodLists[index] as readonly ShippingMethod[];
    const blendsOfZone = blendedLists[index] as readonly BlendedRate[];
    const known = before?.all[index];
    return known?.methods === ofZone && known.blendedRates === blendsOfZone
      ? known
      : { zone, methods: ofZone, blendedRates: blendsOfZone };
  });
  return { all, config, indexes };
}

function* indexZones(zones: readonly Zone[], shouldYield: ShouldYield): WorkSteps<ZoneIndexes> {
  const indexes = new Map<string, number>();
  for (const [index, { id, subzones }] of zones.entries()) {
    indexes.set(id, index);
    for (const subzone of subzones) indexes.set(subzone.id, index);
    if (shouldYield()) yield;
  }
  return indexes;
}

interface GroupedBefore<T> {
  readonly list: readonly T[] | undefined;
  readonly groups: readonly (readonly T[])[] | undefined;
}

/** The records of each zone, derived from the earlier lists where they are known. */
function* regroup<T extends Placed>(
  list: readonly T[],
  indexes: ZoneIndexes,
  zones: number,
  before: GroupedBefore<T>,
  shouldYield: ShouldYield,
): WorkSteps<readonly (readonly T[])[]> {
  if (before.list === undefined || before.groups === undefined) {
    return yield* groupAll(list, indexes, zones, shouldYield);
  }
  if (before.list === list) return before.groups;
  const edit = findListEdit(before.list, list);
  if (edit === null) return yield* groupAll(list, indexes, zones, shouldYield);
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

/** How many of `records`, a sublist of `list` in its order, stand before an index of `list`. */
function countBefore<T>(records: readonly T[], list: readonly T[], index: number): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    // A search by identity reads no field of a record: it takes microseconds for 20,000.
    if (list.indexOf(records[middle] as T) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* groupAll<T extends Placed>(
  list: readonly T[],
  indexes: ZoneIndexes,
  zones: number,
  shouldYield: ShouldYield,
): WorkSteps<readonly (readonly T[])[]> {
  const groups = Array.from({ length: zones }, (): T[] => []);
  for (const record of list) {
    const index = indexes.get(record.zoneId);
    if (index !== undefined) groups[index]?.push(record);
    if (shouldYield()) yield;
  }
  return groups;
}
