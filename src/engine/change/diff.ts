/**
 * What differs between two configurations, in one pass: a comparison and a change.
 *
 * A comparison is what clients see (contract section 6). Children follow their parent. A rule that is now under another
 * method, or a subzone under another zone, counts as removed there and added here.
 *
 * A change is what the log stores: `applyChange` turns the first configuration into the second with it, including order
 * and placements. It does not name records that are the same in both. Records that both configurations share are not
 * looked into.
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
  PlacedBlendedRate,
  PlacedConfig,
  PlacedGroup,
  PlacedMethod,
  PlacedRule,
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

/** The differences that clients see. */
type Differences = { readonly [K in keyof Comparison]: Comparison[K][number][] };

const noDifferences = (): Differences => ({ added: [], modified: [], removed: [] });

/** The fields that differ, as clients see them. */
const fieldChanges = (kind: RecordKind, from: ComparableRecord, to: ComparableRecord): FieldChange[] =>
  FIELDS[kind]
    .map((field) => ({ field, from: fieldOf(from, field), to: fieldOf(to, field) }))
    .filter((change) => !sameJson(change.from, change.to));

function entryOf(kind: RecordKind, record: ComparableRecord, parentId: string | undefined): CompareEntry {
  // A rule may have no name.
  const name = record.name ?? `${record.action} rule`;
  return { kind, id: record.id, name, ...(parentId !== undefined && { parentId }) };
}

/** How the records of a list are compared. `stored` makes the form of a record that a change holds. */
interface ListDiff<T, C> {
  readonly kind: RecordKind;
  readonly stored: (record: T) => C;
  /** The fields that this form lacks. */
  readonly unstored?: readonly string[];
  readonly parentId?: string | undefined;
  /** Compares what is below the records; one of them is undefined for a new or removed parent. */
  readonly below?: (from: T | undefined, to: T | undefined) => void;
}

/** Adds the differences. Returns the change of the list; null when the lists are equal. */
function diffList<T extends ComparableRecord, C>(
  differences: Differences,
  from: readonly T[],
  to: readonly T[],
  { kind, stored, unstored = [], parentId, below }: ListDiff<T, C>,
): ListChange<C> | null {
  if (from === to) return null;
  const aligned = align(from, to);
  const { start, fromIndexes, removed } = aligned;
  const stays = stayingRecords(aligned);
  const replaced: C[] = [];
  const placed: { index: number; record: C }[] = [];
  let inOrder: Uint8Array | undefined;
  for (const [at, fromIndex] of fromIndexes.entries()) {
    const index = start + at;
    const record = to[index] as T;
    const old = fromIndex < 0 ? undefined : (from[fromIndex] as T);
    const isStaying = stays[at] === 1;
    if (old === record && isStaying) continue;
    if (old === undefined) {
      differences.added.push(entryOf(kind, record, parentId));
      placed.push({ index, record: stored(record) });
    } else {
      const isSame = old === record || sameRecord(old, record, unstored);
      const changes = isSame ? [] : fieldChanges(kind, old, record);
      if (!isStaying) placed.push({ index, record: stored(record) });
      else if (!isSame) replaced.push(stored(record));
      // Subzones have no placement, so the comparison counts as few of them as possible as moved.
      let moved = kind === 'subzone' ? !isStaying : old.placement !== record.placement;
      if (moved && kind !== 'subzone' && fromIndex === index) {
        inOrder ??= findInOrder(from, to, aligned);
        moved = inOrder[at] !== 1;
      }
      // A record that was moved has the indexes from and to which it was.
      if (moved) changes.push({ field: 'position', from: fromIndex, to: index });
      if (changes.length > 0) differences.modified.push({ ...entryOf(kind, record, parentId), changes });
    }
    below?.(old, record);
  }
  const gone = removed.map((index) => from[index] as T);
  for (const record of gone) {
    differences.removed.push(entryOf(kind, record, parentId));
    below?.(record, undefined);
  }
  if (gone.length + replaced.length + placed.length === 0) return null;
  return {
    ...(gone.length > 0 && { removed: gone.map(({ id }) => id) }),
    ...(replaced.length > 0 && { replaced }),
    ...(placed.length > 0 && { placed }),
  };
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

/** Both configurations must be valid, with unique ids per kind. Linear except for records whose order changed. */
function diffAll(differences: Differences, from: PlacedConfig, to: PlacedConfig): ConfigChange {
  const rules: [methodId: string, change: ListChange<RuleInChange>][] = [];
  const zones = diffList(differences, from.zones, to.zones, {
    kind: 'zone',
    stored: asItIs,
    below(old, zone) {
      const subzones = { kind: 'subzone', stored: asItIs, parentId: (zone ?? old)?.id } as const;
      diffList(differences, old?.subzones ?? [], zone?.subzones ?? [], subzones);
    },
  });
  const productGroups = diffList(differences, from.productGroups, to.productGroups, {
    kind: 'productGroup',
    stored: asItIs<PlacedGroup>,
  });
  const methods = diffList(differences, from.methods, to.methods, {
    kind: 'method',
    stored: methodInChange,
    unstored: ['rules', 'changedIn'],
    below(old, method) {
      const parentId = (method ?? old)?.id ?? '';
      const ofMethod = { kind: 'rule', stored: unmarked<PlacedRule>, unstored: MARK, parentId } as const;
      const change = diffList(differences, old?.rules ?? [], method?.rules ?? [], ofMethod);
      // Removing a method removes its rules.
      if (change !== null && method !== undefined) rules.push([parentId, change]);
    },
  });
  const blendedRates = diffList(differences, from.blendedRates, to.blendedRates, {
    kind: 'blendedRate',
    stored: asItIs<PlacedBlendedRate>,
  });
  const checks = diffList(differences, from.checks, to.checks, { kind: 'check', stored: asItIs });
  return {
    ...(zones !== null && { zones }),
    ...(productGroups !== null && { productGroups }),
    ...(methods !== null && { methods }),
    // `Object.fromEntries` defines the fields, so a method may have the id `__proto__`.
    ...(rules.length > 0 && { rules: Object.fromEntries(rules) }),
    ...(blendedRates !== null && { blendedRates }),
    ...(checks !== null && { checks }),
  };
}

/** The change, and what clients see of it. */
export function diffConfigs(
  from: PlacedConfig,
  to: PlacedConfig,
): { readonly change: ConfigChange; readonly comparison: Comparison } {
  const comparison = noDifferences();
  return { change: diffAll(comparison, from, to), comparison };
}

export const compareConfigs = (from: PlacedConfig, to: PlacedConfig): Comparison =>
  diffConfigs(from, to).comparison;

/** The ids of the records that a comparison of the two lists names as modified. */
export function modifiedIds<T extends ComparableRecord>(
  kind: RecordKind,
  from: readonly T[],
  to: readonly T[],
): ReadonlySet<string | null> {
  const differences = noDifferences();
  diffList(differences, from, to, { kind, stored: asItIs });
  return new Set(differences.modified.map(({ id }) => id));
}

export const asItIs = <T>(record: T): T => record;

/** The rules of a method are stored as separate changes. */
const methodInChange = ({ rules: _, changedIn: _number, ...fields }: PlacedMethod): MethodInChange => fields;

/** A rule or method as events and bodies hold it. */
export function unmarked<T extends LastChange>(record: T): Omit<T, keyof LastChange> {
  if (record.changedIn === undefined) return record;
  const { changedIn: _, ...fields } = record;
  return fields;
}

/** The field of rules and methods that is in no change. */
const MARK: readonly string[] = ['changedIn'];

/** Equality of two records, but for fields of these names. */
export function sameRecord(a: object, b: object, ignored = MARK): boolean {
  const [one, other] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  let more = 0;
  for (const field of Object.keys(one)) {
    if (ignored.includes(field)) continue;
    if (!sameJson(one[field], other[field])) return false;
    more++;
  }
  for (const field of Object.keys(other)) if (!ignored.includes(field)) more--;
  return more === 0;
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
    for (let at = 0; at < a.length; at++) if (!sameJson(a[at], b[at])) return false;
    return true;
  }
  const fields = Object.keys(a);
  if (fields.length !== Object.keys(b).length) return false;
  for (const field of fields) if (!Object.hasOwn(b, field) || !sameJson(a[field], b[field])) return false;
  return true;
}
