/**
 * What becomes of a draft when another editor saved the same record meanwhile. Fields that only one of both changed keep
 * that change; where both changed a field, the draft keeps what was typed and the field is named. Lists of texts are
 * merged text by text, lists of records with ids record by record.
 */

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

/** The fields of the draft that differ from what it began with. */
export function changedFields<D extends object>(base: D, draft: D): Partial<D> {
  const isChanged = ([field, value]: [string, unknown]): boolean => !isSame(value, (base as Fields)[field]);
  return Object.fromEntries(Object.entries(draft).filter(isChanged)) as Partial<D>;
}

export interface MergedDraft<D> {
  readonly draft: D;
  /** Fields that both changed, each to another value. */
  readonly contested: readonly (keyof D & string)[];
}

/** `base` is what the draft began with, `theirs` what the service has now. */
export function mergedDraft<D extends object>(base: D, draft: D, theirs: D): MergedDraft<D> {
  const contested: (keyof D & string)[] = [];
  const names = new Set([...Object.keys(base), ...Object.keys(draft), ...Object.keys(theirs)]);
  const fields = [...names].map((name) => {
    const field = name as keyof D & string;
    const merged = mergedValue(base[field], draft[field], theirs[field]);
    if (merged.isContested) contested.push(field);
    return [field, merged.value];
  });
  return { draft: Object.fromEntries(fields) as D, contested };
}

interface MergedValue {
  readonly value: unknown;
  readonly isContested: boolean;
}

function mergedValue(base: unknown, typed: unknown, theirs: unknown): MergedValue {
  if (isSame(typed, theirs) || isSame(base, typed)) return { value: theirs, isContested: false };
  if (isSame(base, theirs)) return { value: typed, isContested: false };
  if (isTextList(base) && isTextList(typed) && isTextList(theirs)) {
    return { value: mergedTexts(base, typed, theirs), isContested: false };
  }
  const lists = [base, typed, theirs].filter(isRecordList);
  const [before, mine, now] = lists;
  if (before !== undefined && mine !== undefined && now !== undefined) return mergedList(before, mine, now);
  return { value: typed, isContested: true };
}

export const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Without what either removed, with what either added. */
function mergedTexts(base: readonly string[], typed: readonly string[], theirs: readonly string[]): string[] {
  const [before, mine, now] = [new Set(base), new Set(typed), new Set(theirs)];
  const kept = typed.filter((text) => now.has(text) || !before.has(text));
  return [...kept, ...theirs.filter((text) => !before.has(text) && !mine.has(text))];
}

/** Typed records that are not saved yet have no id. */
interface ListedRecord {
  readonly id?: string;
  readonly name?: string;
}

/** A list without ids is one value: its records cannot be told apart. */
const isRecordList = (value: unknown): value is readonly ListedRecord[] =>
  Array.isArray(value) &&
  value.every((each) => typeof each === 'object' && each !== null) &&
  value.some(({ id }) => id !== undefined);

function mergedList(
  base: readonly ListedRecord[],
  typed: readonly ListedRecord[],
  theirs: readonly ListedRecord[],
): MergedValue {
  const [before, mine, now] = [base, typed, theirs].map(
    (list) => new Map(list.flatMap((each) => (each.id === undefined ? [] : [[each.id, each] as const]))),
  ) as [Map<string, ListedRecord>, Map<string, ListedRecord>, Map<string, ListedRecord>];
  let isContested = false;
  const kept = typed.flatMap((each) => {
    const old = each.id === undefined ? undefined : before.get(each.id);
    if (each.id === undefined || old === undefined) return [each];
    const current = now.get(each.id);
    if (current === undefined) {
      // They removed it: it stays only where something was typed into it.
      if (isSame(old, each)) return [];
      isContested = true;
      return [each];
    }
    const merged = mergedDraft<ListedRecord>(old, each, current);
    if (merged.contested.length > 0) isContested = true;
    return [merged.draft];
  });
  const added = theirs.filter(({ id = '' }) => !before.has(id));
  for (const [id, old] of before) {
    const current = now.get(id);
    if (!mine.has(id) && current !== undefined && !isSame(old, current)) isContested = true;
  }
  return { value: [...kept, ...added], isContested };
}

/** What differs between two values of a record, for a list that people read: by text and by record where ids tell them apart. */
export function fieldChanges<D extends object>(from: D, to: D): FieldChange[] {
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...names].flatMap((field) => {
    const [before, now] = [(from as Fields)[field], (to as Fields)[field]];
    if (isSame(before, now)) return [];
    if (isTextList(before) && isTextList(now)) return [textChange(field, before, now)];
    if (!isRecordList(before) || !isRecordList(now)) return [{ field, from: before, to: now }];
    const ids = new Set([...before, ...now].map(({ id }) => id));
    return [...ids].flatMap((id) => {
      const [old, current] = [before, now].map((list) => list.find((each) => each.id === id));
      const label = `${field} “${(current ?? old)?.name ?? id}”`;
      if (old === undefined || current === undefined)
        return [{ field: label, from: old?.name, to: current?.name }];
      return fieldChanges(old, current).map((change) => ({ ...change, field: `${label} ${change.field}` }));
    });
  });
}

interface FieldChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Texts of a list that are named; a product group can have 100,000. */
const NAMED_MAX = 20;

function textChange(field: string, before: readonly string[], now: readonly string[]): FieldChange {
  const named = (list: readonly string[], others: readonly string[]): string => {
    const known = new Set(others);
    const only = list.filter((text) => !known.has(text));
    const more = only.length > NAMED_MAX ? ` and ${only.length - NAMED_MAX} more` : '';
    return only.slice(0, NAMED_MAX).join(', ') + more;
  };
  return { field, from: named(before, now), to: named(now, before) };
}
