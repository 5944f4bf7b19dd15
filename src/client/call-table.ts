/**
 * The calls of the client: one row for each route of the API. The types of bodies, parameters and answers are in
 * `Calls` of `api-types.ts`; a test compares the rows with the table of routes.
 */
import type { components } from './api-types.ts';
import type { CallOutcome } from './call-outcome.ts';

/** The records, bodies and answers of the API by their names in `/openapi.json`. */
export type Schemas = components['schemas'];
type CallTypes = Schemas['Calls'];
export type CallName = keyof CallTypes;

/** The path segment for the id of a record; always the last. */
export const ID_SEGMENT = ':id';

export interface CallRow {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** A write is repeated only with an `Idempotency-Key`; other calls may always be repeated. */
  readonly isWrite: boolean;
  readonly hasBody: boolean;
  /** True when the answer is plain text. */
  readonly isText: boolean;
  /** Further statuses, besides 2xx, whose body is an answer and not an error. */
  readonly otherStatuses: readonly number[];
}

interface WriteRow extends CallRow {
  readonly isWrite: true;
}

const read = (path: string, others: Partial<Pick<CallRow, 'isText' | 'otherStatuses'>> = {}): CallRow => ({
  verb: 'GET',
  path,
  isWrite: false,
  hasBody: false,
  isText: false,
  otherStatuses: [],
  ...others,
});
/** A query with its parameters in the body; it writes nothing. */
const ask = (path: string): CallRow => ({ ...read(path), verb: 'POST', hasBody: true });
const create = (path: string): WriteRow => ({ ...ask(path), isWrite: true });
const update = (path: string): WriteRow => ({ ...create(path), verb: 'PUT' });
const remove = (path: string): WriteRow => ({ ...read(path), verb: 'DELETE', isWrite: true });

export const CALLS = {
  listZones: read('/api/zones'),
  getZone: read('/api/zones/:id'),
  createZone: create('/api/zones'),
  updateZone: update('/api/zones/:id'),
  deleteZone: remove('/api/zones/:id'),
  listGroups: read('/api/groups'),
  getGroup: read('/api/groups/:id'),
  createGroup: create('/api/groups'),
  updateGroup: update('/api/groups/:id'),
  deleteGroup: remove('/api/groups/:id'),
  listMethods: read('/api/methods'),
  getMethod: read('/api/methods/:id'),
  createMethod: create('/api/methods'),
  updateMethod: update('/api/methods/:id'),
  deleteMethod: remove('/api/methods/:id'),
  listRules: read('/api/rules'),
  getRule: read('/api/rules/:id'),
  createRule: create('/api/rules'),
  updateRule: update('/api/rules/:id'),
  deleteRule: remove('/api/rules/:id'),
  listBlendedRates: read('/api/blended'),
  getBlendedRate: read('/api/blended/:id'),
  createBlendedRate: create('/api/blended'),
  updateBlendedRate: update('/api/blended/:id'),
  deleteBlendedRate: remove('/api/blended/:id'),
  listChecks: read('/api/checks'),
  getCheck: read('/api/checks/:id'),
  createOrRunChecks: create('/api/checks'),
  updateCheck: update('/api/checks/:id'),
  deleteCheck: remove('/api/checks/:id'),
  getCoverage: read('/api/coverage'),
  getConfig: read('/api/config'),
  lintConfig: read('/api/config/lint'),
  replaceConfig: create('/api/config'),
  simulate: ask('/api/simulate'),
  simulateBatch: ask('/api/simulate/batch'),
  sweep: ask('/api/simulate/sweep'),
  listVersions: read('/api/versions'),
  getVersion: read('/api/versions/:id'),
  changeVersion: create('/api/versions'),
  getStaging: read('/api/staging'),
  getPromotionGate: read('/api/staging/gate'),
  changeStaging: create('/api/staging'),
  getShop: read('/api/shop'),
  updateShop: update('/api/shop'),
  listKeys: read('/api/keys'),
  getCurrentKey: read('/api/keys/current'),
  createKey: create('/api/keys'),
  revokeKey: remove('/api/keys/:id'),
  getVocabulary: read('/api/vocabulary'),
  getIndex: read('/'),
  getHealth: read('/healthz'),
  getReadiness: read('/readyz', { otherStatuses: [503] }),
  getMetrics: read('/metrics', { isText: true }),
  getOpenApi: read('/openapi.json'),
} satisfies Readonly<Record<CallName, CallRow>>;

/** The calls that may write. */
export type WriteName = {
  readonly [K in CallName]: (typeof CALLS)[K] extends WriteRow ? K : never;
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
  /** Time limit of the call including repetitions; default: that of the client. */
  readonly deadlineMs?: number;
  /** Ends the call with `ABORTED`. */
  readonly signal?: AbortSignal;
  /** Sent as `X-Request-Id`: at most 64 characters of A-Z, a-z, 0-9, _ and -. */
  readonly requestId?: string;
  /** For a write: the version that must be current, otherwise the write is refused with `CONFLICT`. */
  readonly ifMatch?: string;
  /** For a write: the versions of one batch share it. */
  readonly batchId?: string;
  /** For a write: replaces the generated key. Null sends none; then only attempts without any effect are repeated. */
  readonly idempotencyKey?: string | null;
}

/** The answers by call name; for a simulation those of all parameters. */
export type CallAnswers = { readonly [K in CallName]: CallTypes[K]['answer'] };

/** The client's methods: arguments are id and body, if the route has them, and options. */
export type Calls = {
  readonly [K in Exclude<CallName, 'simulate' | 'simulateBatch'>]: (
    ...args: [
      ...IdArgument<CallTypes[K]>,
      ...BodyArgument<CallTypes[K]>,
      options?: CallOptions<QueryOf<CallTypes[K]>>,
    ]
  ) => Promise<CallOutcome<CallAnswers[K]>>;
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
