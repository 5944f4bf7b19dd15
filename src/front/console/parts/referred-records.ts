/** Values that are ids of other records, such as the zone of a method: which fields have them, and their texts. */
import { conditionSentence } from '../rule-words.ts';
import { isCondition, valueText } from '../words.ts';
import type { DifferentValue } from './different-values.ts';

/** Kinds of records that others refer to; subzones count as zones. */
export type ReferredKind = 'zones' | 'groups' | 'methods';

/** By fields of records, and by types of conditions, whose values are ids. */
const REFERRED: Readonly<Record<string, ReferredKind>> = {
  zoneId: 'zones',
  destination_subzone: 'zones',
  productGroupId: 'groups',
  product_group: 'groups',
  preferredMethodId: 'methods',
};

/** What the records are called, by id. */
export type RecordNames = ReadonlyMap<string, string>;
export type Named = readonly (readonly [id: string, name: string])[];

/** The kinds of records that these values refer to. */
export const referredKinds = (values: readonly DifferentValue[]): readonly ReferredKind[] => {
  const fields = values.flatMap(({ field, from, to }) => [
    field,
    ...[from, to].flatMap((value) => (isCondition(value) ? [value.conditionType] : [])),
  ]);
  return [...new Set(fields.flatMap((field) => REFERRED[field] ?? []))].sort();
};

/** Stands for a name that is not read yet. */
export const WAITING = '…';

/** The value of a field as people read it, with the names of the records that it refers to, and their ids. */
export function namedValue(
  field: string,
  value: unknown,
  currency: string,
  names: RecordNames | null,
): { readonly text: string; readonly ids?: string } {
  const nameOf = (id: string): string => (names === null ? WAITING : (names.get(id) ?? id));
  if (isCondition(value) && value.conditionType in REFERRED) {
    return { text: conditionSentence(value, { currency, nameOf }), ids: value.value };
  }
  if (!(field in REFERRED) || typeof value !== 'string' || value === '')
    return { text: valueText(field, value, currency) };
  const text = nameOf(value);
  return text === value ? { text } : { text, ids: value };
}
