/** Questions to the pool behind a real server: the same bytes from any thread, and an answer even if the thread dies. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import fc from 'fast-check';
import { makeHeavy } from '../../../bench/profiles/heavy.ts';
import type { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import { snapshotOf } from '../../../src/engine/wire/record-view.ts';
import type { ConfigData } from '../../../src/engine/wire/write-bodies.ts';
import { shopCase } from '../../support/shop-arbitraries.ts';
import { request as writeRequest } from '../actor/shop-stage.ts';
import { threadFile } from './pool-stage.ts';
import { type Answer, type Front, openQuestionStage, type QuestionStage } from './question-stage.ts';
import { TIMERS_CHANNEL } from './timers-channel.ts';

/** The long form: `RATEWRIGHT_WORKER_DEATHS=200 npm test -- questions`. */
const WORKER_DEATHS = Number(process.env['RATEWRIGHT_WORKER_DEATHS'] ?? 2);
/** Number of requests; each leaves some timers. */
const VERSION_READS = 300;
/** The time of all requests of a batch. */
const BATCH_AT = '2026-11-18T17:00:00Z';
/** Limits with which a thread keeps no shop and no version. */
const COLD = { shopsKeptMax: 0, versionCacheBytesMax: 0 };

interface Fronts {
  readonly here: Front;
  readonly warm: Front;
  readonly cold: Front;
}

async function openFronts(stage: QuestionStage): Promise<Fronts> {
  return {
    here: await stage.openHere(),
    warm: await stage.open(),
    cold: await stage.open({}, {}, COLD),
  };
}

/** Repeats a request that was refused as late, because a busy machine may start a thread after the deadline. */
const ASKED_MAX = 20;

async function askUntilAnswered(front: Front, path: string, body: unknown): Promise<Answer> {
  for (let asked = 1; ; asked++) {
    const answer = await front.call(path, body);
    if (answer.status !== 503 || asked === ASKED_MAX) return answer;
  }
}

const dataOf = (config: ShopConfig): ConfigData => {
  const { versionId: _, ...data } = snapshotOf(config, '');
  return data as ConfigData;
};

const checksOf = (requests: readonly SimulateRequest[]) =>
  requests.map((request, index) => ({
    id: `check_${index}`,
    name: `Cart ${index}`,
    request,
    at: BATCH_AT,
    expectations: [{ kind: 'some_rate' as const }, { kind: 'rates' as const, rates: [] }],
  }));

/** Sends a request to each front end, twice to one with a warm thread, and compares the answers with those of this thread. */
async function assertSame({ here, warm, cold }: Fronts, path: string, body?: unknown): Promise<string> {
  const expected = await here.call(path, body);
  for (const front of [warm, cold, warm]) assert.deepEqual(await front.call(path, body), expected, path);
  return expected.text;
}

test('every answer of the pool is the same bytes from this thread, a cold thread and a warm one', async (context) => {
  const stage = await openQuestionStage(context);
  const fronts = await openFronts(stage);
  let shops = 0;
  const property = fc.asyncProperty(shopCase(4), shopCase(1), async ({ config, settings, carts }, other) => {
    const data = { ...dataOf(config), checks: checksOf(carts.map(({ request }) => request)) };
    const made = await stage.shop.write(writeRequest({ kind: 'executeConfig', data }));
    if (!made.ok) return;
    shops++;
    await stage.write({ kind: 'updateShop', body: settings });
    const before = stage.shop.state.version.id;
    const ask = async (query: string): Promise<void> => {
      const texts: string[] = [];
      for (const { request, nowMs } of carts) {
        await assertSame(fronts, `/api/simulate?at=${new Date(nowMs).toISOString()}${query}`, request);
        texts.push((await fronts.here.call(`/api/simulate?at=${BATCH_AT}${query}`, request)).text);
      }
      const requests = carts.map(({ request }) => request);
      const batch = await assertSame(fronts, `/api/simulate/batch?at=${BATCH_AT}${query}`, { requests });
      assert.equal(batch, `{"answers":[${texts.join(',')}]}`);
    };
    await ask('');
    await ask('&explain=full');
    await ask('&fields=rates');
    await assertSame(fronts, '/api/config', { action: 'preview', data: dataOf(other.config) });
    const [tried] = carts;
    assert.ok(tried !== undefined);
    const trial = { request: tried.request, at: BATCH_AT };
    await assertSame(fronts, '/api/config', { action: 'preview', data: dataOf(other.config), ...trial });
    await assertSame(fronts, '/api/config/lint');
    await assertSame(fronts, '/api/checks', { action: 'run' });
    const gate = { checksPass: true, noNewLintErrors: true, evaluatedMin: 1 };
    await stage.write({ kind: 'updateShop', body: { promotionGate: gate } });
    await stage.write({ kind: 'enterStaging' });
    const staged = await stage.shop.write(
      writeRequest({
        kind: 'executeConfig',
        data: { zones: data.zones ?? [], methods: [], blendedRates: [] },
      }),
    );
    await ask('&view=staged');
    await ask('&view=staged&fields=rates&strict=true');
    for (const view of ['live', 'staged']) await assertSame(fronts, `/api/config/lint?view=${view}`);
    await assertSame(fronts, '/api/checks', { action: 'run', view: 'staged' });
    await assertSame(fronts, '/api/staging/gate');
    await assertSame(fronts, '/api/versions', { action: 'compare', versionA: 'live', versionB: 'staged' });
    await assertSame(fronts, '/api/versions', { action: 'compare', versionA: 'staged', versionB: '1' });
    await stage.write(staged.ok ? { kind: 'promoteStaging', isForced: true } : { kind: 'discardStaging' });
    for (const { request, nowMs } of carts) {
      const bisect = { action: 'bisect', request, at: new Date(nowMs).toISOString() };
      await assertSame(fronts, '/api/versions', bisect);
      const sweep = { request, at: bisect.at, vary: 'quantity', from: 1, to: 9 };
      await assertSame(fronts, '/api/simulate/sweep', sweep);
      await assertSame(fronts, `/api/simulate/sweep?version=${before}`, sweep);
    }
    await ask('');
    await ask(`&version=${before}`);
    await ask(`&version=${before}&fields=rates`);
    await ask('&version=2');
    await assertSame(fronts, '/api/checks', { action: 'run', version: '2', ids: ['check_0'] });
    await assertSame(fronts, '/api/versions/live');
    await assertSame(fronts, '/api/versions', { action: 'compare', versionA: 'live', versionB: 'staged' });
    await assertSame(fronts, `/api/versions/${before}`);
    const after = stage.shop.state.version.id;
    await assertSame(fronts, '/api/versions', { action: 'compare', versionA: before, versionB: after });
    await assertSame(fronts, '/api/versions', { action: 'compare', versionA: 'version_x', versionB: after });
  });
  await fc.assert(property, { numRuns: 2, unbiased: true, includeErrorInReport: true });
  assert.ok(shops >= 2, `${shops} shops`);
  const { pool_questions, pool_refused, pool_unanswered } = fronts.warm.metrics.values;
  assert.ok(pool_questions > 100, `${pool_questions} questions`);
  assert.deepEqual([pool_refused, pool_unanswered, fronts.here.metrics.values.pool_questions], [0, 0, 0]);
});

const recorded: {
  readonly shop: { readonly currency: string; readonly timezone: string };
  readonly config: ConfigData;
  readonly cases: readonly {
    readonly query: { readonly at: string };
    readonly request: object;
    readonly response: object;
  }[];
} = JSON.parse(readFileSync(new URL('../../../../test/cases/simulate.json', import.meta.url), 'utf8'));

/** The shop of the recorded cases, and the request of its first case. */
async function openRecorded(stage: QuestionStage) {
  await stage.write({ kind: 'updateShop', body: recorded.shop });
  await stage.write({ kind: 'executeConfig', data: recorded.config });
  const [first] = recorded.cases;
  assert.ok(first !== undefined);
  const path = `/api/simulate?explain=full&at=${first.query.at}`;
  const troubled = (trouble: string) => ({ ...first.request, note: trouble });
  return { path, cart: first.request as { readonly items: readonly object[] }, troubled };
}

test('a thread gives exactly the answer of each recorded case', async (context) => {
  const stage = await openQuestionStage(context);
  await openRecorded(stage);
  const fronts = await openFronts(stage);
  for (const { query, request, response } of recorded.cases) {
    const path = `/api/simulate/batch?${new URLSearchParams(query)}`;
    const text = await assertSame(fronts, path, { requests: [request] });
    assert.equal(JSON.stringify(JSON.parse(text)), JSON.stringify({ answers: [response] }));
  }
});

test('a preview of a long body is answered, or refused, as any other', async (context) => {
  const stage = await openQuestionStage(context);
  await openRecorded(stage);
  const fronts = await openFronts(stage);
  const zones = Array.from({ length: 300 }, (_, index) => ({
    name: `${index}`.repeat(40),
    countries: ['*'],
    subzones: [],
  }));
  const data = { ...recorded.config, zones: [...(recorded.config.zones ?? []), ...zones] };
  const wide = JSON.stringify({ action: 'preview', data }) + ' '.repeat(300_000);
  assert.equal((await fronts.here.call('/api/config', wide)).status, 200);
  await assertSame(fronts, '/api/config', wide);
  await assertSame(fronts, '/api/config', wide.replace('"zones"', '"zone"'));
});

test('a cart of many items times methods is answered by a thread, a smaller one by the event loop', async (context) => {
  const stage = await openQuestionStage(context);
  const { config, requests, settings } = makeHeavy().heavy;
  await stage.write({ kind: 'updateShop', body: settings }, { kind: 'executeConfig', data: dataOf(config) });
  const { here, warm } = await openFronts(stage);
  const [cart] = requests;
  assert.ok(cart !== undefined);
  // 40 methods: the first is the largest that the event loop answers.
  for (const [items, questions] of [
    [250, 0],
    [251, 1],
    [500, 2],
  ] as const) {
    const smaller: SimulateRequest = { ...cart, items: cart.items.slice(0, items) };
    const path = '/api/simulate?at=2026-01-01T00:00:00Z';
    assert.deepEqual(await warm.call(path, smaller), await here.call(path, smaller));
    assert.equal(warm.metrics.values.pool_questions, questions);
    assert.equal(warm.metrics.values.simulations, here.metrics.values.simulations);
  }
});

test('a refusal names the errors of the form alone, then those of meaning, however long the body is', async (context) => {
  const stage = await openQuestionStage(context);
  await openRecorded(stage);
  const fronts = await openFronts(stage);
  const { zones = [], methods = [] } = recorded.config;
  const method = { name: 'M', zoneId: 'zone_x', rateType: 'free' };
  const bodies = [
    { ...recorded.config, zones: [...zones, { name: '', countries: [] }], methods: [...methods, method] },
    { ...recorded.config, methods: [...methods, { ...method, name: 7 }, ...Array(30).fill(method)] },
    { method: [], zones },
    { methods: Array(25).fill({}) },
    7,
  ];
  for (const data of bodies) {
    for (const action of ['preview', 'execute']) {
      // One body that is read at once, and one that is so long that it is read in slices.
      for (const blanks of [0, 300_000]) {
        const text = await assertSame(
          fronts,
          '/api/config',
          JSON.stringify({ action, data }) + ' '.repeat(blanks),
        );
        if (data !== bodies[0]) continue;
        assert.ok(text.includes(`/data/zones/${zones.length}/name must be`), text);
        assert.ok(!text.includes('/zoneId'), text);
      }
    }
  }
});

test('an answer is of the version that it names, even with many writes meanwhile', async (context) => {
  const stage = await openQuestionStage(context);
  const { path, cart } = await openRecorded(stage);
  const { here, warm } = await openFronts(stage);
  const method = stage.shop.state.config.methods[0];
  assert.ok(method !== undefined);
  let overtaken = 0;
  for (let round = 0; round < 25; round++) {
    const asked = warm.call(path, cart);
    await new Promise((resolve) => setTimeout(resolve, round % 3));
    await stage.write(
      { kind: 'updateMethod', id: method.id, body: { name: `Round ${round}` } },
      { kind: 'updateMethod', id: method.id, body: { name: `Again ${round}` } },
    );
    const current = stage.shop.state.version.id;
    const answer = await asked;
    const expected = await here.call(`${path}&version=${answer.versionId}`, cart);
    assert.equal(answer.text, expected.text);
    if (answer.versionId !== current) overtaken++;
  }
  assert.ok(overtaken > 0);
});

test('a question sees every write that was acknowledged before it', async (context) => {
  const stage = await openQuestionStage(context);
  await openRecorded(stage);
  const warm = await stage.open({}, { threads: 2 });
  const method = stage.shop.state.config.methods[0];
  assert.ok(method !== undefined);
  for (let round = 0; round < 25; round++) {
    const name = `Round ${round}`;
    await stage.write({ kind: 'updateMethod', id: method.id, body: { name } });
    const answers = await Promise.all([1, 2].map(() => warm.call('/api/versions/live')));
    for (const { text, versionId } of answers) {
      assert.equal(versionId, stage.shop.state.version.id);
      assert.ok(text.includes(`"${name}"`), text);
    }
  }
});

test('questions beyond the bound get 429 at once, the others are answered as usual', async (context) => {
  const stage = await openQuestionStage(context);
  const { path, cart } = await openRecorded(stage);
  const here = await stage.openHere();
  const expected = await here.call(path, cart);
  {
    const front = await stage.open({ openMax: 4 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => front.call(path, cart)));
    const refused = answers.filter(({ status }) => status === 429);
    assert.ok(refused.length > 0 && refused.length < answers.length);
    for (const { text, retryAfter, versionId } of refused) {
      assert.match(text, /^\{"error":\{"code":"RATE_LIMITED"/);
      assert.equal(retryAfter, '1');
      assert.equal(versionId, expected.versionId);
    }
    for (const answer of answers) if (answer.status !== 429) assert.deepEqual(answer, expected);
    assert.equal(front.metrics.values.pool_refused, refused.length);
    assert.deepEqual(await front.call(path, cart), expected);
  }
});

test('a large answer does not change while a slow client reads it and others are made', async (context) => {
  const stage = await openQuestionStage(context);
  const { config, requests, settings } = makeHeavy().heavy;
  await stage.write({ kind: 'updateShop', body: settings }, { kind: 'executeConfig', data: dataOf(config) });
  const { here, warm } = await openFronts(stage);
  const path = '/api/simulate?at=2026-01-01T00:00:00Z';
  const carts = requests.slice(0, 7);
  const expected = await Promise.all(carts.map((cart) => here.call(path, cart)));
  assert.ok(expected.every(({ status, text }) => status === 200 && text.length > 1_000_000));
  for (let round = 0; round < 2; round++) {
    let read = (): void => {};
    const reading = new Promise<void>((resolve) => {
      read = resolve;
    });
    const slow = carts.map((cart) => warm.call(path, cart, reading));
    for (const at of [3, 1, 6]) assert.deepEqual(await warm.call(path, carts[at]), expected[at]);
    read();
    assert.deepEqual(await Promise.all(slow), expected);
  }
  assert.equal(warm.metrics.values.pool_unanswered, 0);
});

test('while a thread hangs, queued requests get 503 in time, further ones 429 at once, and light ones an answer as usual', async (context) => {
  const stage = await openQuestionStage(context);
  const { path, cart, troubled } = await openRecorded(stage);
  const limits = { deadlineMs: 2_500, openMax: 8 };
  const front = await stage.open(limits, { threadFile: threadFile('troubled-thread') });
  const expected = await askUntilAnswered(front, path, cart);
  const requestsBefore = front.metrics.values.pool_questions;
  let isOver = false;
  const stuck = [troubled('hang'), cart, cart, cart].map((body) => front.call(path, body));
  const waiting = Promise.all(stuck).finally(() => {
    isOver = true;
  });
  while (front.metrics.values.pool_questions < requestsBefore + stuck.length) await front.call('/api/shop');
  for (let at = 0; at < 4; at++) {
    assert.equal((await front.call(path, cart)).status, 429);
    assert.equal((await front.call('/api/shop')).status, 200);
    assert.equal((await front.call('/api/simulate', cart)).status, 200);
  }
  assert.equal(isOver, false, 'answers were to come while others waited');
  for (const { status, text, retryAfter } of await waiting) {
    assert.equal(status, 503);
    assert.match(text, /^\{"error":\{"code":"UNAVAILABLE".* within 2500 ms/);
    assert.equal(retryAfter, '1');
  }
  assert.deepEqual(await askUntilAnswered(front, path, cart), expected);
});

test('a request that misses its deadline gets 503, and the next one is answered', async (context) => {
  const stage = await openQuestionStage(context);
  const { path, cart, troubled } = await openRecorded(stage);
  const front = await stage.open({ deadlineMs: 6_000 }, { threadFile: threadFile('troubled-thread') });
  const expected = await askUntilAnswered(front, path, cart);
  assert.equal(expected.status, 200);
  const lateBefore = front.metrics.values.pool_unanswered;
  const late = await front.call(path, troubled('hang'));
  assert.equal(late.status, 503);
  assert.match(late.text, /UNAVAILABLE/);
  assert.equal(front.metrics.values.pool_unanswered, lateBefore + 1);
  assert.deepEqual(await askUntilAnswered(front, path, cart), expected);
});

test('a request whose thread dies gets 503, is logged and counted, and the next one is answered', async (context) => {
  const stage = await openQuestionStage(context);
  const { path, cart, troubled } = await openRecorded(stage);
  const front = await stage.open({}, { threadFile: threadFile('troubled-thread') });
  const expected = await front.call(path, cart);
  for (const trouble of ['exit', 'throw']) {
    const lost = await front.call(path, troubled(trouble));
    assert.equal(lost.status, 503);
    assert.match(lost.text, /^\{"error":\{"code":"UNAVAILABLE"/);
    assert.equal(lost.retryAfter, '1');
    assert.equal(lost.versionId, expected.versionId);
  }
  assert.equal(front.metrics.values.pool_unanswered, 2);
  assert.equal(front.metrics.values.pool_questions, 3);
  assert.deepEqual(front.warnings, new Array(2).fill('pool.question_lost'));
  assert.deepEqual(await front.call(path, cart), expected);
});

test('while threads die repeatedly, every request gets its answer or a refusal in time', async (context) => {
  const stage = await openQuestionStage(context);
  const { path, cart, troubled } = await openRecorded(stage);
  const workers = { threadFile: threadFile('troubled-thread'), threads: 2 };
  const patient = await stage.open({}, workers);
  const expected = await patient.call(path, cart);
  const startMs = performance.now();
  await patient.call(path, troubled('exit'));
  await patient.call(path, cart);
  // Long enough for several threads to die while a request waits, even on a busy machine.
  const deadlineMs = Math.max(4_000, 8 * (performance.now() - startMs));
  const front = await stage.open({ deadlineMs: Math.ceil(deadlineMs) }, workers);
  const wanted = Array.from({ length: WORKER_DEATHS * 4 }, (_, index) =>
    index % 4 === 3 ? troubled(['exit', 'throw', 'exit', 'hang'][(index >> 2) % 4] ?? 'exit') : cart,
  );
  const counts = { answered: 0, refused: 0 };
  const client = async (): Promise<void> => {
    for (let body = wanted.pop(); body !== undefined; body = wanted.pop()) {
      const answer = await front.call(path, body);
      if (answer.status === 503) counts.refused++;
      else {
        assert.deepEqual(answer, expected);
        counts.answered++;
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  context.diagnostic(
    `${WORKER_DEATHS} troubled threads: ${counts.answered} answered, ${counts.refused} refused`,
  );
  assert.equal(counts.answered + counts.refused, WORKER_DEATHS * 4);
  assert.ok(counts.answered > counts.refused);
  assert.equal(front.pool.waiting, 0, 'a question is left');
  assert.deepEqual(await front.call(path, cart), expected);
});

test('timers that log reads create do not accumulate in a thread', {
  timeout: 120_000,
}, async (context) => {
  const stage = await openQuestionStage(context);
  const front = await stage.open({}, { threadFile: threadFile('timer-thread') });
  const timers: number[] = [];
  const channel = new BroadcastChannel(TIMERS_CHANNEL);
  context.after(() => channel.close());
  channel.onmessage = (event) => timers.push(Number((event as MessageEvent).data));
  const { versionId } = await front.call('/api/config');
  const read = async () =>
    assert.equal((await askUntilAnswered(front, `/api/versions/${versionId}`, undefined)).status, 200);
  for (let count = 0; count < VERSION_READS; count++) await read();
  while (timers.length < VERSION_READS) await wait(1);
  // Those of the last reads may not have run yet; if they accumulated, each further read would make more of them.
  for (let more = 0; more < VERSION_READS && (timers.at(-1) ?? 0) >= VERSION_READS; more++) {
    const { length } = timers;
    await read();
    while (timers.length === length) await wait(1);
  }
  assert.ok(Math.max(...timers) > 0, 'the binding sets none any more: turns are for nothing');
  assert.ok((timers.at(-1) ?? 0) < VERSION_READS, `${timers.at(-1)} timers after ${VERSION_READS} reads`);
});
