/** What an editor knows of a kind of record: how it is read, and the writes that turn what is saved into a draft. */
import type { CallOutcome, CallSuccess } from '../../client/call-outcome.ts';
import type { CallOptions } from '../../client/call-table.ts';
import type { Reads, Writes } from '../guarded-calls.ts';
import { changedFields, type GivenIds } from './merged-draft.ts';

/** `D`: the fields that are edited, by the names that the API has for them. */
export interface RecordKind<D extends object> {
  /** The name of its page. */
  readonly page: string;
  /** `zone`, as sentences name it. */
  readonly noun: string;
  /** What people call this record; "" while it has no name. */
  readonly titleOf: (fields: D) => string;
  readonly read: (calls: Reads, id: string, options: CallOptions) => Promise<CallOutcome<D>>;
  /** The next write that turns what is saved (null: nothing) into the draft; null when that is done. */
  readonly next: (saved: D | null, draft: D) => RecordWrite<D> | null;
  readonly move?: (calls: Writes, id: string, position: number, options: CallOptions) => Sent;
  readonly remove?: (calls: Writes, id: string, options: CallOptions) => Sent;
}

type Sent = Promise<CallOutcome<unknown>>;

export interface RecordWrite<D> {
  /** What is written, to know the same write again. */
  readonly content: unknown;
  readonly send: (calls: Writes, id: string, options: CallOptions) => Sent;
  /** `answer` is that of the service; null stands for an answer that repeats what was sent. */
  readonly take: (answer: unknown) => Taken<D>;
  /** Stands before the paths that a refusal names. */
  readonly prefix?: string;
}

export interface Taken<D> {
  readonly saved: D;
  /** The draft as the service has it now, as far as it is written. */
  readonly draft: D;
  /** Of the record, once it is created. */
  readonly id?: string;
  readonly ids?: GivenIds;
}

/** The writes that turn what is saved into the draft. */
export function writesOf<D extends object>(
  { next }: Pick<RecordKind<D>, 'next'>,
  saved: D | null,
  draft: D,
): readonly RecordWrite<D>[] {
  const write = next(saved, draft);
  if (write === null) return [];
  const taken = write.take(null);
  return [write, ...writesOf({ next }, taken.saved, taken.draft)];
}

/** The outcome where there is nothing to call, such as to read a record that is not created yet. */
export const NOTHING: CallSuccess<null> = {
  ok: true,
  value: null,
  status: 200,
  versionId: null,
  entityTag: null,
  unknownFields: [],
  requestId: null,
  attempts: 0,
};

/** The outcome with another value. */
export const mapped = <T, U>(outcome: CallOutcome<T>, map: (value: T) => U): CallOutcome<U> =>
  outcome.ok ? { ...outcome, value: map(outcome.value) } : outcome;

/** A kind that is saved by one write. */
interface PlainKind<D> {
  readonly page: string;
  readonly noun: string;
  readonly read: (calls: Reads, id: string, options: CallOptions) => Sent;
  readonly create: (calls: Writes, draft: D, options: CallOptions) => Sent;
  readonly update: (
    calls: Writes,
    id: string,
    changed: Partial<D> & { readonly position?: number },
    options: CallOptions,
  ) => Sent;
  readonly remove: (calls: Writes, id: string, options: CallOptions) => Sent;
  /** The ids that the service gave to new records within the draft. */
  readonly idsOf?: (draft: D, saved: D) => GivenIds;
}

/** Answers hold one record, below its name. */
function recordIn<D>(answer: unknown): { readonly id: string; readonly fields: D } {
  const [record] = Object.values(answer as object);
  const { id, position: _, ...fields } = record;
  return { id, fields };
}

export function recordKind<D extends { readonly name: string }>(kind: PlainKind<D>): RecordKind<D> {
  const { page, noun, read, create, update, remove, idsOf } = kind;
  return {
    page,
    noun,
    titleOf: ({ name }) => name,
    read: async (calls, id, options) =>
      mapped(await read(calls, id, options), (answer) => recordIn<D>(answer).fields),
    next: (saved, draft) => {
      const changed = saved === null ? draft : changedFields(saved, draft);
      if (saved !== null && Object.keys(changed).length === 0) return null;
      return {
        content: changed,
        send: (calls, id, options) =>
          saved === null ? create(calls, draft, options) : update(calls, id, changed, options),
        take: (answer) => {
          if (answer === null) return { saved: draft, draft };
          const { id, fields } = recordIn<D>(answer);
          return { id, saved: fields, draft: fields, ids: idsOf?.(draft, fields) ?? [] };
        },
      };
    },
    move: (calls, id, position, options) =>
      update(calls, id, { position } as { position: number } & Partial<D>, options),
    remove,
  };
}
