/**
 * What differs between two configurations, in two forms.
 *
 * A comparison is what clients see (contract section 6). Children follow their parent. A rule that is now under another
 * method, or a subzone under another zone, counts as removed there and added here.
 *
 * A change is what the log stores: `applyChange` turns the first configuration into the second with it, including
 * order and placements. It does not name records that are the same in both.
 */
import { BlendedRate } from '../domain/blended-rate.ts';
import { Check } from '../domain/check.ts';
import { THRESHOLD_BASIS_DEFAULT } from '../domain/money.ts';
import { ProductGroup } from '../domain/product-group.ts';
import { Rule } from '../domain/rule.ts';
import { METHOD_FIELDS } from '../domain/shipping-method.ts';
import type {
  ConfigChange,
  LastChange,
  ListChange,
  MethodInChange,
  PlacedConfig,
  PlacedMethod,
  RuleInChange,
} from '../domain/shop-event.ts';
import type { CompareEntry, Comparison, ModifiedEntry, RecordKind } from '../domain/version.ts';
import { Subzone, Zone } from '../domain/zone.ts';
import { type Alignment, align, type Identified, stayingRecords } from './align.ts';

const fieldsOf = (properties: object, children?: string): readonly string[] =>
  Object.keys(properties).filter((field) => field !== 'id' && field !== children);

/** The top-level fields that a modified record may name, per kind; children are compared separately. */
const FIELDS: Readonly<Record<RecordKind, readonly string[]>> = {
  zone: fieldsOf(Zone.properties, 'subzones'),
  subzone: fieldsOf(Subzone.properties),
  productGroup: fieldsOf(ProductGroup.properties),
  method: fieldsOf(METHOD_FIELDS),
  rule: fieldsOf(Rule.properties),
  blendedRate: fieldsOf(BlendedRate.properties),
  check: fieldsOf(Check.properties),
};

type FieldChange = ModifiedEntry['changes'][number];

interface ComparableRecord extends Identified {
  readonly name?: string;
  readonly action?: string;
  /** Absent on subzones. */
  readonly placement?: number;
  /** Records below it, which are compared separately. */
  readonly subzones?: readonly ComparableRecord[];
  readonly rules?: readonly ComparableRecord[];
}

/** A comparison that is being made. */
type Entries = { readonly [K in keyof Comparison]: Comparison[K][number][] };

function entryOf(kind: RecordKind, record: ComparableRecord, parentId: string | undefined): CompareEntry {
  // A rule may have no name.
  const name = record.name ?? `${record.action} rule`;
  return { kind, id: record.id, name, ...(parentId !== undefined && { parentId }) };
}

/** The values of absent fields, as clients see them; those of other fields are null. */
const ABSENT: Readonly<Record<string, unknown>> = {
  name: '',
  thresholdBasis: THRESHOLD_BASIS_DEFAULT,
  phoneRequired: false,
};

const fieldOf = (record: ComparableRecord, field: string): unknown =>
  (record as unknown as Readonly<Record<string, unknown>>)[field] ?? ABSENT[field] ?? null;

/** True when a field differs. Position and children do not count as fields. */
export const differ = (kind: RecordKind, from: ComparableRecord, to: ComparableRecord): boolean =>
  FIELDS[kind].some((field) => !sameJson(fieldOf(from, field), fieldOf(to, field)));

/** The fields that differ. */
function fieldChanges(kind: RecordKind, from: ComparableRecord, to: ComparableRecord): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const field of FIELDS[kind]) {
    const before = fieldOf(from, field);
    const after = fieldOf(to, field);
    if (!sameJson(before, after)) changes.push({ field, from: before, to: after });
  }
  return changes;
}

/** Adds to the entries, and returns them. */
function compareList(
  entries: Entries,
  kind: RecordKind,
  from: readonly ComparableRecord[],
  to: readonly ComparableRecord[],
  children?: 'subzones' | 'rules',
  parentId?: string,
): Comparison {
  if (from === to) return entries;
  const aligned = align(from, to);
  const { start, fromIndexes, removed } = aligned;
  // Subzones have no placement, so the comparison counts as few of them as possible as moved.
  const stays = kind === 'subzone' ? stayingRecords(aligned) : null;
  let inOrder: Uint8Array | undefined;
  for (const [at, fromIndex] of fromIndexes.entries()) {
    const index = start + at;
    const record = to[index] as ComparableRecord;
    const old = fromIndex < 0 ? undefined : from[fromIndex];
    if (old === record && (stays === null || stays[at] === 1)) continue;
    if (old === undefined) {
      entries.added.push(entryOf(kind, record, parentId));
    } else {
      const changes = fieldChanges(kind, old, record);
      let moved = stays === null ? old.placement !== record.placement : stays[at] !== 1;
      if (moved && stays === null && fromIndex === index) {
        inOrder ??= findInOrder(from, to, aligned);
        moved = inOrder[at] !== 1;
      }
      if (moved) changes.push({ field: 'position', from: fromIndex, to: index });
      if (changes.length > 0) entries.modified.push({ ...entryOf(kind, record, parentId), changes });
    }
    if (children !== undefined) compareChildren(entries, children, old, record);
  }
  for (const record of removed.map((index) => from[index] as ComparableRecord)) {
    entries.removed.push(entryOf(kind, record, parentId));
    if (children !== undefined) compareChildren(entries, children, record, undefined);
  }
  return entries;
}

/** One side is undefined for a new or removed parent. */
function compareChildren(
  entries: Entries,
  children: 'subzones' | 'rules',
  from: ComparableRecord | undefined,
  to: ComparableRecord | undefined,
): Comparison {
  const [before = [], after = []] = [from?.[children], to?.[children]];
  const kind = children === 'rules' ? 'rule' : 'subzone';
  return compareList(entries, kind, before, after, undefined, (to ?? from)?.id);
}

/**
 * For each aligned record, 1 when it was moved to the index that it already had and stands between the same unmoved
 * records: the comparison then names no position. Otherwise the records around it shifted, and only its position shows
 * where it went. The relative order of the records marked here never changes.
 */
function findInOrder(
  from: readonly ComparableRecord[],
  to: readonly ComparableRecord[],
  { start, end, fromIndexes }: Alignment,
): Uint8Array {
  const isUnmoved = (at: number): boolean => {
    const fromIndex = fromIndexes[at] as number;
    return fromIndex >= 0 && from[fromIndex]?.placement === to[start + at]?.placement;
  };
  const inOrder = new Uint8Array(fromIndexes.length);
  // Records outside the aligned range are shared, so they did not move.
  let before = start - 1;
  for (let at = 0; at < fromIndexes.length; at++) {
    if (isUnmoved(at)) before = fromIndexes[at] as number;
    else if (before < start + at) inOrder[at] = 1;
  }
  let behind = from.length - (to.length - end);
  for (let at = fromIndexes.length - 1; at >= 0; at--) {
    if (isUnmoved(at)) behind = fromIndexes[at] as number;
    else if (behind < start + at) inOrder[at] = 0;
  }
  return inOrder;
}

const noEntries = (): Entries => ({ added: [], modified: [], removed: [] });

/** Linear; a common prefix and a common suffix of two lists are skipped. */
export function compareConfigs(from: PlacedConfig, to: PlacedConfig): Comparison {
  const entries = noEntries();
  compareList(entries, 'zone', from.zones, to.zones, 'subzones');
  compareList(entries, 'productGroup', from.productGroups, to.productGroups);
  compareList(entries, 'method', from.methods, to.methods, 'rules');
  compareList(entries, 'blendedRate', from.blendedRates, to.blendedRates);
  return compareList(entries, 'check', from.checks, to.checks);
}

/** The differences between two lists of one kind of record, without their children. */
export const compareLists = (
  kind: RecordKind,
  from: readonly ComparableRecord[],
  to: readonly ComparableRecord[],
): Comparison => compareList(noEntries(), kind, from, to);

export const asItIs = <T>(record: T): T => record;

/** The rules of a method are stored as separate changes. */
export const methodInChange = ({ rules: _, changedIn: _number, ...fields }: PlacedMethod): MethodInChange =>
  fields;

/** A rule or method as events and bodies hold it. */
export const unmarked = <T extends LastChange>({ changedIn: _, ...fields }: T) => fields;

/** Null when the lists are equal. `stored` makes the form of a record that a change holds. */
export function diffList<T extends Identified, C>(
  from: readonly T[],
  to: readonly T[],
  stored: (record: T) => C,
): ListChange<C> | null {
  if (from === to) return null;
  const aligned = align(from, to);
  const { start, fromIndexes, removed } = aligned;
  const stays = stayingRecords(aligned);
  const replaced: C[] = [];
  const placed: { index: number; record: C }[] = [];
  for (const [at, fromIndex] of fromIndexes.entries()) {
    const index = start + at;
    const record = to[index] as T;
    if (stays[at] !== 1) {
      placed.push({ index, record: stored(record) });
      continue;
    }
    const old = from[fromIndex] as T;
    if (old !== record && !sameJson(stored(old), stored(record))) replaced.push(stored(record));
  }
  if (removed.length + replaced.length + placed.length === 0) return null;
  return {
    ...(removed.length > 0 && { removed: removed.map((index) => from[index]?.id ?? '') }),
    ...(replaced.length > 0 && { replaced }),
    ...(placed.length > 0 && { placed }),
  };
}

/** Changes of rules, by method; for a new method all rules are new. Null when no rule changed. */
function diffRules(
  from: readonly PlacedMethod[],
  to: readonly PlacedMethod[],
): NonNullable<ConfigChange['rules']> | null {
  if (from === to) return null;
  const changes: [methodId: string, change: ListChange<RuleInChange>][] = [];
  const { start, fromIndexes } = align(from, to);
  for (const [at, fromIndex] of fromIndexes.entries()) {
    const method = to[start + at] as PlacedMethod;
    const change = diffList(from[fromIndex]?.rules ?? [], method.rules, unmarked);
    if (change !== null) changes.push([method.id, change]);
  }
  // `Object.fromEntries` defines the fields, so a method may have the id `__proto__`.
  return changes.length === 0 ? null : Object.fromEntries(changes);
}

/** Both configurations must be valid, with unique ids per kind. Linear except for records whose order changed. */
export function diffConfigs(from: PlacedConfig, to: PlacedConfig): ConfigChange {
  const changes = {
    zones: diffList(from.zones, to.zones, asItIs),
    productGroups: diffList(from.productGroups, to.productGroups, asItIs),
    methods: diffList(from.methods, to.methods, methodInChange),
    rules: diffRules(from.methods, to.methods),
    blendedRates: diffList(from.blendedRates, to.blendedRates, asItIs),
    checks: diffList(from.checks, to.checks, asItIs),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, change]) => change !== null));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * Equality of JSON values. The order of an object's fields does not matter. Identical values are equal without a deep
 * comparison. Neither side may hold `undefined` fields.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (const [index, element] of a.entries()) if (!sameJson(element, b[index])) return false;
    return true;
  }
  const fields = Object.keys(a);
  if (fields.length !== Object.keys(b).length) return false;
  for (const field of fields) if (!Object.hasOwn(b, field) || !sameJson(a[field], b[field])) return false;
  return true;
}
