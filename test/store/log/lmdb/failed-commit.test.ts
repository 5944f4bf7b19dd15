/** A failed commit ends all writing at once; a write without room is refused and ends nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DiskFullError } from '../../../../src/store/log/event-log.ts';
import type { Change } from '../../../../src/store/log/lmdb/log-tables.ts';
import { LogWriter } from '../../../../src/store/log/lmdb/log-writer.ts';

const MINUTE_MS = 60_000;

/** Room for everything. */
const ROOM = { take: () => null, release: () => {}, close: async () => {} };

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
  const writer = new LogWriter(ROOM, MINUTE_MS);
  const [first, second, third] = [openCommit(), openCommit(), openCommit()];
  const answers = [first, second, third].map(({ start }) => writer.commit([], start));
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
  const late = await writer.commit([], async () => {
    isStarted = true;
    return true;
  });
  assert.deepEqual([late, isStarted], [{ kind: 'unavailable', cause: reason }, false]);
  third.resolve(true);
  await writer.close();
});

test('a commit that throws before it begins counts as failed', async () => {
  const writer = new LogWriter(ROOM, MINUTE_MS);
  const error = new Error('closed');
  const result = await writer.commit([], () => {
    throw error;
  });
  assert.deepEqual(result, { kind: 'outcomeUnknown', cause: error });
  await writer.close();
});

test('a commit that never ends counts as failed', async () => {
  const writer = new LogWriter(ROOM, 20);
  const keepAlive = setTimeout(() => {}, MINUTE_MS);
  const result = await writer.commit([], openCommit().start);
  clearTimeout(keepAlive);
  assert.equal(result.kind, 'outcomeUnknown');
  assert.match(writer.failure?.message ?? '', /did not end within 20 ms/);
  await writer.close();
});

test('a commit that ends after the whole process was suspended has not failed', async () => {
  const writer = new LogWriter(ROOM, 20);
  const result = await writer.commit([], async () => {
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
  const writer = new LogWriter(ROOM, MINUTE_MS);
  const commit = openCommit();
  const answer = writer.commit([], commit.start);
  const closing = writer.close();
  assert.equal((await writer.commit([], openCommit().start)).kind, 'unavailable');
  commit.resolve(false);
  await closing;
  assert.deepEqual(await answer, { kind: 'committed', isApplied: false });
});

test('a write without room is refused, is not begun, and ends nothing', async () => {
  const full = new DiskFullError();
  const taken: (readonly Change[])[] = [];
  const room = {
    ...ROOM,
    take: (changes: readonly Change[]) => {
      if (changes.length === 0) throw full;
      taken.push(changes);
      return changes.length === 1 ? Promise.reject(full) : null;
    },
    release: (changes: readonly Change[]) => {
      taken.splice(taken.indexOf(changes), 1);
    },
  };
  const writer = new LogWriter(room, MINUTE_MS);
  const begun: number[] = [];
  const commit = (length: number) =>
    writer.commit(new Array<Change>(length), async () => {
      begun.push(length);
      return true;
    });
  const refused = { kind: 'diskFull', cause: full };
  assert.deepEqual([await commit(0), await commit(1)], [refused, refused]);
  assert.deepEqual(await commit(2), { kind: 'committed', isApplied: true });
  assert.deepEqual(begun, [2]);
  assert.equal(writer.failure, null);
  await assert.rejects(
    writer.commitOrThrow([], async () => true),
    full,
  );
  await writer.close();
});

test('a disk that fails otherwise while the file grows ends all writing', async () => {
  const broken = new Error('EIO');
  const writer = new LogWriter({ ...ROOM, take: () => Promise.reject(broken) }, MINUTE_MS);
  assert.deepEqual(await writer.commit([], async () => true), { kind: 'unavailable', cause: broken });
  assert.equal(writer.failure, broken);
  await writer.close();
});
