/**
 * The calls of the client: one row for each route of the API, with the schemas of its body and its answer.
 * The client's methods and their types derive from the rows; a test compares them with the table of routes.
 */
import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import { SimulateAnswer } from '../domain/answer.ts';
import {
  blendedRateAnswer,
  blendedRatesAnswer,
  ConfigSnapshot,
  currentKeyAnswer,
  deletedAnswer,
  ExecuteAnswer,
  groupAnswer,
  groupsAnswer,
  keysAnswer,
  methodAnswer,
  methodsAnswer,
  newKeyAnswer,
  PreviewAnswer,
  ruleAnswer,
  rulesAnswer,
  shopAnswer,
  stagingActionAnswer,
  stagingAnswer,
  versionActionAnswer,
  versionAnswer,
  versionsAnswer,
  zoneAnswer,
  zonesAnswer,
} from '../domain/answer-schemas.ts';
import { SimulateRequest } from '../domain/cart.ts';
import { ExplainedAnswer } from '../domain/explained-answer.ts';
import { LintReport } from '../domain/finding.ts';
import { vocabularyAnswer } from '../domain/vocabulary.ts';
import {
  BlendedCreate,
  BlendedUpdate,
  ConfigAction,
  GroupCreate,
  GroupUpdate,
  KeyCreate,
  MethodCreate,
  MethodUpdate,
  RuleCreate,
  RuleUpdate,
  ShopUpdate,
  StagingAction,
  VersionAction,
  ZoneCreate,
  ZoneUpdate,
} from '../domain/write-bodies.ts';

/** The segment of a path in whose place the id of a record goes; always the last. */
export const ID_SEGMENT = ':id';

export interface CallRow {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** A write is repeated only under an `Idempotency-Key`; anything else may always be repeated. */
  readonly isWrite: boolean;
  readonly body: TSchema | null;
  readonly query: readonly string[];
  readonly answer: TSchema;
  /** Statuses beside 2xx that carry an answer and no error. */
  readonly otherStatuses: readonly number[];
}

const read = <const P extends string, A extends TSchema, const Q extends string = never>(
  path: P,
  answer: A,
  query: readonly Q[] = [],
  otherStatuses: readonly number[] = [],
) => ({ verb: 'GET', path, isWrite: false, body: null, query, answer, otherStatuses }) as const;

const write = <const P extends string, B extends TSchema, A extends TSchema, const Q extends string = never>(
  verb: 'POST' | 'PUT',
  path: P,
  body: B,
  answer: A,
  query: readonly Q[] = [],
) => ({ verb, path, isWrite: true, body, query, answer, otherStatuses: [] }) as const;

const remove = <const P extends string>(path: P) =>
  ({
    verb: 'DELETE',
    path,
    isWrite: true,
    body: null,
    query: [] as readonly never[],
    answer: deletedAnswer,
    otherStatuses: [],
  }) as const;

const status = <const S extends string>(...states: readonly S[]) =>
  Type.Object({ status: Type.Enum([...states]) });

/** A path of the service, if it has it. */
const place = Type.Optional(Type.String());

/** Of reads of the configuration: `live` or `staged`. */
const VIEW = ['view'] as const;

// Without `satisfies`: it would widen the parameters of a row that has none.
export const CALLS = {
  listZones: read('/api/zones', zonesAnswer, VIEW),
  getZone: read('/api/zones/:id', zoneAnswer, VIEW),
  createZone: write('POST', '/api/zones', ZoneCreate, zoneAnswer),
  updateZone: write('PUT', '/api/zones/:id', ZoneUpdate, zoneAnswer),
  deleteZone: remove('/api/zones/:id'),
  listGroups: read('/api/groups', groupsAnswer, VIEW),
  getGroup: read('/api/groups/:id', groupAnswer, VIEW),
  createGroup: write('POST', '/api/groups', GroupCreate, groupAnswer),
  updateGroup: write('PUT', '/api/groups/:id', GroupUpdate, groupAnswer),
  deleteGroup: remove('/api/groups/:id'),
  listMethods: read('/api/methods', methodsAnswer, ['zoneId', 'productGroupId', ...VIEW]),
  getMethod: read('/api/methods/:id', methodAnswer, VIEW),
  createMethod: write('POST', '/api/methods', MethodCreate, methodAnswer),
  updateMethod: write('PUT', '/api/methods/:id', MethodUpdate, methodAnswer),
  deleteMethod: remove('/api/methods/:id'),
  listRules: read('/api/rules', rulesAnswer, ['methodId', ...VIEW]),
  getRule: read('/api/rules/:id', ruleAnswer, VIEW),
  createRule: write('POST', '/api/rules', RuleCreate, ruleAnswer, ['methodId']),
  updateRule: write('PUT', '/api/rules/:id', RuleUpdate, ruleAnswer),
  deleteRule: remove('/api/rules/:id'),
  listBlendedRates: read('/api/blended', blendedRatesAnswer, VIEW),
  getBlendedRate: read('/api/blended/:id', blendedRateAnswer, VIEW),
  createBlendedRate: write('POST', '/api/blended', BlendedCreate, blendedRateAnswer),
  updateBlendedRate: write('PUT', '/api/blended/:id', BlendedUpdate, blendedRateAnswer),
  deleteBlendedRate: remove('/api/blended/:id'),
  getConfig: read('/api/config', ConfigSnapshot, VIEW),
  lintConfig: read('/api/config/lint', LintReport, VIEW),
  replaceConfig: write('POST', '/api/config', ConfigAction, Type.Union([ExecuteAnswer, PreviewAnswer])),
  simulate: {
    verb: 'POST',
    path: '/api/simulate',
    isWrite: false,
    body: SimulateRequest,
    query: ['at', 'view', 'version', 'explain'],
    answer: Type.Union([SimulateAnswer, ExplainedAnswer]),
    otherStatuses: [],
  },
  listVersions: read('/api/versions', versionsAnswer, ['limit', 'cursor', 'includeBatched']),
  getVersion: read('/api/versions/:id', versionAnswer),
  changeVersion: write('POST', '/api/versions', VersionAction, versionActionAnswer),
  getStaging: read('/api/staging', stagingAnswer),
  changeStaging: write('POST', '/api/staging', StagingAction, stagingActionAnswer),
  getShop: read('/api/shop', shopAnswer),
  updateShop: write('PUT', '/api/shop', ShopUpdate, shopAnswer),
  listKeys: read('/api/keys', keysAnswer),
  getCurrentKey: read('/api/keys/current', currentKeyAnswer),
  createKey: write('POST', '/api/keys', KeyCreate, newKeyAnswer),
  revokeKey: remove('/api/keys/:id'),
  getVocabulary: read('/api/vocabulary', vocabularyAnswer),
  getIndex: read(
    '/',
    Type.Object({
      service: Type.Literal('Ratewright'),
      docs: place,
      console: place,
      openapi: place,
    }),
  ),
  getHealth: read('/healthz', status('ok')),
  getReadiness: read('/readyz', status('ready', 'starting', 'failed', 'draining'), [], [503]),
  getMetrics: read('/metrics', Type.String()),
  getOpenApi: read('/openapi.json', Type.Object({ openapi: Type.String() })),
} as const;

export type CallName = keyof typeof CALLS;

type IdArgument<P extends string> = P extends `${string}/${typeof ID_SEGMENT}` ? [id: string] : [];
/** A body is only read: what cannot be changed is accepted as well. */
type Unchanged<T> = T extends readonly (infer E)[]
  ? readonly Unchanged<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Unchanged<T[K]> }
    : T;
type BodyArgument<B> = B extends TSchema ? [body: Unchanged<Static<B>>] : [];

export interface CallOptions<Q extends string = never> {
  /** Nothing where the route takes no parameters. */
  readonly query?: [Q] extends [never] ? never : Readonly<Partial<Record<Q, string>>>;
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

type AnswerOf<R extends CallRow> = Static<R['answer']>;

/** The client's methods: id, body and options, as far as the route takes them. */
export type Calls<Outcome extends { readonly [K in CallName]: unknown }> = {
  readonly [K in CallName]: (
    ...args: [
      ...IdArgument<(typeof CALLS)[K]['path']>,
      ...BodyArgument<(typeof CALLS)[K]['body']>,
      options?: CallOptions<(typeof CALLS)[K]['query'][number]>,
    ]
  ) => Promise<Outcome[K]>;
};

export type CallAnswers = { readonly [K in CallName]: AnswerOf<(typeof CALLS)[K]> };
