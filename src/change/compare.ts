/**
 * What differs between two configurations, as clients see it (contract section 6). A parent is
 * followed by its children; a rule under another method, or a subzone under another zone, is removed there
 * and added here.
 */
import { BlendedRate } from '../domain/blended-rate.ts';
import { ProductGroup } from '../domain/product-group.ts';
import { Rule } from '../domain/rule.ts';
import { METHOD_FIELDS } from '../domain/shipping-method.ts';
import type { PlacedConfig } from '../domain/shop-event.ts';
import {
  type ChangeCounts,
  type CompareEntry,
  type Comparison,
  countsOf,
  type ModifiedEntry,
  type RecordKind,
} from '../domain/version.ts';
import { Subzone, Zone } from '../domain/zone.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { type Alignment, alignSteps, type Identified, stayingRecords } from './align.ts';
import { sameJson } from './same-json.ts';

const fieldsOf = (properties: object, children?: string): readonly string[] =>
  Object.keys(properties).filter((field) => field !== 'id' && field !== children);

/** The top-level fields that a modified record may name, per kind; children are compared apart. */
const FIELDS: Readonly<Record<RecordKind, readonly string[]>> = {
  zone: fieldsOf(Zone.properties, 'subzones'),
  subzone: fieldsOf(Subzone.properties),
  productGroup: fieldsOf(ProductGroup.properties),
  method: fieldsOf(METHOD_FIELDS),
  rule: fieldsOf(Rule.properties),
  blendedRate: fieldsOf(BlendedRate.properties),
};

type FieldChange = ModifiedEntry['changes'][number];

interface ComparableRecord extends Identified {
  readonly name?: string;
  readonly action?: string;
  /** Absent on subzones. */
  readonly placement?: number;
}

interface Entries {
  readonly added: CompareEntry[];
  readonly modified: ModifiedEntry[];
  readonly removed: CompareEntry[];
}

interface Comparing {
  readonly entries: Entries;
  readonly shouldYield: ShouldYield;
}

/** What has children of its own compares them here; one side is undefined for a new or removed parent. */
type CompareChildren<T> = (from: T | undefined, to: T | undefined, id: string) => WorkSteps<void>;

function entryOf(kind: RecordKind, record: ComparableRecord, parentId: string | undefined): CompareEntry {
  // A rule may go without a name.
  const name = record.name ?? `${record.action} rule`;
  return { kind, id: record.id, name, ...(parentId !== undefined && { parentId }) };
}

/** As clients see it: a rule without a name has an empty one; any other absent field reads as null. */
const fieldOf = (record: ComparableRecord, field: string): unknown =>
  (record as unknown as Readonly<Record<string, unknown>>)[field] ?? (field === 'name' ? '' : null);

/** The fields that differ. */
function fieldChanges(kind: RecordKind, from: ComparableRecord, to: ComparableRecord): FieldChange[] {
  if (from === to) return [];
  return FIELDS[kind]
    .map((field) => ({ field, from: fieldOf(from, field), to: fieldOf(to, field) }))
    .filter((change) => !sameJson(change.from, change.to));
}

/** True when clients see a difference between the two, apart from their places and children. */
export function differsInFields(kind: RecordKind, from: ComparableRecord, to: ComparableRecord): boolean {
  for (const field of FIELDS[kind]) if (!sameJson(fieldOf(from, field), fieldOf(to, field))) return true;
  return false;
}

function* compareList<T extends ComparableRecord>(
  { entries, shouldYield }: Comparing,
  kind: RecordKind,
  from: readonly T[],
  to: readonly T[],
  parentId?: string,
  compareChildren?: CompareChildren<T>,
): WorkSteps<void> {
  if (from === to) return;
  const aligned = yield* alignSteps(from, to, shouldYield);
  const { start, fromIndexes, removed } = aligned;
  // Subzones carry no placement: as few of them as possible count as moved.
  const stays = kind === 'subzone' ? stayingRecords(aligned) : null;
  let inOrder: Uint8Array | undefined;
  for (const [at, fromIndex] of fromIndexes.entries()) {
    const index = start + at;
    const record = to[index] as T;
    const old = fromIndex < 0 ? undefined : from[fromIndex];
    if (old === record && (stays === null || stays[at] === 1)) continue;
    if (shouldYield()) yield;
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
    if (compareChildren !== undefined) yield* compareChildren(old, record, record.id);
  }
  for (const record of removed.map((index) => from[index])) {
    if (record === undefined) continue;
    if (shouldYield()) yield;
    entries.removed.push(entryOf(kind, record, parentId));
    if (compareChildren !== undefined) yield* compareChildren(record, undefined, record.id);
  }
}

/**
 * For each record that was lined up, 1 when it was moved to the very index that it had and also stands between
 * the same unmoved records: there is nothing to tell then. Otherwise the others shifted around it, and without
 * its place nobody could say where it went. Those moved so never change places with each other.
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
  // What stands outside is shared, and so unmoved.
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

/** Linear, and records that both share by identity cost next to nothing. */
export function* compareSteps(
  from: PlacedConfig,
  to: PlacedConfig,
  shouldYield: ShouldYield,
): WorkSteps<Comparison> {
  const entries: Entries = { added: [], modified: [], removed: [] };
  const comparing = { entries, shouldYield };
  yield* compareList(comparing, 'zone', from.zones, to.zones, undefined, (old, zone, id) =>
    compareList(comparing, 'subzone', old?.subzones ?? [], zone?.subzones ?? [], id),
  );
  yield* compareList(comparing, 'productGroup', from.productGroups, to.productGroups);
  yield* compareList(comparing, 'method', from.methods, to.methods, undefined, (old, method, id) =>
    compareList(comparing, 'rule', old?.rules ?? [], method?.rules ?? [], id),
  );
  yield* compareList(comparing, 'blendedRate', from.blendedRates, to.blendedRates);
  return entries;
}

/** The same at once. */
export const compareConfigs = (from: PlacedConfig, to: PlacedConfig): Comparison =>
  finishSteps(compareSteps(from, to, NEVER));

/** The `changes` of a version: how many records a write added, modified and removed. */
export const countChanges = (from: PlacedConfig, to: PlacedConfig): ChangeCounts =>
  countsOf(compareConfigs(from, to));

/** The same in steps. */
export function* countSteps(
  from: PlacedConfig,
  to: PlacedConfig,
  shouldYield: ShouldYield,
): WorkSteps<ChangeCounts> {
  return countsOf(yield* compareSteps(from, to, shouldYield));
}
