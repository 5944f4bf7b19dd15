/** A failed commit ends all writing at once; acknowledged records stay, refused records are not stored. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { openLmdbEventLog } from '../../../src/log/lmdb/lmdb-event-log.ts';
import { LogWriter } from '../../../src/log/lmdb/log-writer.ts';
import { verifyLog } from '../../../src/log/lmdb/verify-log.ts';
import { settingsRecord } from '../sample-records.ts';
import { newLogFolder } from './log-folder.ts';
import { logProgram } from './log-process.ts';

const MINUTE_MS = 60_000;
const SHOPS = Array.from({ length: 16 }, (_, index) => `shop_${index}`);

/** Runs with the size of files limited to a few MB, which has the same effect as a full disk. */
function runOnSmallDisk(folder: string) {
  const script = 'ulimit -f 6000 && exec "$@"';
  const args = ['-c', script, 'sh', process.execPath, logProgram, 'fill', folder, ...SHOPS];
  return spawnSync('sh', args, { encoding: 'utf8', timeout: 5 * MINUTE_MS });
}

const isWindows = process.platform === 'win32';
test('a full disk loses no acknowledged record, and nothing is written after it', {
  skip: isWindows,
}, async () => {
  const folder = newLogFolder();
  const { stdout, stderr, signal, status } = runOnSmallDisk(folder);
  const lines = stdout.trimEnd().split('\n');
  const answers = lines.filter((line) => line.startsWith('shop_')).map((line) => line.split(' '));
  assert.notEqual(signal, 'SIGTERM', 'the process did not end by itself');
  assert.ok(
    answers.some(([, , kind]) => kind === 'outcomeUnknown'),
    stderr,
  );
  assert.ok(!lines.some((line) => line.startsWith('unhandled')), stdout);
  const log = openLmdbEventLog({ path: folder });
  for (const shopId of SHOPS) {
    const appended = answers.filter(([id, , kind]) => id === shopId && kind === 'appended').length;
    const last = log.lastSequenceNumber(shopId);
    // One append with an unknown outcome may be stored, completely.
    assert.ok(
      last === appended || last === appended + 1,
      `${shopId}: ${appended} acknowledged, ${last} there`,
    );
    assert.equal([...log.read(shopId, 0)].length, last);
  }
  assert.deepEqual((await verifyLog(log)).defects, []);
  assert.equal((await log.append('shop_new', 0, [settingsRecord(1)])).kind, 'appended');
  await log.close();
  // LMDB can abort the process after a failed write, because it writes its message into a buffer that is too small.
  if (signal === 'SIGABRT') return;
  assert.equal(status, 70);
  assert.deepEqual(
    lines.filter((line) => !line.startsWith('shop_')),
    [...SHOPS.map(() => 'later unavailable'), 'key use refused', 'failure true'],
  );
});

/** A commit that the test ends. */
function openCommit() {
  let settle: { resolve: (isApplied: boolean) => void; reject: (error: Error) => void } | undefined;
  const start = () =>
    new Promise<boolean>((resolve, reject) => {
      settle = { resolve, reject };
    });
  return {
    start,
    resolve: (isApplied: boolean) => settle?.resolve(isApplied),
    reject: (error: Error) => settle?.reject(error),
  };
}

test('the first failure answers every pending commit and refuses every later one', async () => {
  const writer = new LogWriter(MINUTE_MS);
  const [first, second, third] = [openCommit(), openCommit(), openCommit()];
  const answers = [first, second, third].map(({ start }) => writer.commit(start));
  first.resolve(true);
  assert.deepEqual(await answers[0], { kind: 'committed', isApplied: true });
  assert.equal(writer.failure, null);
  // Like an error of the binding: the reason is in a separate promise.
  const reason = new Error('no space left');
  const error = Object.assign(new Error('commit failed'), { commitError: Promise.reject(reason) });
  second.reject(error);
  assert.deepEqual(await answers[1], { kind: 'outcomeUnknown', cause: reason });
  assert.deepEqual(await answers[2], { kind: 'outcomeUnknown', cause: reason });
  assert.equal(writer.failure, reason);
  let isStarted = false;
  const late = await writer.commit(async () => {
    isStarted = true;
    return true;
  });
  assert.deepEqual([late, isStarted], [{ kind: 'unavailable', cause: reason }, false]);
  third.resolve(true);
  await writer.close();
});

test('a commit that throws before it begins counts as failed', async () => {
  const writer = new LogWriter(MINUTE_MS);
  const error = new Error('closed');
  const result = await writer.commit(() => {
    throw error;
  });
  assert.deepEqual(result, { kind: 'outcomeUnknown', cause: error });
  await writer.close();
});

test('a commit that never ends counts as failed', async () => {
  const writer = new LogWriter(20);
  const keepAlive = setTimeout(() => {}, MINUTE_MS);
  const result = await writer.commit(openCommit().start);
  clearTimeout(keepAlive);
  assert.equal(result.kind, 'outcomeUnknown');
  assert.match(writer.failure?.message ?? '', /did not end within 20 ms/);
  await writer.close();
});

test('a commit that ends after the whole process was suspended has not failed', async () => {
  const writer = new LogWriter(20);
  const result = await writer.commit(async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    // Between two of these turns the timer of the writer fires, before the answer of the commit.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    return true;
  });
  assert.deepEqual(result, { kind: 'committed', isApplied: true });
  assert.equal(writer.failure, null);
  await writer.close();
});

test('closing waits for pending commits and refuses new ones', async () => {
  const writer = new LogWriter(MINUTE_MS);
  const commit = openCommit();
  const answer = writer.commit(commit.start);
  const closing = writer.close();
  assert.equal((await writer.commit(openCommit().start)).kind, 'unavailable');
  commit.resolve(false);
  await closing;
  assert.deepEqual(await answer, { kind: 'committed', isApplied: false });
});
