/**
 * The names of records whose ids are values of others, such as the zone of a method. Only what a difference refers to is
 * read. A record that the shop no longer has keeps its id, and so does, behind its name, one whose name is not its own.
 */
import { useMemo } from 'preact/hooks';
import type { CallOutcome } from '../../client/call-outcome.ts';
import { useSignedIn } from '../app-state.ts';
import type { Reads } from '../guarded-calls.ts';
import { isCondition, valueText } from '../words.ts';
import { type DifferentValue, namesOf } from './different-values.ts';
import { mapped, NOTHING } from './record-kind.ts';
import { useAnswer } from './use-answer.ts';

/** Kinds of records that others refer to; a subzone stands for its zone, and by its own name. */
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

const READS: Readonly<
  Record<ReferredKind, (calls: Reads, signal: AbortSignal) => Promise<CallOutcome<Named>>>
> = {
  zones: async (calls, signal) =>
    mapped(await calls.listZones({ signal }), ({ zones }) =>
      zones.flatMap(({ id, name, subzones }) => [
        [id, name] as const,
        ...subzones.map((subzone) => [subzone.id, `${name} – ${subzone.name}`] as const),
      ]),
    ),
  groups: async (calls, signal) =>
    mapped(await calls.listGroups({ signal }), ({ groups }) => groups.map(({ id, name }) => [id, name])),
  methods: async (calls, signal) =>
    mapped(await calls.listMethods({ signal }), ({ methods }) => methods.map(({ id, name }) => [id, name])),
};

async function readNames(
  calls: Reads,
  kinds: readonly ReferredKind[],
  signal: AbortSignal,
): Promise<CallOutcome<readonly Named[]>> {
  const outcomes = await Promise.all(kinds.map((kind) => READS[kind](calls, signal)));
  const lists: Named[] = [];
  for (const outcome of outcomes) {
    if (!outcome.ok) return outcome;
    lists.push(outcome.value);
  }
  return { ...NOTHING, value: lists };
}

/** Records that need not be read to be named, by kind. */
export type KnownRecords = Readonly<Partial<Record<ReferredKind, Named>>>;

/** Null until the records of these kinds are read. */
export function useRecordNames(kinds: readonly ReferredKind[], known: KnownRecords): RecordNames | null {
  const { calls } = useSignedIn();
  const { value, failure } = useAnswer((signal) => readNames(calls, kinds, signal), [kinds.join()]);
  return useMemo(() => {
    if (failure === null && (value === null || value.length < kinds.length)) return null;
    return new Map(
      kinds.flatMap((kind, at) => [...namesOf([...(known[kind] ?? []), ...(value?.[at] ?? [])])]),
    );
  }, [value, failure, known, kinds.join()]);
}

export interface NamedValue {
  readonly text: string;
  /** The ids that the text has names for. */
  readonly ids?: string;
}

/** Stands for a name that is not read yet. */
export const WAITING = '…';

/** The value of a field as people read it, with the names of the records that it refers to. */
export function namedValue(
  field: string,
  value: unknown,
  currency: string,
  names: RecordNames | null,
): NamedValue {
  const nameOf = (id: string): string => (names === null ? WAITING : (names.get(id) ?? id));
  if (isCondition(value) && value.conditionType in REFERRED) {
    const named = value.value.split(',').map((id) => nameOf(id.trim()));
    return {
      text: valueText(field, { ...value, value: named.join(' or ') }, currency),
      ids: value.value,
    };
  }
  if (!(field in REFERRED) || typeof value !== 'string' || value === '')
    return { text: valueText(field, value, currency) };
  const text = nameOf(value);
  return text === value ? { text } : { text, ids: value };
}
