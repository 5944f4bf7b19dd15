/**
 * The calls that pages have: reads directly, and writes only through `writesWith`, which adds both guards, so that no write
 * is sent without them. Simulations say that they are tests.
 */
import { CALLS } from '../client/api-types.ts';
import type { CallOutcome } from '../client/call-outcome.ts';
import {
  type CallOptions,
  type CallRow,
  type Calls,
  ID_SEGMENT,
  type Schemas,
  type WriteName,
} from '../client/call-table.ts';

/** A call that may write, with an action that does not, and the answer to that. */
type Asking<K extends WriteName, A extends string, T> = (
  body: Parameters<Calls[K]>[0] & { readonly action: A },
  options?: CallOptions,
) => Promise<CallOutcome<T>>;

export type Reads = Omit<Calls, WriteName> & {
  readonly createOrRunChecks: Asking<'createOrRunChecks', 'run', Schemas['CheckResults']>;
  readonly changeVersion: Asking<'changeVersion', 'compare', Schemas['Comparison']> &
    Asking<'changeVersion', 'bisect', Schemas['BisectAnswer']>;
  readonly replaceConfig: Asking<'replaceConfig', 'preview', Schemas['PreviewAnswer']>;
};

export type Writes = Pick<Calls, WriteName>;

/** Options of every write. */
export interface WriteGuards {
  /** The version that the write was made for: the service refuses it when another one is live. */
  readonly ifMatch: string;
  readonly idempotencyKey: string;
  /** An earlier call under this key may have been executed. */
  readonly mayHaveHappened: boolean;
}

export interface GuardedCalls {
  readonly reads: Reads;
  readonly writesWith: (guards: WriteGuards) => Writes;
}

type AnyCall = (...args: readonly unknown[]) => unknown;

/** Calls of these rows, whose options are completed. */
function completed(
  calls: Calls,
  isMeant: (row: CallRow) => boolean,
  complete: (options: CallOptions) => CallOptions,
): Readonly<Record<string, AnyCall>> {
  const all = calls as unknown as Readonly<Record<string, AnyCall>>;
  const rows = Object.entries<CallRow>(CALLS).filter(([, row]) => isMeant(row));
  return Object.fromEntries(
    rows.map(([name, { path, hasBody }]) => [
      name,
      (...args: readonly unknown[]) => {
        const before = Number(path.endsWith(ID_SEGMENT)) + Number(hasBody);
        return all[name]?.(...args.slice(0, before), complete((args[before] ?? {}) as CallOptions));
      },
    ]),
  );
}

export const guardedCalls = (calls: Calls): GuardedCalls => ({
  reads: {
    ...calls,
    // Carts that are tried are no traffic of the shop.
    ...completed(
      calls,
      ({ isSimulation }) => isSimulation,
      (options) => ({ ...options, simulationSource: 'test' }),
    ),
  } as unknown as Reads,
  writesWith: (guards) =>
    completed(
      calls,
      ({ isWrite }) => isWrite,
      (options) => ({ ...options, ...guards }),
    ) as unknown as Writes,
});
