// Rates over many requests: exactly the number that the plan allows passes, whatever the spelling of a request and the
// number of connections. The long form: `RATEWRIGHT_THROTTLED=1000000 npm test -- throttle-exact`.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { SeededRandom } from '../../../bench/profiles/seeded-random.ts';
import type { PlanTable } from '../../../src/engine/domain/plan.ts';
import type { ThrottleKind } from '../../../src/front/http/route.ts';
import { THROTTLES, Throttle } from '../../../src/front/http/throttle.ts';
import { CART, NOW_MS, postText, requestText, TestServer } from '../../support/test-server.ts';
import { UNLIMITED } from '../../support/unlimited-plan.ts';

const REQUESTS = Number(process.env['RATEWRIGHT_THROTTLED'] ?? 100_000);
const SEED = Number(process.env['RATEWRIGHT_SEED'] ?? Date.now() % 1_000_000);
const ALLOWED = 7;
const PLANS: PlanTable = {
  tight: { ...UNLIMITED, requestsPerMinute: ALLOWED, simulationsPerSecond: ALLOWED },
};
const KINDS = Object.keys(THROTTLES) as ThrottleKind[];

/** A plain sliding window: an array of times, from which old ones are dropped. */
class PlainWindow {
  readonly #passed: number[] = [];
  #first = 0;

  isFree(nowMs: number, windowMs: number): boolean {
    while (this.#first < this.#passed.length && (this.#passed[this.#first] ?? 0) <= nowMs - windowMs) {
      this.#first++;
    }
    const isFree = this.#passed.length - this.#first < ALLOWED;
    if (isFree) this.#passed.push(nowMs);
    return isFree;
  }
}

describe('the throttle', () => {
  for (const kind of KINDS) {
    const { windowMs } = THROTTLES[kind];

    test(`${kind}: of ${REQUESTS} requests without a pause, each window lets through exactly the rate`, (context) => {
      let nowMs = 0;
      const throttle = new Throttle(PLANS, () => nowMs);
      // Twenty windows, in steps of less than a millisecond.
      const windows = 20;
      const stepMs = (windows * windowMs) / REQUESTS;
      const counts = new Array<number>(windows + 1).fill(0);
      for (let sent = 0; sent < REQUESTS; sent++) {
        nowMs = sent * stepMs;
        const isFree = throttle.judge(kind, 'owner', 'tight') === null;
        if (isFree) counts[Math.floor(nowMs / windowMs)] = (counts[Math.floor(nowMs / windowMs)] ?? 0) + 1;
      }
      const total = counts.reduce((sum, count) => sum + count, 0);
      context.diagnostic(`${total} of ${windows * ALLOWED} let through`);
      assert.ok(Math.abs(total - windows * ALLOWED) <= 1, `${total}`);
      for (const count of counts.slice(0, windows)) assert.ok(Math.abs(count - ALLOWED) <= 1, counts.join());
    });

    test(`${kind}: of ${REQUESTS} requests of many owners at random, each gets the verdict of a naive count`, (context) => {
      const random = new SeededRandom(SEED);
      let nowMs = 0;
      const throttle = new Throttle(PLANS, () => nowMs, undefined, 20);
      const owners = Array.from({ length: 50 }, () => new PlainWindow());
      let free = 0;
      for (let sent = 0; sent < REQUESTS; sent++) {
        // Bursts at one time, gaps shorter than a window, sometimes longer.
        if (random.chance(0.4)) nowMs += (windowMs / 200) * random.next();
        if (random.chance(0.0001)) nowMs += windowMs * (1 + random.next());
        const owner = Math.floor(random.next() ** 2 * owners.length);
        const expected = owners[owner]?.isFree(nowMs, windowMs);
        const isFree = throttle.judge(kind, `owner ${owner}`, 'tight') === null;
        if (isFree !== expected) assert.fail(`seed ${SEED}, request ${sent}: ${isFree}`);
        if (isFree) free++;
      }
      context.diagnostic(`seed ${SEED}: ${free} let through`);
      assert.ok(free > 0 && free < REQUESTS);
    });
  }
});

const cart = JSON.stringify(CART);
const simulate = (path: string, headers: readonly string[] = [], key = 'shop_a-admin'): string =>
  postText(path, cart, headers, key);
const read = (path: string, headers: readonly string[] = [], key = 'shop_a-admin'): string =>
  requestText(`GET ${path}`, headers, '', key);

/** Other spellings of a path. */
const DRESSES: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `${path}?`,
  (path) => `${path}?view=live`,
  (path) => `${path}?view=live${'&view=live'.repeat(50)}`,
  (path) => `${path}#x`,
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => path.toUpperCase(),
  (path) => path.replace('api', 'Api'),
  (path) => path.replace('a', '%61'),
  (path) => path.replace('/api', '/api/.'),
  (path) => path.replace('/api', '/x/../api'),
  (path) => `${path};v=1`,
  (path) => `http://localhost${path}`,
];

/** Headers from which some servers take the identity of the client. */
const DISGUISES: readonly (readonly string[])[] = [
  ['X-Forwarded-For: 10.1.2.3'],
  ['Forwarded: for=10.1.2.3', 'X-Real-IP: 10.1.2.3', 'True-Client-IP: 10.1.2.3'],
  ['X-HTTP-Method-Override: HEAD'],
  ['X-Original-URL: /healthz', 'X-Rewrite-URL: /healthz'],
  ['X-Request-Id: another', 'X-Batch-Id: another'],
  ['If-None-Match: *'],
  ['Idempotency-Key: a-new-one'],
  ['Connection: close'],
  ['Expect: 100-continue'],
];

describe('over HTTP', () => {
  let server: TestServer;
  let ms = 0;
  before(async () => {
    const clock = { nowMs: () => NOW_MS, monotonicMs: () => ms };
    server = await TestServer.start({}, { plans: PLANS, clock });
    const { shop } = server;
    shop.state = { ...shop.state, settings: { ...shop.state.settings, plan: 'tight' } };
  });
  after(() => server.stop());
  beforeEach(() => {
    ms += 3_600_000;
  });

  /** Number of successes of these requests, each on a connection of its own. */
  const successes = async (texts: readonly string[]): Promise<number> => {
    const replies = await Promise.all(
      texts.map(async (text) => {
        const connection = server.connect();
        connection.send(text);
        const reply = await connection.until(({ statuses }) => statuses.length > 0, 1_000);
        connection.destroy();
        return reply.statuses;
      }),
    );
    return replies.flat().filter((status) => status < 400).length;
  };

  test('no spelling of a path and no header gives a key more than its rate', async () => {
    const dressed = DRESSES.map((dress) => read(dress('/api/zones')));
    const disguised = DISGUISES.map((headers) => read('/api/zones', headers));
    const keys = ['Authorization: shop_a-admin', 'authorization: bearer  shop_a-admin'];
    const presented = keys.map((header) => read('/api/zones', [header], ''));
    assert.equal(await successes([...dressed, ...disguised, ...presented, ...dressed]), ALLOWED);
  });

  test('no spelling of a path, header, key or query gives a shop more simulations than its rate', async () => {
    const dressed = ['/api/simulate', '/simulate'].flatMap((path) =>
      DRESSES.map((dress) => simulate(dress(path))),
    );
    const disguised = DISGUISES.map((headers) => simulate('/api/simulate', headers, 'shop_a-read'));
    const asked = [
      '?explain=full',
      '?view=live',
      '?version=version_shop_a_1',
      '?at=2026-01-01T00:00:00Z',
    ].map((query) => simulate(`/api/simulate${query}`, [], 'shop_a-write'));
    assert.equal(await successes([...dressed, ...disguised, ...asked]), ALLOWED);
  });

  test('a hundred connections at once, and a hundred requests on one, get one rate', async () => {
    const one = simulate('/api/simulate');
    assert.equal(await successes(Array.from({ length: 100 }, () => one)), ALLOWED);
    ms += 60_000;
    const texts = Array.from({ length: 100 }, () => read('/api/zones'));
    assert.equal(await successes(texts), ALLOWED);
    ms += 60_000;
    const connection = server.connect();
    connection.send(read('/api/zones').repeat(100));
    const { statuses } = await connection.until((reply) => reply.statuses.length === 100, 2_000);
    connection.destroy();
    assert.equal(statuses.filter((status) => status === 200).length, ALLOWED);
    assert.equal(statuses.filter((status) => status === 429).length, 100 - ALLOWED);
  });

  test('refused requests count for nothing: after the window the whole rate is available again', async () => {
    for (let round = 0; round < 3; round++) {
      const texts = Array.from({ length: 30 }, () => read('/api/zones'));
      assert.equal(await successes(texts), ALLOWED);
      ms += 59_999;
      assert.equal(await successes(texts), 0);
      ms += 1;
    }
  });
});
