/** The calls of the client, one for each route of the API, with the types of bodies, parameters and answers. */
import type { CALLS, components, OPERATOR_CALLS } from './api-types.ts';
import type { CallOutcome } from './call-outcome.ts';

/** The records, bodies and answers of the API by their names in `/openapi.json`. */
export type Schemas = components['schemas'];
type CallTypes = Schemas['Calls'];
export type CallName = keyof typeof CALLS;
type OperatorCallTypes = Schemas['OperatorCalls'];

/** The path segment for the id of a record, always the last, or of a shop that an operator names. */
export const ID_SEGMENT = ':id';

/** How a call is sent and its answer read. */
export interface CallRow {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** A write is repeated only with an `Idempotency-Key`; other calls may always be repeated. */
  readonly isWrite: boolean;
  readonly hasBody: boolean;
  /** Counts as simulations. */
  readonly isSimulation: boolean;
  /** The answer may take minutes. */
  readonly isLong: boolean;
  /** True when the answer is plain text. */
  readonly isText: boolean;
  /** Further statuses, besides 2xx, whose body is an answer and not an error. */
  readonly otherStatuses: readonly number[];
}

export type WriteName = {
  readonly [K in CallName]: (typeof CALLS)[K]['isWrite'] extends true ? K : never;
}[CallName];

/** A deeply read-only type, because the client does not change a body. */
type Unchanged<T> = T extends readonly (infer E)[]
  ? readonly Unchanged<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Unchanged<T[K]> }
    : T;

type IdArgument<C> = C extends { readonly id: string } ? [id: string] : [];
type BodyArgument<C> = C extends { readonly body: infer B } ? [body: Unchanged<B>] : [];
/** `never` when the route has no parameters. */
type QueryOf<C> = C extends { readonly query: infer Q } ? Readonly<Q> : never;

export interface CallOptions<Query = never> {
  readonly query?: Query;
  /** Time limit of the call including repetitions; default: that of the client, else 2,000 for a simulation, an hour for `verify` and `backup`, and 10,000. */
  readonly deadlineMs?: number;
  /** Ends the call with `ABORTED`. */
  readonly signal?: AbortSignal;
  /** Sent as `X-Request-Id`: at most 64 characters of A-Z, a-z, 0-9, _ and -. */
  readonly requestId?: string;
  /** Sent as it is: the W3C trace context to which the call belongs. */
  readonly traceparent?: string;
  /** For a simulation: `test` is answered the same, and counted in no coverage, changeset or usage figure. */
  readonly simulationSource?: 'live' | 'test';
  /** For a write: the version, or the `entityTag` of what was read, that must be current; otherwise it is refused with `CONFLICT`. */
  readonly ifMatch?: string;
  /** For a write: the versions of one batch share it. */
  readonly batchId?: string;
  /** For a write: replaces the generated key. Null sends none; then only attempts without any effect are repeated. */
  readonly idempotencyKey?: string | null;
  /** For a write: true when an earlier call under its `idempotencyKey` may have been executed. */
  readonly mayHaveHappened?: boolean;
}

/** The answers by call name; for a simulation those of all parameters. */
export type CallAnswers = { readonly [K in CallName]: CallTypes[K]['answer'] };

/** The arguments are id and body, if the route has them, and options. */
type CallOf<C extends { readonly answer: unknown }> = (
  ...args: [...IdArgument<C>, ...BodyArgument<C>, options?: CallOptions<QueryOf<C>>]
) => Promise<CallOutcome<C['answer']>>;

/** The calls of operators. */
export type OperatorCalls = { readonly [K in keyof typeof OPERATOR_CALLS]: CallOf<OperatorCallTypes[K]> };

/** The client's methods. */
export type Calls = {
  readonly [K in Exclude<CallName, 'simulate' | 'simulateBatch'>]: CallOf<CallTypes[K]>;
} & {
  readonly simulate: <const Q extends QueryOf<CallTypes['simulate']>>(
    ...args: [...BodyArgument<CallTypes['simulate']>, options?: CallOptions<Q>]
  ) => Promise<CallOutcome<Simulated<Q>>>;
  readonly simulateBatch: <const Q extends QueryOf<CallTypes['simulateBatch']>>(
    ...args: [...BodyArgument<CallTypes['simulateBatch']>, options?: CallOptions<Q>]
  ) => Promise<CallOutcome<{ readonly answers: readonly (Simulated<Q> | Schemas['Error'])[] }>>;
};

/** The answer for the given parameters of a simulation. */
type Simulated<Q> = Q extends { readonly explain: 'full' }
  ? Schemas['ExplainedAnswer']
  : Q extends { readonly fields: 'rates' }
    ? Schemas['RatesAnswer']
    : Schemas['SimulateAnswer'];
