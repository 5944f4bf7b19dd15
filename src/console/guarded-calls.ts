/**
 * The calls of the service as pages get them: reads are there for everyone, and a write only together with what guards it,
 * so that none is sent without.
 */
import { CALLS } from '../client/api-types.ts';
import {
  type CallOptions,
  type CallRow,
  type Calls,
  ID_SEGMENT,
  type WriteName,
} from '../client/call-table.ts';

/** A call that may write, with those of its bodies that do not. */
type Asking<K extends WriteName, A extends string> = (
  body: Parameters<Calls[K]>[0] & { readonly action: A },
  options?: CallOptions,
) => ReturnType<Calls[K]>;

export type Reads = Omit<Calls, WriteName> & {
  readonly createOrRunChecks: Asking<'createOrRunChecks', 'run'>;
  readonly changeVersion: Asking<'changeVersion', 'compare' | 'bisect'>;
  readonly replaceConfig: Asking<'replaceConfig', 'preview'>;
};

export type Writes = Pick<Calls, WriteName>;

/** What every write carries. */
export interface WriteGuards {
  /** The version that the write was made for: the service refuses it when another one is live. */
  readonly ifMatch: string;
  readonly idempotencyKey: string;
}

export interface GuardedCalls {
  readonly reads: Reads;
  readonly writesWith: (guards: WriteGuards) => Writes;
}

export const guardedCalls = (calls: Calls): GuardedCalls => ({
  reads: calls,
  writesWith: (guards) => {
    const all = calls as unknown as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
    const writes = Object.entries<CallRow>(CALLS)
      .filter(([, { isWrite }]) => isWrite)
      .map(([name, { path, hasBody }]) => [
        name,
        (...args: readonly unknown[]) => {
          const before = Number(path.endsWith(ID_SEGMENT)) + Number(hasBody);
          return all[name]?.(...args.slice(0, before), { ...(args[before] as CallOptions), ...guards });
        },
      ]);
    return Object.fromEntries(writes) as Writes;
  },
});
