/** Several processes and threads on one log. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { verifyLog } from '../../../../src/store/log/lmdb/lmdb-content.ts';
import { openLmdbEventLog } from '../../../../src/store/log/lmdb/lmdb-event-log.ts';
import { answerFor, markOf, settingsRecord, sha256Of } from '../sample-records.ts';
import { newLogFolder } from './log-folder.ts';
import { runLogProcess, startLogProcess } from './log-process.ts';

test('records of another process are visible at once, in the same turn of the event loop', async () => {
  const folder = newLogFolder();
  const log = openLmdbEventLog({ path: folder });
  await log.append('shop_a', 0, [settingsRecord(1)]);
  // Each of these reads opens a snapshot that the binding keeps.
  assert.equal(log.lastSequenceNumber('shop_a'), 1);
  assert.equal(log.findKey(sha256Of('shop_b')), null);
  const { stdout, stderr } = runLogProcess('append', folder, 'shop_a', 'shop_b');
  assert.equal(stdout, 'shop_a appended\nshop_b appended\n', stderr);
  assert.equal(log.lastSequenceNumber('shop_a'), 4);
  assert.deepEqual(Array.from(log.read('shop_a', 0), markOf).slice(0, 3), ['1', 'other', 'keyCreated']);
  assert.deepEqual([...log.shopIds()], ['shop_a', 'shop_b']);
  assert.equal(log.findKey(sha256Of('shop_b'))?.keyId, 'key_2');
  assert.deepEqual(log.findAnswer('shop_a', 'key 2', 0), answerFor('key 2', 'answer other'));
  runLogProcess('revoke', folder, 'shop_b', 'key_2');
  assert.equal(log.findKey(sha256Of('shop_b')), null);
  await log.close();
});

test('a writer is stale after an append of another process, and continues from there', async () => {
  const folder = newLogFolder();
  const log = openLmdbEventLog({ path: folder });
  await log.append('shop_a', 0, [settingsRecord(1)]);
  runLogProcess('append', folder, 'shop_a');
  const stale = await log.append('shop_a', 1, [settingsRecord('stale')]);
  assert.deepEqual(stale, { kind: 'staleWriter' });
  assert.equal((await log.append('shop_a', 4, [settingsRecord(5)])).kind, 'appended');
  assert.equal([...log.read('shop_a', 0)].length, 5);
  assert.deepEqual((await verifyLog(log)).defects, []);
  await log.close();
});

test('two processes that race on the same shops interleave without gaps', async () => {
  const folder = newLogFolder();
  const log = openLmdbEventLog({ path: folder });
  const child = startLogProcess('write', folder, 'shop_a', 'shop_b');
  await once(child.stdout ?? assert.fail(), 'data');
  let won = 0;
  for (let attempt = 0; attempt < 100; attempt++) {
    const last = log.lastSequenceNumber('shop_b');
    const result = await log.append('shop_b', last, [settingsRecord('mine')]);
    if (result.kind === 'appended') won++;
    else assert.equal(result.kind, 'staleWriter');
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  const marks = Array.from(log.read('shop_b', 0), markOf);
  assert.equal(marks.filter((mark) => mark === 'mine').length, won);
  assert.ok(won > 0);
  assert.deepEqual((await verifyLog(log)).defects, []);
  await log.close();
});

test('a worker thread reads what the main thread appends', async () => {
  const folder = newLogFolder();
  const log = openLmdbEventLog({ path: folder });
  await log.append('shop_a', 0, [settingsRecord(1)]);
  const adapter = new URL('../../../../src/store/log/lmdb/lmdb-event-log.js', import.meta.url).href;
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    import(workerData.adapter).then(({ openLmdbEventLog }) => {
      const log = openLmdbEventLog({ path: workerData.folder });
      parentPort.on('message', async (message) => {
        if (message === 'close') { await log.close(); parentPort.close(); return; }
        parentPort.postMessage([...log.read('shop_a', 0)].length);
      });
      parentPort.postMessage('open');
    });`;
  const worker = new Worker(code, { eval: true, workerData: { adapter, folder } });
  const next = async (): Promise<unknown> => ((await once(worker, 'message')) as unknown[])[0];
  assert.equal(await next(), 'open');
  for (let last = 1; last < 20; last++) {
    await log.append('shop_a', last, [settingsRecord(last)]);
    worker.postMessage('read');
    assert.equal(await next(), last + 1);
  }
  worker.postMessage('close');
  await once(worker, 'exit');
  assert.equal((await log.append('shop_a', 20, [settingsRecord('after')])).kind, 'appended');
  await log.close();
});
