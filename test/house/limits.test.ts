/**
 * Every limit has a test at its edge: settings, counts of plans, and the constants of the folders whose limits a
 * caller can meet. A limit that is added without a row here fails, and so does a row whose test is gone.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { PlanLimits } from '../../src/domain/plan.ts';
import { RATE_TYPES } from '../../src/domain/rate-type.ts';
import { bodyOf } from '../../src/http/route.ts';
import { createRouteTable } from '../../src/http/route-table.ts';
import { SETTINGS, type Setting } from '../../src/settings.ts';
import { schemaEdges } from '../support/schema-edges.ts';
import { projectRoot, readText } from './project-files.ts';
import { sourceFilesBelow } from './source-file.ts';

/**
 * Where the edge is tested: file and title, the file that makes the cases of schemas itself, or why nobody can
 * meet an edge.
 */
type Row = `${string}.test.ts: ${string}` | 'schema' | `none: ${string}`;

const ACTOR = 'test/actor/shop-actor.test.ts';
const HTTP = 'test/http/limits.test.ts';
const STRUCTURE = 'test/http/json-bounds.test.ts';
const SHADOW = 'test/shadow/shadow-limits.test.ts';
const HEAVY = 'test/pool/heavy-limits.test.ts';
const BODY = `${HTTP}: at the limit it is read, one byte over it is refused by its length alone` as const;
const COUNT = 'test/change/plan-limit.test.ts: each count of each plan, one below it' as const;
const RATE = 'test/http/throttle.test.ts: each rate of each plan' as const;

type NumberSetting = {
  [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<number> ? K : never;
}[keyof typeof SETTINGS];

/** The bounds of each value are tested of all in test/settings; here is what the value bounds. */
const OF_SETTINGS: Readonly<Record<NumberSetting, Row>> = {
  port: 'none: a port bounds nothing',
  bodyBytesMax: BODY,
  configBodyBytesMax: BODY,
  itemsMax: `${HTTP}: items of a cart`,
  mailboxLengthMax: `${ACTOR}: a full mailbox turns writes away at once`,
  groupWritesMax: `${ACTOR}: a group is bounded by the number of its writes and by its bytes`,
  groupBytesMax: `${ACTOR}: a group is bounded by the number of its writes and by its bytes`,
  shopsLoadedMax: 'test/actor/shop-directory.test.ts: the shop that was not used longest makes room',
  threads: 'test/end-to-end/threads.test.ts: one thread is the default',
  replicaShopsMax: 'test/replica/shop-copies.test.ts: there are never more copies than the bound',
  keysCachedMax: 'test/actor/key-ring.test.ts: the number of remembered headers is bounded',
  checkpointRecords:
    'test/actor/checkpoints.test.ts: a checkpoint is written when enough records have gathered',
  checkpointBytes: 'test/actor/checkpoints.test.ts: a checkpoint is written when enough bytes have gathered',
  poolThreads: 'none: handed to the library as it is; a thread more or less changes no answer',
  poolShopsMax: 'test/pool/compiled-shelf.test.ts: a shop is as it was at any record',
  poolDeadlineMs: 'test/pool/worker-pool.test.ts: a task past its deadline is answered',
  heavyMicroseconds: `${HEAVY}: work is heavy from the estimate on that is set`,
  heavyThreads: 'none: handed to the library as it is; a thread more or less changes no answer',
  heavyQueueMax: `${HEAVY}: of one shop half of the queue is taken`,
  heavyQueueBytesMax: `${HEAVY}: bytes are taken up to the limit exactly`,
  heavyDeadlineMs: 'test/pool/heavy-work.test.ts: a request that is not done in time is answered 429',
  shadowQueueMax: `${SHADOW}: requests that wait: half of the queue of one shop`,
  shadowQueueBytesMax: `${SHADOW}: bytes that wait: what fills the queue exactly is taken`,
  replayBytesMax: 'test/shadow/recent-simulations.test.ts: over all shops the limit holds',
  versionCacheBytesMax: 'test/actor/version-cache.test.ts: what fits exactly is kept',
  overloadMs: 'test/http/overload-gate.test.ts: what it lets pass has waited for the limit at most',
  slowRequestMs: 'test/http/observer.test.ts: a request is slow from the limit on',
  carrierBudgetMs: 'test/http/shopify.test.ts: an answer that would come after it is a refusal',
  stopMs: 'test/end-to-end/stop.test.ts: a stop is over in time, whatever still hangs',
};

const OF_PLANS: Readonly<Record<keyof PlanLimits, Row>> = {
  methods: COUNT,
  groups: COUNT,
  zones: COUNT,
  blendedRates: COUNT,
  rulesPerMethod: COUNT,
  keys: COUNT,
  requestsPerMinute: RATE,
  simulationsPerSecond: RATE,
  historyDays: 'test/actor/retention.test.ts: versions of the last days stay',
};

/** Folders whose limits a caller can meet; what other folders bound is their own work, never an answer. */
const FOLDERS = ['src/domain', 'src/carriers', 'src/http', 'src/control', 'src/actor', 'src/change'];

const PROBE = 'test/http/overload-gate.test.ts: clients that each wait for their answer are served';
const BURST = 'test/http/answer-burst.test.ts: waits no more once the turn has been long, or much waits';

const INNER = 'none: memory or work of its own; no answer depends on it' as const;

/** Every constant of a name like a limit, by its file. */
const ACTUALS = 'test/explain/actual-value.test.ts: what was compared is cut to the first of many entries';
const OF_CONSTANTS: Readonly<Record<string, Row>> = {
  'domain/blended-rate PREFERENCES_MAX': 'schema',
  'domain/cart GRAMS_MAX': 'schema',
  'domain/cart PRICE_MAX': 'schema',
  'domain/cart BATCH_REQUESTS_MAX': 'schema',
  'domain/cart QUANTITY_MAX': 'schema',
  'domain/cart QUANTITY_MIN': 'schema',
  'domain/finding FINDINGS_PER_CODE_MAX':
    'test/lint/lint-config.test.ts: holds the first findings of each code and counts the others',
  'domain/id-pattern ID_LENGTH_MAX': 'schema',
  'domain/money CENTS_MAX': 'schema',
  'domain/postal-code RANGE_DIGITS_MAX':
    'test/domain/postal-code.test.ts: has a range of at most as many digits as a number holds exactly',
  'domain/product-group MATCHERS_MAX': 'schema',
  'domain/rate-type PERCENTAGE_MAX': 'schema',
  'domain/rate-type TIERS_MAX': 'schema',
  'domain/rule ADJUSTMENT_PERCENTAGE_MAX':
    'test/change/decide-rule.test.ts: a percentage is whole points up to 1,000',
  'domain/rule CONDITIONS_MAX': 'schema',
  'domain/shadow MISSING_PAIRS_MAX': `${SHADOW}: pairs that no cart touched`,
  'domain/shadow RECENT_SIMULATIONS_MAX': `${SHADOW}: simulations that a replay shows`,
  'domain/shadow SAMPLES_MAX': `${SHADOW}: samples`,
  'domain/shadow SAMPLE_ENTRIES_MAX': `${SHADOW}: items, rates and differences of a sample`,
  'domain/shadow SAMPLE_TEXT_MAX': `${SHADOW}: items, rates and differences of a sample`,
  'domain/staging STAGED_CHARACTERS_MAX': 'test/change/staging-limits.test.ts: characters:',
  'domain/staging STAGED_WRITES_MAX': 'test/change/staging-limits.test.ts: writes:',
  'domain/text CONDITION_VALUE_LENGTH_MAX': 'schema',
  'domain/text MATCHER_LENGTH_MAX': 'schema',
  'domain/text NAME_LENGTH_MAX': 'schema',
  'domain/text POSTAL_CODES_LENGTH_MAX': 'schema',
  'domain/text SERVICE_CODE_LENGTH_MAX': 'schema',
  'domain/text SHOWN_LENGTH_MAX': 'test/http/query-text.test.ts: a message repeats of a name 64 characters',
  'domain/text SUBTITLE_LENGTH_MAX': 'schema',
  'domain/explained-answer ACTUAL_ENTRIES_MAX': ACTUALS,
  'domain/explained-answer ACTUAL_TEXT_MAX': ACTUALS,
  'domain/unknown-field NAME_LENGTH_MAX': 'test/domain/unknown-field.test.ts: is near to no field',
  'domain/unknown-field UNREAD_MAX': 'test/domain/unknown-field.test.ts: of many fields the first',
  'domain/write-bodies CONFIG_DEFECTS_MAX': `${HTTP}: defects that are named of one body`,
  'domain/write-bodies POSITION_MAX': 'schema',
  'domain/zone COUNTRIES_MAX': 'schema',
  'domain/zone SUBZONES_MAX': 'schema',
  'http/answer-burst BUSY_ANSWERS_MIN': BURST,
  'http/answer-burst HELD_LENGTH_MAX': BURST,
  'http/answer-burst HELD_MS_MAX': BURST,
  'http/answer-head BYTES_MAX': 'none: a version id and a request id were checked, and fit',
  'http/heavy-answers UNREAD_BYTES_MIN': INNER,
  'http/json-bounds ELEMENTS_MAX': `${STRUCTURE}: elements of one array`,
  'http/json-bounds FIELDS_MAX': `${STRUCTURE}: fields of one object`,
  'http/json-bounds NESTING_MAX': `${HTTP}: are read, one more is refused while the body is still to come`,
  'http/loop-shares GREEDY_SHARE_MIN': 'test/http/overload-gate.test.ts: no shop is refused that uses half',
  'http/loop-shares REFUSED_COUNT_MIN': INNER,
  'http/loop-shares USED_MS_MIN': INNER,
  'http/loop-shares USED_SHARE_MIN': INNER,
  'http/output OUTPUT_BYTES_MAX': `${HTTP}: a large answer of every size around the reused buffer arrives whole`,
  'http/overload-gate GROWTH_MIN': INNER,
  'http/overload-gate GROWTH_REQUESTS_MIN': INNER,
  'http/overload-gate PROBE_MS_MAX': PROBE,
  'http/overload-gate PROBE_MS_MIN': PROBE,
  'http/overload-gate REFUSING_SHARE_MAX': INNER,
  'http/overload-gate REST_SHARE_MIN': INNER,
  'http/overload-gate SAMPLES_MIN': INNER,
  'http/overload-gate TURN_SHARE_MAX': 'test/http/overload-gate.test.ts: a queue that grows is met',
  'http/overload-gate WORTH_RATIO_MIN': INNER,
  'http/standing-refusal ID_BYTES_MAX': 'none: a request id was checked, and fits',
  'http/remote-response SHARED_BYTES_MIN': INNER,
  'http/routes/versions LIMIT_MAX': 'test/http/schema-limits.test.ts: listVersions limit',
  'http/throttle CAPACITY_MIN': INNER,
  'http/throttle OWNERS_MAX': 'test/http/throttle.test.ts: idle owners are forgotten when there are many',
  'http/write-headers IDEMPOTENCY_KEY_LENGTH_MAX': `${HTTP}: Idempotency-Key`,
  'http/write-headers TOKEN_LENGTH_MAX': `${HTTP}: X-Batch-Id`,
  'control/control-message LINE_BYTES_MAX':
    'test/control/control-socket.test.ts: a line is read up to its bound and not beyond',
  'control/control-path SOCKET_PATH_BYTES_MAX':
    'test/control/control-socket.test.ts: a path that is too long for a socket',
  'control/control-server CONNECTIONS_MAX': 'none: handed to Node as it is',
  'actor/key-ring AUTHORIZATION_LENGTH_MAX':
    'test/actor/key-ring.test.ts: a header is looked at up to 256 characters',
  'actor/key-secret PREFIX_LENGTH_MAX':
    'test/actor/key-ring.test.ts: a secret is 256 random bits in printable characters, of which the shop keeps nine',
  'actor/preparation PREPARATIONS_MAX': INNER,
  'actor/recovery RECORD_BYTES_COUNTED_MAX': INNER,
  'actor/retention PLANS_REMEMBERED_MAX': INNER,
  'actor/shop-writer STALE_TURNS_MAX': `${ACTOR}: writes that are overtaken again and again are turned away`,
  'actor/simulation-batch BATCH_ANSWER_BYTES_MAX':
    'test/actor/simulation-batch.test.ts: answers of more than the bound come before errors',
  'actor/work-cost RECORDS_COUNTED_MAX': 'none: up to where an estimate counts, which bounds no caller',
  'change/apply SMALL_CHANGE_MAX': INNER,
  'change/defects DEFECT_LENGTH_MAX': 'test/change/defects.test.ts: a long defect is cut',
  'change/method-index CARRIED_MAX': INNER,
  'change/method-index COMPARED_USERS_MAX': INNER,
  'change/record-places WALKED_MAX': INNER,
  'change/service-code SLUG_LENGTH_MAX': 'test/change/service-code.test.ts: every name gives a valid code',
};

const CONSTANT = /^(?:export )?const ([A-Z][A-Z_]*_(?:MAX|MIN|LIMIT))\b/gm;

const constants = FOLDERS.flatMap((folder) =>
  sourceFilesBelow(folder).flatMap(({ path, bare }) =>
    [...bare.matchAll(CONSTANT)].map(
      ([, name]) => `${path.replace(/^src\//, '').replace(/\.ts$/, '')} ${name}`,
    ),
  ),
);

test('the table has a row for every limit and for nothing else', () => {
  const numbers = Object.entries<Setting<unknown>>(SETTINGS)
    .filter(([, setting]) => typeof setting.fallback === 'number')
    .map(([key]) => key);
  assert.deepEqual(Object.keys(OF_SETTINGS).sort(), numbers.sort());
  assert.deepEqual(Object.keys(OF_PLANS).sort(), Object.keys(PlanLimits.properties).sort());
  assert.ok(constants.length > 40);
  assert.deepEqual(Object.keys(OF_CONSTANTS).sort(), [...constants].sort());
});

test('each row names a test that is there', () => {
  for (const [limit, row] of Object.entries({ ...OF_SETTINGS, ...OF_PLANS, ...OF_CONSTANTS })) {
    if (row === 'schema' || row.startsWith('none: ')) continue;
    const [path = '', title = ''] = row.split(/\.test\.ts: /);
    const text = readText(`${path}.test.ts`);
    assert.ok(title.length > 0 && text.includes(title), `${limit}: ${path} has no test "${title}"`);
  }
});

test('each row of the schemas is a bound for which cases are made', async () => {
  const schemas = [
    ...createRouteTable({ itemsMax: 7 }).flatMap((route) => bodyOf(route)?.schema ?? []),
    ...Object.values(RATE_TYPES),
  ];
  const bounds = new Set(schemas.flatMap((schema) => schemaEdges(schema).map(({ limit }) => limit)));
  for (const [constant, row] of Object.entries(OF_CONSTANTS)) {
    if (row !== 'schema') continue;
    const [file = '', name = ''] = constant.split(' ');
    const url = pathToFileURL(`${projectRoot}/dist/src/${file}.js`).href;
    const values = (await import(url)) as Readonly<Record<string, number>>;
    assert.ok(bounds.has(values[name] ?? Number.NaN), `${constant} is the bound of no schema`);
  }
});
