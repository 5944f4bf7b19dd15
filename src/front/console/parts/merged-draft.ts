/**
 * What becomes of a draft when another editor saved the same record meanwhile. Fields that only one of both changed keep
 * that change; where both changed a field, the draft keeps what was typed and the field is named. Lists of texts are
 * merged text by text, lists of records with ids record by record.
 */
import { newKey } from '../new-key.ts';

type Fields = Readonly<Record<string, unknown>>;

/** True when both have the same values; absent counts as undefined, and the order of fields does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((each, index) => isSame(each, b[index]))
    );
  }
  const [left, right] = [a as Fields, b as Fields];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) =>
    isSame(left[name], right[name]),
  );
}

/** Fields that are written together, because one alone may not fit the others. */
const UNITS = [
  ['rateType', 'config'],
  ['action', 'adjustmentType', 'adjustmentValue'],
] as const;

const unitOf = (field: string): readonly string[] =>
  UNITS.find((unit) => (unit as readonly string[]).includes(field)) ?? [field];

/** Every field of the records, with those of them that are written together with it. */
function unitsOf(...records: readonly object[]): readonly (readonly string[])[] {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const units = names.map((name) => unitOf(name).filter((field) => names.includes(field)));
  return units.filter(([first], at) => units.findIndex(([other]) => other === first) === at);
}

const pick = (record: object, fields: readonly string[]): Fields =>
  Object.fromEntries(fields.map((field) => [field, (record as Fields)[field]]));

/** The fields of the draft that differ from what it began with, with those that are written together with them. */
export function changedFields<D extends object>(base: D, draft: D): Partial<D> {
  const changed = unitsOf(draft).filter((unit) => !isSame(pick(base, unit), pick(draft, unit)));
  return pick(draft, changed.flat()) as Partial<D>;
}

/** A record in a list of another one, such as a rule. */
export interface ListedRecord {
  readonly id: string;
  readonly name?: string;
  /** Of a rule. */
  readonly action?: string;
}

/** No id of the service has a colon. */
const NEW_ID = 'new:';

/** An id within the draft for a record that is not saved yet. */
export const newId = (): string => NEW_ID + newKey();

export const isNewId = (id: string): boolean => id.startsWith(NEW_ID);

export const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** A list without ids is one value: its records cannot be told apart. */
export const isRecordList = (value: unknown): value is readonly ListedRecord[] =>
  Array.isArray(value) && value.every((each) => typeof each?.id === 'string');

const isAllOf = <T>(is: (value: unknown) => value is T, values: readonly unknown[]): values is readonly T[] =>
  values.every((value) => is(value));

/** Ids that the service gave to records which were new in a draft. */
export type GivenIds = readonly (readonly [own: string, given: string])[];

/** The draft with the ids that the service gave to its new records. */
export function withIds<D extends object>(draft: D, ids: GivenIds): D {
  const given = new Map(ids);
  if (given.size === 0) return draft;
  const fields = Object.entries(draft).map(([field, value]) => [
    field,
    isRecordList(value) ? value.map((each) => ({ ...each, id: given.get(each.id) ?? each.id })) : value,
  ]);
  return Object.fromEntries(fields) as D;
}

/** The ids of new records of the draft that the service already has: the answer to their write was lost. */
function idsOfOwn(base: object, draft: object, theirs: object): GivenIds {
  return Object.entries(draft).flatMap(([field, mine]) => {
    const lists: readonly unknown[] = [(base as Fields)[field], mine, (theirs as Fields)[field]];
    if (!isAllOf(isRecordList, lists)) return [];
    const [before = [], typed = [], now = []] = lists;
    const made = typed.filter(({ id }) => isNewId(id));
    const known = new Set([...before, ...typed].map(({ id }) => id));
    return now.flatMap((record) => {
      if (known.has(record.id)) return [];
      const at = made.findIndex((each) => isSame({ ...each, id: record.id }, record));
      return at < 0 ? [] : made.splice(at, 1).map(({ id }) => [id, record.id] as const);
    });
  });
}

/** Leads to a value of a record: a field, or a list, the id of a record in it, and so on. */
export type Path = readonly string[];

export interface MergedDraft<D> {
  readonly draft: D;
  /** What both changed differently. A path that ends with an id: one deleted the record that the other changed. */
  readonly contested: readonly Path[];
  /** True when the merge changed the draft, or when something is contested. */
  readonly isNews: boolean;
}

/** `base` is what the draft began with, `theirs` what the service has now. */
export function mergedDraft<D extends object>(base: D, typed: D, theirs: D): MergedDraft<D> {
  const contested: Path[] = [];
  const own = withIds(typed, idsOfOwn(base, typed, theirs));
  const merged: Record<string, unknown> = {};
  for (const unit of unitsOf(base, own, theirs)) {
    const [before, mine, now] = [pick(base, unit), pick(own, unit), pick(theirs, unit)];
    const [field = ''] = unit;
    const lists = [before[field], mine[field], now[field]];
    if (isSame(before, now) || isSame(mine, now)) Object.assign(merged, mine);
    else if (isSame(before, mine)) Object.assign(merged, now);
    else if (isAllOf(isTextList, lists)) merged[field] = mergedTexts(lists);
    else if (isAllOf(isRecordList, lists)) {
      merged[field] = mergedRecords(lists, (path) => contested.push([field, ...path]));
    } else {
      Object.assign(merged, mine);
      contested.push([unit.find((each) => !isSame(mine[each], now[each])) ?? field]);
    }
  }
  return { draft: merged as D, contested, isNews: contested.length > 0 || !isSame(merged, own) };
}

/** Without texts that either side removed, with texts that either side added. */
function mergedTexts([base = [], typed = [], theirs = []]: readonly (readonly string[])[]): string[] {
  const [before, mine, now] = [new Set(base), new Set(typed), new Set(theirs)];
  const kept = typed.filter((text) => now.has(text) || !before.has(text));
  return [...kept, ...theirs.filter((text) => !before.has(text) && !mine.has(text))];
}

const byId = (list: readonly ListedRecord[]): ReadonlyMap<string, ListedRecord> =>
  new Map(list.map((each) => [each.id, each]));

function mergedRecords(
  [base = [], typed = [], theirs = []]: readonly (readonly ListedRecord[])[],
  onContested: (path: Path) => void,
): readonly ListedRecord[] {
  const [before, mine, now] = [byId(base), byId(typed), byId(theirs)];
  const kept = typed.flatMap((each) => {
    const [old, current] = [before.get(each.id), now.get(each.id)];
    if (old === undefined) return [each];
    if (current !== undefined) {
      const merged = mergedDraft<ListedRecord>(old, each, current);
      for (const path of merged.contested) onContested([each.id, ...path]);
      return [merged.draft];
    }
    // The other editor removed it: it stays only where something was typed into it.
    if (isSame(old, each)) return [];
    onContested([each.id]);
    return [each];
  });
  for (const [id, current] of now) {
    const old = before.get(id);
    if (old !== undefined && !mine.has(id) && !isSame(old, current)) onContested([id]);
  }
  const list = [...kept, ...theirs.filter(({ id }) => !before.has(id) && !mine.has(id))];
  const orderOf = (records: readonly ListedRecord[], others: ReadonlyMap<string, unknown>) =>
    records.map(({ id }) => id).filter((id) => others.has(id));
  if (!isSame(orderOf(typed, before), orderOf(base, mine))) return list;
  // Only the other editor moved records: take that order. Records that only the draft has stay where they are.
  const left = byId(list);
  const ordered = orderOf(theirs, left).values();
  return list.map((each) => (now.has(each.id) ? (left.get(ordered.next().value ?? '') ?? each) : each));
}

/** The draft with the other editor's value at a contested path. */
export function withTheirs<D extends object>(draft: D, theirs: D, [field = '', id, ...rest]: Path): D {
  if (id === undefined) return { ...draft, ...pick(theirs, unitOf(field)) };
  const [mine, now] = [draft, theirs].map((record) => (record as Fields)[field] as readonly ListedRecord[]);
  const saved = now?.find((each) => each.id === id);
  const others = mine?.filter((each) => each.id !== id) ?? [];
  const at = mine?.findIndex((each) => each.id === id) ?? -1;
  if (saved === undefined) return { ...draft, [field]: others };
  const taken = rest.length === 0 || at < 0 ? saved : withTheirs(mine?.[at] ?? saved, saved, rest);
  return { ...draft, [field]: others.toSpliced(at < 0 ? others.length : at, 0, taken) };
}
