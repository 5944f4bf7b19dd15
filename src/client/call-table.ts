/**
 * The calls of the client: one row for each route of the API. The types of bodies, parameters and answers are
 * those of `Calls` in `api-types.ts`; a test compares the rows with the table of routes.
 */
import type { components } from './api-types.ts';
import type { CallOutcome } from './call-outcome.ts';

/** The records, bodies and answers of the API by the names that `/openapi.json` gives them. */
export type Schemas = components['schemas'];
type CallTypes = Schemas['Calls'];
export type CallName = keyof CallTypes;

/** The path segment that the id of a record replaces; always the last. */
export const ID_SEGMENT = ':id';

export interface CallRow {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** A write is repeated only under an `Idempotency-Key`; anything else may always be repeated. */
  readonly isWrite: boolean;
  readonly hasBody: boolean;
  /** The answer is a text and no JSON. */
  readonly isText: boolean;
  /** Statuses beside 2xx that carry an answer and no error. */
  readonly otherStatuses: readonly number[];
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
/** A query whose parameters go in the body: it writes nothing. */
const ask = (path: string): CallRow => ({ ...read(path), verb: 'POST', hasBody: true });
const create = (path: string): CallRow => ({ ...ask(path), isWrite: true });
const update = (path: string): CallRow => ({ ...create(path), verb: 'PUT' });
const remove = (path: string): CallRow => ({ ...read(path), verb: 'DELETE', isWrite: true });

export const CALLS: Readonly<Record<CallName, CallRow>> = {
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
};

/** The client only reads a body, so read-only values are accepted as well. */
type Unchanged<T> = T extends readonly (infer E)[]
  ? readonly Unchanged<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Unchanged<T[K]> }
    : T;

type IdArgument<C> = C extends { readonly id: string } ? [id: string] : [];
type BodyArgument<C> = C extends { readonly body: infer B } ? [body: Unchanged<B>] : [];
/** Nothing where the route takes no parameters. */
type QueryOf<C> = C extends { readonly query: infer Q } ? Readonly<Q> : never;

export interface CallOptions<Query = never> {
  readonly query?: Query;
  /** From the call to its outcome, repetitions included; the client's own when absent. */
  readonly deadlineMs?: number;
  /** Gives up with `ABORTED`. */
  readonly signal?: AbortSignal;
  /** Sent as `X-Request-Id`: at most 64 characters of A-Z, a-z, 0-9, _ and -. */
  readonly requestId?: string;
  /** Of a write: the version that must be current, or it is refused with `CONFLICT`. */
  readonly ifMatch?: string;
  /** Of a write: the versions of one batch share it. */
  readonly batchId?: string;
  /** Of a write: a key instead of the one that is made for it; null sends none, and nothing is repeated. */
  readonly idempotencyKey?: string | null;
}

/** The answers of the calls by their names, of a simulation with any parameters. */
export type CallAnswers = { readonly [K in CallName]: CallTypes[K]['answer'] };

/** The client's methods: id, body and options, where the route takes them. */
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

/** The answer that goes with the parameters of a simulation. */
type Simulated<Q> = Q extends { readonly explain: 'full' }
  ? Schemas['ExplainedAnswer']
  : Q extends { readonly fields: 'rates' }
    ? Schemas['RatesAnswer']
    : Schemas['SimulateAnswer'];
