import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { ShopState } from '../../../src/engine/domain/shop-event.ts';
import { NO_TRAFFIC } from '../../../src/shop/reader/live-traffic.ts';
import { DamagedLogError } from '../../../src/store/log/event-log.ts';
import { ORIGIN, openPool, THREAD, threadFile } from './pool-stage.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('each question gets its own answer, in any order of their ends', async (context) => {
  const { pool, fate, metrics } = openPool(context, {}, { threads: 2 });
  const texts = Array.from({ length: 30 }, (_, index) => `text ${index}`);
  assert.deepEqual(await Promise.all(texts.map((text) => fate('echo', text))), texts);
  assert.equal(pool.waiting, 0);
  assert.equal(metrics.values.pool_questions, texts.length);
  const { times } = pool.reading();
  assert.ok(times !== null && times.runTime.max >= times.runTime.p50);
});

test('no thread exists before the first question', async (context) => {
  const { pool, fate } = openPool(context);
  assert.deepEqual([pool.threads, pool.reading()], [0, { waiting: 0, times: null }]);
  assert.equal(await fate('echo', 'a'), 'a');
  assert.equal(pool.threads, 1);
});

test('a pool that is prepared has a thread before the first question, which it gets', async (context) => {
  const { pool, fate } = openPool(context, {}, { threads: 2 });
  await pool.prepare();
  assert.equal(pool.threads, 1);
  assert.equal(await fate('echo', 'a'), 'a');
  assert.equal(pool.threads, 1);
});

test('preparing a pool that is closed, or whose threads cannot start, has no effect', async (context) => {
  const broken = openPool(context, {}, { threadFile: threadFile('broken-thread') });
  await broken.pool.prepare();
  assert.equal(await broken.fate('echo'), 'UNAVAILABLE');
  const { pool } = openPool(context);
  await Promise.all([pool.prepare(), pool.close()]);
  await pool.prepare();
  assert.equal(pool.threads, 0);
});

test('idle threads end, except one', async (context) => {
  const { pool, fate } = openPool(context, { idleMs: 1 }, { threads: 2 });
  await Promise.all([1, 2, 3].map(() => fate('echo')));
  while (pool.threads > 1) await wait(5);
  await wait(100);
  assert.equal(pool.threads, 1);
  assert.equal(await fate('echo', 'a'), 'a');
});

for (const [way, how] of [
  ['throw', 'fails'],
  ['exit', 'takes its thread with it'],
] as const) {
  test(`a question that ${how} is refused and logged, and those after it are answered`, async (context) => {
    const { fate, warnings, metrics } = openPool(context);
    const ways = ['echo', way, 'echo', way, way, 'echo'];
    const fates = await Promise.all(ways.map((shopId) => fate(shopId, 'done')));
    assert.deepEqual(
      fates,
      ways.map((one) => (one === 'echo' ? 'done' : 'UNAVAILABLE')),
    );
    assert.deepEqual(warnings, new Array(3).fill('pool.question_lost r1 UNAVAILABLE'));
    assert.equal(metrics.values.pool_unanswered, 3);
  });
}

test('an error that a question throws in its thread is thrown, and the thread goes on', async (context) => {
  const { ask, fate } = openPool(context);
  const thread = await fate('thread');
  await assert.rejects(ask('bug'), { name: 'RangeError', message: 'as told' });
  await assert.rejects(ask('damaged'), new DamagedLogError('damaged', 7, 'as told'));
  assert.equal(await fate('thread'), thread);
});

test('a question past its deadline is refused and its thread ended, so that the next one is answered', async (context) => {
  const { pool, fate, metrics } = openPool(context, { deadlineMs: 1_500 });
  await pool.prepare();
  for (const way of ['loop', 'hang']) {
    assert.equal(await fate(way), 'UNAVAILABLE');
    while ((await fate('echo', 'a')) !== 'a');
  }
  assert.ok(metrics.values.pool_unanswered >= 2);
});

test('a question past its deadline whose thread still loads is refused, and the thread is left alone', async (context) => {
  const { pool, fate } = openPool(context, { deadlineMs: 1 });
  assert.equal(await fate('hang'), 'UNAVAILABLE');
  assert.equal(pool.threads, 1);
});

test('a question that waits for a hanging one is refused at its own deadline', async (context) => {
  const { pool, fate } = openPool(context, { deadlineMs: 1_000 });
  await pool.prepare();
  assert.deepEqual(await Promise.all([fate('hang'), fate('hang')]), ['UNAVAILABLE', 'UNAVAILABLE']);
  assert.equal(pool.waiting, 0);
});

test('a question whose client leaves while it waits is dropped; one that a thread works on is not', async (context) => {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const thread = { ...THREAD, gate };
  const { pool, fate, warnings, metrics } = openPool(context, {}, { thread });
  const id = await fate('thread');
  const leave: (() => void)[] = [];
  const leaving = (task: () => void) => void leave.push(task);
  const fates = ['gate', 'echo', 'echo'].map((shopId) => fate(shopId, 'done', leaving));
  await turn();
  assert.equal(pool.waiting, 2);
  leave[0]?.();
  leave[1]?.();
  assert.equal(await fates[1], 'UNAVAILABLE');
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  assert.deepEqual([await fates[0], await fates[2]], ['done', 'done']);
  for (const again of leave) again();
  assert.equal(await fate('thread'), id);
  assert.deepEqual([warnings, metrics.values.pool_unanswered], [[], 0]);
});

test('when threads cannot start, every question is refused and does not wait', async (context) => {
  const { fate } = openPool(context, {}, { threadFile: threadFile('broken-thread') });
  const fates = await Promise.all([1, 2, 3].map(() => fate('echo')));
  assert.deepEqual(fates, new Array(3).fill('UNAVAILABLE'));
  assert.equal(await fate('echo'), 'UNAVAILABLE');
});

test('a close refuses the open questions and ends busy threads', async (context) => {
  const { pool, fate, warnings } = openPool(context);
  await pool.prepare();
  const left = [fate('hang'), fate('echo')];
  await turn();
  await pool.close();
  assert.deepEqual(await Promise.all(left), ['UNAVAILABLE', 'UNAVAILABLE']);
  assert.equal(pool.threads, 0);
  assert.equal(await fate('echo'), 'UNAVAILABLE');
  assert.deepEqual(warnings, []);
});

test('what is open when the process stops is refused at once, and so is what comes', async (context) => {
  const { pool, fate, warnings } = openPool(context);
  await pool.prepare();
  const left = [fate('hang'), fate('echo')];
  await turn();
  pool.refuse();
  assert.deepEqual(await Promise.all([...left, fate('echo')]), ['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE']);
  assert.deepEqual(warnings, []);
});

test('a pool that is closed while its thread loads waits for it', async (context) => {
  const { pool, fate } = openPool(context);
  const asked = fate('echo', 'a');
  await pool.close();
  assert.match(await asked, /^(a|UNAVAILABLE)$/);
  assert.equal(pool.threads, 0);
});

test('every question is answered or refused when threads die at any time', async (context) => {
  const { pool, fate } = openPool(context, { deadlineMs: 2_000 }, { threads: 2 });
  const ways = ['echo', 'exit', 'echo', 'throw', 'echo', 'echo', 'exit', 'echo', 'hang', 'echo'];
  const fates = await Promise.all(ways.map((shopId) => fate(shopId, 'done')));
  for (const one of fates) assert.ok(one === 'done' || one === 'UNAVAILABLE', one);
  assert.equal(pool.waiting, 0);
});

test('one shop can have half of the open questions, all shops together all, and again after they were answered', async (context) => {
  const { fate, metrics } = openPool(context, { openMax: 4 });
  for (let round = 1; round <= 3; round++) {
    const fates = ['a', 'a', 'a', 'b', 'c', 'd', 'b'].map((shopId) => fate(shopId, 'done'));
    const [of, full] = ['done', 'RATE_LIMITED'];
    assert.deepEqual(await Promise.all(fates), [of, of, full, of, of, full, full]);
    assert.equal(metrics.values.pool_refused, 3 * round);
  }
});

test('bodies are accepted up to the limit exactly; a longer one is accepted alone', async (context) => {
  const { pool } = openPool(context, { textMax: 1_000 });
  const state = { version: { id: 'version' } } as ShopState;
  const codeOf = async (shopId: string, length: number): Promise<string> => {
    const question = {
      kind: 'preview',
      text: 'x'.repeat(length),
      now: '',
      seed: '',
      traffic: NO_TRAFFIC,
    } as const;
    const { outcome } = await pool.ask({ shopId, sequenceNumber: 2, state }, question, ORIGIN);
    return outcome.ok ? 'done' : outcome.code;
  };
  for (const [first, second, expected] of [
    [600, 400, 'done'],
    [600, 401, 'RATE_LIMITED'],
    [1_001, 1, 'RATE_LIMITED'],
    [1_001, 0, 'RATE_LIMITED'],
  ] as const) {
    const codes = await Promise.all([codeOf('a', first), codeOf('b', second)]);
    assert.deepEqual(codes, ['done', expected]);
  }
});
