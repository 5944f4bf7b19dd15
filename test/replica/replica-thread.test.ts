/** What becomes of the process when a further thread fails: it is told, once, and the thread can be ended in order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { success } from '../../src/domain/failure.ts';
import { openLmdbEventLog } from '../../src/log/lmdb/lmdb-event-log.ts';
import { PublishedShops } from '../../src/replica/published-shops.ts';
import type { ReplicaSettings } from '../../src/replica/replica-message.ts';
import { type OwnerPorts, ReplicaThread } from '../../src/replica/replica-thread.ts';
import { SharedBoard } from '../../src/replica/shared-board.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { NO_WATCH } from '../../src/shop/simulation-watch.ts';
import type { HeavyAnswer } from '../../src/worker/heavy-work.ts';
import { openShop } from '../actor/shop-stage.ts';
import { NO_HEAVY_WORK } from '../support/no-heavy-work.ts';
import { temporaryFolder } from '../support/server-process.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(`./${name}.js`, import.meta.url));

const settingsOf = (dataFolder: string, port: number): ReplicaSettings => ({
  thread: 1,
  board: new SharedBoard(128).memory,
  dataFolder,
  secretKey: null,
  plans: {},
  logLevel: 'silent',
  http: {
    host: '127.0.0.1',
    port,
    bodyBytesMax: 1_024,
    configBodyBytesMax: 1_024,
    itemsMax: 10,
    console: 'on',
    carrierBudgetMs: 50,
    overloadMs: 1_000,
    slowRequestMs: 1_000,
    logLevel: 'silent',
  },
  keysCachedMax: 10,
  shopsMax: 2,
  heavyMicroseconds: 1_000,
  replayBytesMax: 1_024,
  shadowQueueMax: 16,
  shadowQueueBytesMax: 1_024,
});

function portsOf(onFatal: (cause: Error) => void): OwnerPorts {
  return {
    shops: { loaded: () => undefined, load: () => Promise.reject(new Error('no shops')) },
    heavy: NO_HEAVY_WORK,
    published: new PublishedShops(new SharedBoard(1), NO_WATCH),
    logger: silentLogger,
    receive: () => {},
    takeBatch: () => {},
    addUses: () => {},
    noteKeyUse: () => {},
    onFatal,
  };
}

test('a thread that throws is reported and ends in order when it is told to', async () => {
  const folder = await temporaryFolder();
  const log = openLmdbEventLog({ path: folder.path });
  const failures: Error[] = [];
  let report: () => void = () => {};
  const isReported = new Promise<void>((resolve) => {
    report = resolve;
  });
  const ports = portsOf((cause) => {
    failures.push(cause);
    report();
  });
  const thread = new ReplicaThread(settingsOf(folder.path, 0), ports, fileOf('broken-replica'));
  await thread.started;
  await isReported;
  thread.close();
  await thread.ended;
  assert.deepEqual(
    failures.map(({ message }) => message),
    ['broken on purpose'],
  );
  await log.close();
  await folder.discard();
});

test('a thread that does not come up is a start that failed, with the reason', async () => {
  const folder = await temporaryFolder();
  const ignore = () => assert.fail('it never served');
  const lost = new ReplicaThread(settingsOf(folder.path, 0), portsOf(ignore), fileOf('lost-replica'));
  await assert.rejects(lost.started, { name: 'ReplicaStartError' });
  const settings = settingsOf(folder.path, 0);
  const stranger = new ReplicaThread(
    { ...settings, http: { ...settings.http, host: '203.0.113.1' } },
    portsOf(ignore),
  );
  await assert.rejects(stranger.started, /cannot listen on 203\.0\.113\.1/);
  stranger.close();
  await Promise.all([lost.ended, stranger.ended]);
  await folder.discard();
});

test('an answer in bytes that are lent is copied for the thread, and the bytes given back once', async () => {
  const folder = await temporaryFolder();
  const { shop } = await openShop();
  const lent = new TextEncoder().encode('"the answer"');
  let released = 0;
  const answer: HeavyAnswer = {
    outcome: success(lent),
    versionId: 'version_1',
    isOfBody: false,
    isFromThread: true,
    release: () => {
      released++;
      lent.fill(0);
    },
  };
  let report: (text: unknown) => void = () => {};
  const text = new Promise<unknown>((resolve) => {
    report = resolve;
  });
  const ports: OwnerPorts = {
    ...portsOf((cause) => assert.fail(cause)),
    shops: { loaded: () => shop, load: async () => shop },
    heavy: { answerUnread: async () => answer },
    logger: { ...silentLogger, info: (_event, fields) => report(fields?.['text']) },
  };
  const thread = new ReplicaThread(settingsOf(folder.path, 0), ports, fileOf('asking-replica'));
  assert.equal(await text, '"the answer"');
  assert.equal(released, 1);
  thread.close();
  await thread.ended;
  await folder.discard();
});
