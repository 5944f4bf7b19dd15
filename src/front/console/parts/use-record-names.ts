/**
 * The names of the records that values refer to by id. Only the kinds that a difference refers to are read. A record that
 * the shop no longer has is shown by its id; where records share a name, the id follows the name.
 */
import { useMemo } from 'react';
import type { CallOutcome } from '../../client/call-outcome.ts';
import { useSignedIn } from '../app-state.ts';
import type { Reads } from '../guarded-calls.ts';
import { namesOf } from './different-values.ts';
import { mapped, NOTHING } from './record-kind.ts';
import { type Named, type RecordNames, type ReferredKind, referredKinds } from './referred-records.ts';
import { useAnswer } from './use-answer.ts';

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

/** Records whose names the difference itself has, by kind. */
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

const NONE_KNOWN: KnownRecords = {};

/** The names of the groups and subzones that conditions refer to by id. */
export function useConditionNames(
  conditions: readonly { readonly conditionType: string }[],
): (id: string) => string | undefined {
  const fields = [...new Set(conditions.map(({ conditionType }) => conditionType))];
  const kinds = referredKinds(fields.map((field) => ({ path: [], field, from: null, to: null })));
  const names = useRecordNames(kinds, NONE_KNOWN);
  return (id) => names?.get(id);
}
