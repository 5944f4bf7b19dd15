/**
 * Replay depends only on the records: the logs of every release give the state that was stored when they were
 * written, and a checkpoint with the records after it gives the same state as all records. The long form:
 * `RATEWRIGHT_HISTORIES=100000 npm test -- log-fixture`.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { writeImage } from '../../../../src/engine/change/state-image.ts';
import { auditNoteOf } from '../../../../src/engine/domain/shop-event.ts';
import { type ReadableLog, recoverShop } from '../../../../src/shop/reader/recovery.ts';
import type { EventLog } from '../../../../src/store/log/event-log.ts';
import { verifyLog } from '../../../../src/store/log/lmdb/lmdb-content.ts';
import { openLmdbEventLog } from '../../../../src/store/log/lmdb/lmdb-event-log.ts';
import { shopWithZones, TrialShop } from '../../../engine/change/trial-shop.ts';
import { historyCommandOf, historyIntent } from '../../../support/history-arbitraries.ts';
import { MemoryEventLog } from '../../../support/memory-event-log.ts';
import { START_MS } from '../sample-records.ts';
import { FIELDS, fieldsOf } from './fields-in-use.ts';
import {
  exportOf,
  exportsOf,
  fixtureFolder,
  randomHistory,
  stateHash,
  unpackFixture,
} from './log-fixture.ts';

const HISTORIES = Number(process.env['RATEWRIGHT_HISTORIES'] ?? 200);

const fixtures = readdirSync(fixtureFolder)
  .filter((file) => file.endsWith('.mdb.gz'))
  .map((file) => file.replace(/\.mdb\.gz$/, ''));

/** The log without its checkpoints. */
const allRecords = (log: EventLog): ReadableLog => ({
  read: log.read.bind(log),
  latestCheckpoint: () => null,
  removedUpTo: () => 0,
});

const recovered = (log: ReadableLog, shopId: string) => recoverShop(log, shopId);

/** The fields that the shops of all fixtures use. */
const used = new Set<string>();

test('at least one fixture exists', () => assert.ok(fixtures.length > 0));

for (const name of fixtures) {
  test(`the log of ${name} is read as it was written, and accepts new records`, async () => {
    const { path, shops } = unpackFixture(name);
    const readOnly = openLmdbEventLog({ path, isReadOnly: true });
    assert.deepEqual((await verifyLog(readOnly)).defects, []);
    await readOnly.close();
    const log = openLmdbEventLog({ path });
    assert.deepEqual((await verifyLog(log)).defects, []);
    for (const { shopId, records, tail = records, state, keys, idempotencyKeys } of shops) {
      const shop = await recovered(log, shopId);
      assert.equal(shop?.sequenceNumber, records);
      assert.equal(shop?.tail.records, tail);
      assert.equal(stateHash(shop?.state), state);
      assert.equal(stateHash((await recovered(allRecords(log), shopId))?.state), state);
      assert.ok(shop !== null);
      for (const field of fieldsOf(shop.state)) used.add(field);
      for (const { event } of log.readAudit(shopId, records, records)) {
        used.add(`audit ${auditNoteOf(event)?.action}`);
      }
      const { version } = shop?.state ?? {};
      assert.deepEqual(log.versionAt(shopId, version?.number ?? 0)?.version, version);
      assert.equal(log.oldestVersion(shopId)?.version.number, 1);
      for (const key of keys) assert.equal(log.findKey(Buffer.from(key, 'hex'))?.shopId, shopId);
      for (const key of idempotencyKeys) assert.ok(log.findAnswer(shopId, key, 0) !== null, key);
      const [, next] = randomHistory(1, shopId);
      assert.ok(next !== undefined);
      assert.equal((await log.append(shopId, records, [next])).kind, 'appended');
    }
    await log.close();
  });
}

test('every field of a record occurs in a fixture', () => {
  for (const field of FIELDS) assert.ok(used.has(field), field);
});

for (const name of fixtures) {
  const exported = exportsOf(name);
  if (exported === null) continue;
  test(`the exports of ${name} import as the shops of its log`, async () => {
    const { path } = unpackFixture(name);
    const log = openLmdbEventLog({ path });
    for (const [shopId, data] of Object.entries(exported)) {
      const { state } = (await recovered(log, shopId)) ?? assert.fail(shopId);
      const empty = new TrialShop();
      const again = empty.previewOn(state, data);
      assert.ok(again.ok, again.ok ? '' : again.message);
      assert.deepEqual(again.value.summary, { added: 0, modified: 0, removed: 0 });
      empty.execute(data);
      const { versionId: _, ...config } = exportOf(state);
      assert.deepEqual({ ...empty.snapshot(), versionId: undefined }, { ...config, versionId: undefined });
    }
    await log.close();
  });
}

const intents = fc.array(historyIntent, { minLength: 1, maxLength: 12 });

test(`replay, checkpoint with tail, and the live state agree in ${HISTORIES} histories`, async () => {
  const property = fc.asyncProperty(intents, fc.nat(), async (run, choice) => {
    const shop = shopWithZones('enterprise');
    const states = [];
    for (const intent of run) {
      const outcome = shop.try(historyCommandOf(intent, shop.state, [...shop.versions.keys()]));
      if (!outcome.ok) continue;
      shop.keep(outcome.value);
      states.push({ state: shop.state, records: shop.events.length });
    }
    const log = new MemoryEventLog();
    const shopId = shop.state.settings.id;
    await log.append(
      shopId,
      0,
      shop.events.map((event) => ({ atMs: START_MS, event })),
    );
    const live = JSON.stringify(shop.state);
    assert.equal(JSON.stringify((await recovered(log, shopId))?.state), live);
    const stop = states[choice % Math.max(1, states.length)];
    if (stop === undefined) return;
    await log.writeCheckpoint(shopId, { sequenceNumber: stop.records, image: writeImage(stop.state) });
    for (let again = 0; again < 2; again++) {
      assert.equal(JSON.stringify((await recovered(log, shopId))?.state), live);
      assert.equal(JSON.stringify((await recovered(allRecords(log), shopId))?.state), live);
    }
  });
  await fc.assert(property, { numRuns: HISTORIES });
});
