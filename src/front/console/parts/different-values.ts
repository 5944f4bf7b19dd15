/** The single values in which two values of a record differ, for lists that people read. */
import { splitPostalPatterns } from '../../../engine/domain/postal-code.ts';
import { actionText } from '../rule-words.ts';
import { isCondition } from '../words.ts';
import { isRecordList, isSame, isTextList, type ListedRecord } from './merged-draft.ts';

export interface DifferentValue {
  /** Names of fields of the API, places in lists, and names of records in lists. */
  readonly path: readonly string[];
  /** The field that the values are of. */
  readonly field: string;
  /** Undefined where one side has none. */
  readonly from: unknown;
  readonly to: unknown;
}

/** Texts of a list that are named; a product group can have 100,000. */
const NAMED_MAX = 20;

/**
 * Compares lists of records by id, and other lists by place. A list of texts is one value: the texts that were removed, and
 * those that were added.
 */
export function differentValues(
  from: unknown,
  to: unknown,
  path: readonly string[] = [],
): readonly DifferentValue[] {
  if (isSame(from, to)) return [];
  const field = path.findLast((part) => /^[a-z]/i.test(part)) ?? '';
  const [was, is] = field === 'postalCodes' ? [patternsOf(from), patternsOf(to)] : [from, to];
  if (isTextList(was) && isTextList(is))
    return [{ path, field, from: without(was, is), to: without(is, was) }];
  if (isRecordList(from) && isRecordList(to)) {
    const labels = recordLabels(from, to);
    return [...labels].flatMap(([id, name]) => {
      const [old, now] = [from, to].map((list) => list.find((each) => each.id === id));
      const at = [...path, `“${name}”`];
      if (old === undefined) return [{ path: at, field: '', from: null, to: name }];
      if (now === undefined) return [{ path: at, field: '', from: name, to: null }];
      return differentValues(old, now, at);
    });
  }
  const parts = [from, to].map((value) => Object.entries(isContainer(value) ? value : {}));
  const names = new Set(parts.flat().map(([name]) => name));
  // An empty list or object that takes the place of a value is shown as a value.
  if (names.size === 0 || ![from, to].every((value) => value == null || isContainer(value)))
    return [{ path, field, from, to }];
  const [before = {}, after = {}] = parts.map((entries) => Object.fromEntries(entries));
  return [...names].flatMap((name) => differentValues(before[name], after[name], [...path, name]));
}

/** Thousands of patterns can be one text. */
const patternsOf = (value: unknown): unknown =>
  typeof value === 'string' ? splitPostalPatterns(value) : value;

/** What the records of two states of a list are called, by id: by the name, else by the action of a rule. */
export function recordLabels(
  from: readonly ListedRecord[],
  to: readonly ListedRecord[],
): ReadonlyMap<string, string> {
  return namesOf(
    [...from, ...to].map(({ id, name, action }) => [
      id,
      name || (action === undefined ? id : actionText(action)),
    ]),
  );
}

/** A name that several records share is followed by the id. */
export function namesOf(
  records: readonly (readonly [id: string, name: string])[],
): ReadonlyMap<string, string> {
  const own = new Map(records);
  const counts = new Map<string, number>();
  for (const name of own.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...own].map(([id, name]) => [id, (counts.get(name) ?? 0) > 1 ? `${name} (${id})` : name]));
}

/** A condition is shown as one value. */
const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isCondition(value);

/** The texts that are not among the others; those past `NAMED_MAX` are counted. */
function without(texts: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  const only = texts.filter((text) => !known.has(text));
  const more = only.length - NAMED_MAX;
  return more > 0 ? [...only.slice(0, NAMED_MAX), `${more} more`] : only;
}
