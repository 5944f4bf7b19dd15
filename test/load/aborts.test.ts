// Clients that disconnect at every moment of every kind of request, on a real server: no resources stay in use, the
// server does not end, memory does not grow, and their writes are complete or absent. The long form:
// `RATEWRIGHT_ABORTS=40000 npm test -- load/aborts`.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { SeededRandom } from '../../bench/profiles/seeded-random.ts';
import { DEMO_SHOP_ID } from '../../src/front/command-line/demo-shop.ts';
import { callCommand } from '../cli/run-command.ts';
import { readText } from '../house/project-files.ts';
import { DEMO_KEY } from '../support/server-process.ts';
import { type Asked, askAndLeave } from './leaving-client.ts';
import { COLLECTING, cartRequests, type LoadStage, openLoadStage } from './load-stage.ts';

const ABORTS = Number(process.env['RATEWRIGHT_ABORTS'] ?? 120);
/** Concurrent clients: they mostly wait, so in a long run more of them can disconnect in the same time. */
const LANES = ABORTS > 1_000 ? 48 : 16;
const SEED = Number(process.env['RATEWRIGHT_SEED'] ?? Date.now() % 1_000_000);
const BULK_RECORDS = 5;
/** Expensive kinds of request are sent once in this many rounds. */
const RARE = new Set(['bulk', 'heavy', 'replay', 'explained']);
const RARE_ROUNDS = 4;
const HEAP_SLACK_BYTES = 6_000_000;
const LOOKS = 6;
const SECRET = 'shpss_secret_of_this_test';

interface Group {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
}
interface VersionPage {
  readonly versions: readonly { readonly description: string }[];
  readonly nextCursor: string | null;
}
interface Data {
  readonly methods: readonly { readonly zoneId: string }[];
  readonly blendedRates: readonly { readonly name: string }[];
}

function requestBytes(
  line: string,
  body: string | Buffer = '',
  headers: readonly string[] = [],
  key = DEMO_KEY,
): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const all = [
    'Host: localhost',
    ...(key === '' ? [] : [`Authorization: Bearer ${key}`]),
    ...(bytes.length === 0 ? [] : ['Content-Type: application/json', `Content-Length: ${bytes.length}`]),
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`), bytes]);
}

/** The requests; `round` is incremented each time, so that all writes differ. */
type Kind = (round: number, lane: number) => Asked;

/** A shop to write to, and the request of each kind. */
class Departures {
  readonly #stage: LoadStage;
  readonly #writeKey: string;
  readonly #lanes: readonly string[];
  readonly #data: Data;
  /** A bulk write without the records of its round; made once, because it is large. */
  readonly #bulkBegin: Buffer;
  readonly #zoneId: string;
  /** For each lane the rounds that were sent, and the last round whose answer had begun. */
  readonly sent: number[][] = Array.from({ length: LANES }, () => []);
  readonly acknowledged: number[] = new Array(LANES).fill(-1);

  private constructor(stage: LoadStage, writeKey: string, lanes: readonly string[], data: Data) {
    this.#stage = stage;
    this.#writeKey = writeKey;
    this.#lanes = lanes;
    this.#data = data;
    const { methods, blendedRates } = data;
    const text = JSON.stringify({ action: 'execute', data: { methods, blendedRates } });
    // Without the end of the list, where the records of the round are inserted.
    const end = ']}}';
    assert.ok(text.endsWith(end));
    this.#bulkBegin = Buffer.from(text.slice(0, -end.length) + (blendedRates.length > 0 ? ',' : ''));
    this.#zoneId = methods[0]?.zoneId ?? '';
  }

  static async prepare(stage: LoadStage): Promise<Departures> {
    const { server } = stage;
    const key = await stage.addShop('shop_writes');
    const lanes: string[] = [];
    for (let lane = 0; lane < LANES; lane++) {
      const reply = await server.call('/api/groups', { key, body: { name: `lane ${lane}` } });
      assert.equal(reply.status, 201, reply.text);
      lanes.push((reply.body as { group: Group }).group.id);
    }
    const { body } = await server.call('/api/config', { key });
    const set = ['shop', 'set-shopify-secret', '--shop', DEMO_SHOP_ID];
    const { code, stderr } = await callCommand(stage.dataFolder, set, { input: SECRET });
    assert.equal(code, 0, stderr);
    // From now on a changeset of the demo shop is active, so its simulations are also compared.
    const entered = await server.call('/api/staging', { body: { action: 'enter' } });
    assert.equal(entered.status, 200, entered.text);
    return new Departures(stage, key, lanes, body as Data);
  }

  kinds(): Readonly<Record<string, Kind>> {
    const light = cartRequests(DEMO_KEY, 1, false, 20);
    const costly = cartRequests(DEMO_KEY, 400, true, 5);
    const cart = readText('data/carts/us-po-box.json');
    const callback = readText('data/shopify/us-two-items.json');
    const signature = createHmac('sha256', SECRET).update(callback).digest('base64');
    const signed = [`X-Shopify-Hmac-Sha256: ${signature}`];
    const bytes = (from: readonly Buffer[], round: number): Buffer => from[round % from.length] as Buffer;
    const ask = (line: string, body = ''): Kind => {
      const asked = { bytes: requestBytes(line, body), staysMs: 100, isCut: false };
      return () => asked;
    };
    return {
      simulate: (round) => ({ bytes: bytes(light, round), staysMs: 40, isCut: true }),
      pipelined: (round) => ({
        bytes: Buffer.concat([bytes(light, round), bytes(light, round + 1), bytes(light, round + 2)]),
        staysMs: 40,
        isCut: true,
      }),
      explained: ask('POST /api/simulate?explain=full', cart),
      heavy: (round) => ({ bytes: bytes(costly, round), staysMs: 200, isCut: true }),
      write: (round, lane) => this.#write(round, lane),
      bulk: (round) => this.#bulkWrite(round),
      callback: () => ({
        bytes: requestBytes(`POST /carriers/shopify/${DEMO_SHOP_ID}`, callback, signed, ''),
        staysMs: 40,
        isCut: true,
      }),
      replay: ask('POST /api/staging', '{"action":"replay"}'),
      configuration: ask('GET /api/config'),
      versions: ask('GET /api/versions?limit=100&includeBatched=true'),
      documents: ask('GET /openapi.json'),
    };
  }

  /** One group of the lane; its name and its tag contain the same round. */
  #write(round: number, lane: number): Asked {
    this.sent[lane]?.push(round);
    const body = JSON.stringify({ name: `w-${round}`, tags: [`w-${round}`] });
    const line = `PUT /api/groups/${this.#lanes[lane]}`;
    return { bytes: requestBytes(line, body, [], this.#writeKey), staysMs: 60, isCut: true };
  }

  /** All methods and blended rates, with this number of blended rates of the round. */
  #bulkWrite(round: number): Asked {
    const made = Array.from({ length: BULK_RECORDS }, (_, at) => ({
      name: `bulk-${round}-${at}`,
      zoneId: this.#zoneId,
    }));
    const records = made.map((record) => JSON.stringify(record)).join();
    const body = Buffer.concat([this.#bulkBegin, Buffer.from(`${records}]}}`)]);
    return { bytes: requestBytes('POST /api/config', body, [], this.#writeKey), staysMs: 300, isCut: true };
  }

  /**
   * Checks that each group is the result of one request: the last acknowledged one, or one that is later in the
   * history. A client that disconnects does not know when its write is executed: with several threads it may be after
   * later ones.
   */
  async checkWrites(): Promise<void> {
    const { body } = await this.#stage.server.call('/api/groups', { key: this.#writeKey });
    const { groups } = body as { readonly groups: readonly Group[] };
    for (const [lane, id] of this.#lanes.entries()) {
      const group = groups.find((one) => one.id === id);
      const [, round = '-1'] = /^w-(\d+)$/.exec(group?.name ?? '') ?? [];
      assert.deepEqual(group?.tags ?? [], round === '-1' ? [] : [`w-${round}`], 'half a write');
      assert.ok(round === '-1' || this.sent[lane]?.includes(Number(round)), `nobody sent ${round}`);
      const acknowledged = this.acknowledged[lane] ?? -1;
      if (Number(round) >= acknowledged) continue;
      const later = await this.#namesSince(`w-${acknowledged}`);
      assert.ok(later.includes(`w-${round}`), `${acknowledged} was acknowledged, and is gone for ${round}`);
    }
  }

  /** Names that groups were given after this one, according to the history. */
  async #namesSince(name: string): Promise<readonly string[]> {
    const names: string[] = [];
    let path = '/api/versions?limit=100&includeBatched=true';
    for (;;) {
      const { body } = await this.#stage.server.call(path, { key: this.#writeKey });
      const { versions, nextCursor } = body as VersionPage;
      for (const { description } of versions) {
        const [, given] = /^Product group "(w-\d+)" updated$/.exec(description) ?? [];
        if (given === name) return names;
        if (given !== undefined) names.push(given);
      }
      assert.ok(nextCursor !== null, `${name} was acknowledged, and no version has it`);
      path = `/api/versions?limit=100&includeBatched=true&cursor=${nextCursor}`;
    }
  }

  /** Checks that the configuration and the last versions contain all records of a bulk write, or none. */
  async checkBulk(): Promise<void> {
    const { server } = this.#stage;
    const read = async (path: string) => (await server.call(path, { key: this.#writeKey })).body;
    const check = ({ blendedRates }: Data): void => {
      const made = blendedRates.filter(({ name }) => name.startsWith('bulk-'));
      const rounds = new Set(made.map(({ name }) => name.split('-')[1]));
      assert.ok(
        rounds.size <= 1 && [0, BULK_RECORDS].includes(made.length),
        made.map(({ name }) => name).join(),
      );
      assert.equal(blendedRates.length - made.length, this.#data.blendedRates.length);
    };
    check((await read('/api/config')) as Data);
    const { versions } = (await read('/api/versions?limit=20')) as { versions: { id: string }[] };
    for (const { id } of versions) {
      const { version } = (await read(`/api/versions/${id}`)) as { version: { config: Data } };
      check(version.config);
    }
  }
}

/** Waits until the request for the metrics is the only one. */
async function whenIdle({ metrics }: LoadStage): Promise<void> {
  for (let turn = 0; turn < 1_000; turn++) {
    const [open] = await metrics('ratewright_requests_in_flight');
    if (open === 1) return;
    await wait(20);
  }
  assert.fail('a request is left');
}

/** Memory in use without requests: the minimum of some samples, because work after the answers ends later. */
async function heapBytes(
  stage: LoadStage,
  isEnough: (bytes: number) => boolean = () => false,
): Promise<number> {
  await whenIdle(stage);
  let least = Number.POSITIVE_INFINITY;
  for (let look = 0; look < LOOKS && !isEnough(least); look++) {
    stage.server.process.kill('SIGUSR2');
    await wait(150);
    const [heap = 0] = await stage.metrics('nodejs_heap_size_used_bytes');
    least = Math.min(least, heap);
  }
  return least;
}

/** Number of open files and sockets; read again while above `enough`, for example while a thread loads. */
async function openDescriptors({ metrics }: LoadStage, enough: number): Promise<number> {
  let [open = 0] = await metrics('process_open_fds');
  for (let look = 0; look < 50 && open > enough; look++) {
    await wait(100);
    [open = 0] = await metrics('process_open_fds');
  }
  return open;
}

test(`${ABORTS} clients disconnect and leave no resources in use`, async (context) => {
  const stage = await openLoadStage(context, {
    ...COLLECTING,
    RATEWRIGHT_LOG_LEVEL: 'error',
  });
  const departures = await Departures.prepare(stage);
  const kinds = Object.entries(departures.kinds());
  const common = kinds.filter(([name]) => !RARE.has(name));
  const inTurn = [...kinds, ...Array.from({ length: RARE_ROUNDS - 1 }, () => common).flat()];
  const random = new SeededRandom(SEED);
  const unanswered = new Map<string, number>();
  let round = 0;
  const leave = async (lane: number, until: number): Promise<void> => {
    while (round < until) {
      const mine = round++;
      const [name, kind] = inTurn[mine % inTurn.length] as [string, Kind];
      const left = await askAndLeave(stage.port, kind(mine, lane), random);
      if (left.status === 0) unanswered.set(name, (unanswered.get(name) ?? 0) + 1);
      if (name === 'write' && left.status === 200) departures.acknowledged[lane] = mine;
      assert.ok(left.status < 500, `${name} was answered ${left.status}`);
    }
  };
  const everybody = (until: number) =>
    Promise.all(Array.from({ length: LANES }, (_, lane) => leave(lane, until)));
  await everybody(Math.ceil(ABORTS / 2));
  const warm = await heapBytes(stage);
  const [descriptors = 0] = await stage.metrics('process_open_fds');
  await everybody(ABORTS);
  const grown = (await heapBytes(stage, (bytes) => bytes < warm + HEAP_SLACK_BYTES)) - warm;
  const late = await openDescriptors(stage, descriptors + LANES);
  const [questions = 0] = await stage.metrics('ratewright_pool_questions_total');
  context.diagnostic(
    `seed ${SEED}: ${ABORTS} left, ${[...unanswered.values()].reduce((sum, one) => sum + one, 0)} before their answer ` +
      `(${kinds.map(([name]) => `${name} ${unanswered.get(name) ?? 0}`).join(', ')}); ` +
      `${questions} went to a thread; heap + ${(grown / 1e6).toFixed(2)} MB in the second half`,
  );
  assert.ok(grown < HEAP_SLACK_BYTES, `the heap grew by ${grown} bytes`);
  assert.ok(late <= descriptors + LANES, `${late} descriptors after ${descriptors}`);
  assert.ok(questions > 0 && unanswered.size > 0);
  await departures.checkWrites();
  await departures.checkBulk();
  assert.equal(await stage.server.stop('SIGTERM'), 0, stage.server.output.stderr);
  assert.equal(stage.server.output.stderr, '');
  const verified = await callCommand(stage.dataFolder, ['verify']);
  assert.match(verified.stdout, /all whole/, verified.stderr);
});
