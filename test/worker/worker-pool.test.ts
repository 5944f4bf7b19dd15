import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fateOf, openPool, task, textOf, workerFile } from './pool-stage.ts';

test('each task gets its own result, in any order of their ends', async (context) => {
  const pool = openPool(context, { threads: 2 });
  const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`);
  const results = await Promise.all(texts.map((text) => textOf(pool.run(task('echo', text)))));
  assert.deepEqual(results, texts);
  assert.equal(pool.size, 0);
});

test('no thread exists before the first task', async (context) => {
  const pool = openPool(context);
  assert.equal(pool.threads, 0);
  await pool.run(task('echo'));
  assert.equal(pool.threads, 1);
});

test('a pool that is prepared has a thread before the first task, which it gets', async (context) => {
  const pool = openPool(context, { threads: 2 });
  await pool.prepare();
  assert.equal(pool.threads, 1);
  assert.equal(pool.size, 0);
  assert.equal(await fateOf(pool.run(task('echo'))), 'done');
  assert.equal(pool.threads, 1);
});

test('preparing a pool that is closed, or whose threads cannot start, has no effect', async (context) => {
  const broken = openPool(context, { workerFile: workerFile('broken-worker') });
  await broken.prepare();
  assert.equal(await fateOf(broken.run(task('echo'))), 'lost');
  const pool = openPool(context);
  await Promise.all([pool.prepare(), pool.close()]);
  await pool.prepare();
  assert.equal(pool.threads, 0);
});

test('idle threads end, except those that are kept', async (context) => {
  for (const threadsKept of [0, 1]) {
    const pool = openPool(context, { threads: 2, threadsKept, idleMs: 1 });
    await Promise.all([1, 2].map(() => pool.run(task('echo'))));
    while (pool.threads > threadsKept) await wait(5);
    await wait(100);
    assert.equal(pool.threads, threadsKept);
  }
});

for (const [way, how] of [
  ['throw', 'fails'],
  ['exit', 'takes its thread with it'],
] as const) {
  test(`a task that ${how} is answered as lost, and the tasks after it are done`, async (context) => {
    const pool = openPool(context);
    const fates = ['echo', way, 'echo', way, way, 'echo'].map((shopId) => fateOf(pool.run(task(shopId))));
    assert.deepEqual(await Promise.all(fates), ['done', 'lost', 'done', 'lost', 'lost', 'done']);
  });
}

test('a task past its deadline is answered and its thread ended, so that the next one is done', async (context) => {
  const pool = openPool(context, { deadlineMs: 1_500 });
  await pool.run(task('echo'));
  for (const way of ['loop', 'hang']) {
    assert.equal(await fateOf(pool.run(task(way))), 'deadline');
    assert.equal(await fateOf(pool.run(task('echo'))), 'done');
  }
});

test('a task past its deadline whose thread still loads is answered, and the thread is left alone', async (context) => {
  const pool = openPool(context, { deadlineMs: 1_500 });
  const thread = await textOf(pool.run(task('thread')));
  assert.equal(await fateOf(pool.run(task('loading'))), 'deadline');
  assert.equal(await textOf(pool.run(task('thread'))), thread);
});

test('a pool that is closed while a thread loads waits for it', async (context) => {
  const pool = openPool(context);
  await pool.run(task('thread'));
  const fate = fateOf(pool.run(task('loading')));
  await pool.close();
  assert.equal(await fate, 'closed');
  assert.equal(pool.threads, 0);
});

test('a task that waits for a hanging one is answered at its own deadline', async (context) => {
  const pool = openPool(context, { deadlineMs: 1_000 });
  const fates = await Promise.all([fateOf(pool.run(task('hang'))), fateOf(pool.run(task('echo')))]);
  assert.deepEqual(fates, ['deadline', 'deadline']);
  assert.equal(pool.size, 0);
});

test('when threads cannot start, every task is answered as lost and does not wait', async (context) => {
  const pool = openPool(context, { workerFile: workerFile('broken-worker') });
  const fates = await Promise.all([1, 2, 3].map(() => fateOf(pool.run(task('echo')))));
  assert.deepEqual(fates, ['lost', 'lost', 'lost']);
  assert.equal(await fateOf(pool.run(task('echo'))), 'lost');
});

test('a close answers the remaining tasks and ends busy threads', async (context) => {
  const pool = openPool(context);
  await pool.run(task('echo'));
  const left = [fateOf(pool.run(task('hang'))), fateOf(pool.run(task('echo')))];
  await pool.close();
  assert.deepEqual(await Promise.all(left), ['closed', 'closed']);
  assert.equal(pool.threads, 0);
  assert.equal(await fateOf(pool.run(task('echo'))), 'closed');
});

test('every task is answered when threads die at any time', async (context) => {
  const pool = openPool(context, { threads: 2, deadlineMs: 2_000 });
  const ways = ['echo', 'exit', 'echo', 'throw', 'echo', 'echo', 'exit', 'echo', 'hang', 'echo'];
  const fates = await Promise.all(ways.map((shopId) => fateOf(pool.run(task(shopId)))));
  assert.equal(fates.length, ways.length);
  assert.equal(pool.size, 0);
});
