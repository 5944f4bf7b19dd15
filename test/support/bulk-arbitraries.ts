/**
 * Random bulk writes: edits of the current configuration of a shop. Records are removed, moved, replaced and added,
 * kinds are left out or cleared, so that execute meets all kinds of differences.
 */
import fc from 'fast-check';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';
import type { ShopState } from '../../src/engine/domain/shop-event.ts';
import { snapshotOf } from '../../src/engine/wire/record-view.ts';
import type { ConfigData } from '../../src/engine/wire/write-bodies.ts';
import {
  countries,
  groupFields,
  idOf,
  methodFields,
  name,
  newSubzones,
  pick,
  ruleBody,
} from './record-arbitraries.ts';

const listEdit = fc.record({
  leftOut: fc.boolean(),
  cleared: fc.nat(19).map((number) => number === 0),
  /** A record that is removed, and a record that loses its id and so becomes new. */
  dropped: fc.option(pick),
  renewed: fc.option(pick),
  /** Number of records that move from the front to the end. */
  turned: fc.nat(2),
});
type ListEdit = typeof listEdit extends fc.Arbitrary<infer T> ? T : never;

const zoneData = fc.record({
  name,
  countries,
  subzones: newSubzones,
});
const methodData = fc.record({
  fields: methodFields,
  zone: pick,
  group: fc.option(pick),
  rules: fc.option(fc.array(ruleBody, { maxLength: 2 })),
});

export const bulkEdit = fc.record({
  productGroups: listEdit,
  zones: listEdit,
  methods: listEdit,
  blendedRates: listEdit,
  checks: listEdit,
  newGroups: fc.array(groupFields, { maxLength: 1 }),
  newZones: fc.array(zoneData, { minLength: 1, maxLength: 2 }),
  newMethods: fc.array(methodData, { maxLength: 2 }),
  /** Moves the rules of one method to another. */
  movedRules: fc.option(fc.tuple(pick, pick)),
});
type BulkEdit = typeof bulkEdit extends fc.Arbitrary<infer T> ? T : never;

type MutableData = { -readonly [K in keyof ConfigData]: ConfigData[K] };
type KindOfData = 'productGroups' | 'zones' | 'methods' | 'blendedRates' | 'checks';

function edited<T extends { id?: string }>(records: readonly T[], edit: ListEdit): T[] {
  if (edit.cleared) return [];
  const isChosen = (choice: number | null, record: T) =>
    choice !== null && idOf(records as readonly { id: string }[], choice) === record.id;
  const kept = records.filter((record) => !isChosen(edit.dropped, record));
  const turned = [...kept.slice(edit.turned), ...kept.slice(0, edit.turned)];
  return turned.map((record) => {
    if (!isChosen(edit.renewed, record)) return record;
    const { id: _, ...rest } = record;
    return rest as T;
  });
}

function newMethods(edit: BulkEdit, data: ConfigData, state: ShopState): NonNullable<ConfigData['methods']> {
  const zones = (data.zones ?? state.config.zones).flatMap((zone) => [zone, ...(zone.subzones ?? [])]);
  const groups = data.productGroups ?? state.config.productGroups;
  const withIds = (records: readonly { id?: string }[]) =>
    records.flatMap(({ id }) => (id === undefined ? [] : [{ id }]));
  return edit.newMethods.map(({ fields: { rate, position: _, ...fields }, zone, group, rules }) => ({
    name: 'Standard',
    ...fields,
    rateType: rate?.rateType ?? 'free',
    config: rate?.config ?? {},
    zoneId: idOf(withIds(zones), zone),
    ...(group !== null && { productGroupId: idOf(withIds(groups), group) }),
    ...(rules !== null && { rules }),
  }));
}

/** The data of a bulk write that makes this edit. */
export function dataOf(edit: BulkEdit, state: ShopState): ConfigData {
  const config = state.config as unknown as ShopConfig;
  const data = JSON.parse(JSON.stringify(snapshotOf(config, state.version.id))) as Required<MutableData>;
  data.zones = [...edited(data.zones, edit.zones), ...edit.newZones];
  data.productGroups = [
    ...edited(data.productGroups, edit.productGroups),
    ...edit.newGroups.map(({ position: _, ...fields }) => ({ name: 'Heavy', ...fields, isDefault: false })),
  ];
  data.methods = [...edited(data.methods, edit.methods), ...newMethods(edit, data, state)];
  data.blendedRates = edited(data.blendedRates, edit.blendedRates);
  data.checks = edited(data.checks, edit.checks);
  if (edit.movedRules !== null && data.methods.length > 0) {
    const [from, to] = edit.movedRules.map((choice) => data.methods[choice % data.methods.length]);
    if (from !== undefined && to !== undefined && from !== to) {
      to.rules = [...(to.rules ?? []), ...(from.rules ?? [])];
      from.rules = [];
    }
  }
  const leftOut = (kind: KindOfData) => edit[kind].leftOut && delete (data as MutableData)[kind];
  for (const kind of ['productGroups', 'zones', 'methods', 'blendedRates', 'checks'] as const) leftOut(kind);
  return data;
}
