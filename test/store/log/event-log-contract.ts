/**
 * The promises of the `EventLog` port, tested with every adapter. A harness opens an empty log, and opens the same log
 * again as a later process would.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AppendResult, EventLog, NewRecord } from '../../../src/store/log/event-log.ts';
import {
  answeredRecord,
  answerFor,
  keyRecord,
  markOf,
  revokeRecord,
  START_MS,
  settingsRecord,
  sha256Of,
} from './sample-records.ts';
import { assertTrimModel, trimPromises, versionPromises } from './version-promises.ts';

export interface LogHarness {
  readonly open: () => EventLog | Promise<EventLog>;
  /** Closes `log` and opens it again. */
  readonly reopen: (log: EventLog) => EventLog | Promise<EventLog>;
}

const HOUR_MS = 3_600_000;

const kindOf = async (result: Promise<AppendResult>): Promise<string> => (await result).kind;

const marksIn = (log: EventLog, shopId: string, after = 0, upTo?: number): string[] =>
  Array.from(log.read(shopId, after, upTo), (record) => `${record.sequenceNumber}:${markOf(record)}`);

/** Appends one record per mark, each in a separate append. */
async function appendEach(log: EventLog, shopId: string, marks: readonly (number | string)[]): Promise<void> {
  for (const mark of marks) {
    const result = await log.append(shopId, log.lastSequenceNumber(shopId), [settingsRecord(mark)]);
    assert.equal(result.kind, 'appended');
  }
}

export function describeEventLog(adapter: string, harness: LogHarness): void {
  const promise = (title: string, body: (log: EventLog) => Promise<void>) =>
    test(`${adapter}: ${title}`, async () => {
      const log = await harness.open();
      try {
        await body(log);
      } finally {
        await log.close();
      }
    });

  appendPromises(promise);
  readPromises(promise);
  checkpointPromises(promise);
  keyPromises(promise);
  answerPromises(promise);
  shadowPromises(promise);
  versionPromises(promise);
  trimPromises(promise);
  restartPromises(adapter, harness);
  modelPromises(adapter, harness);
  test(`${adapter}: a trimmed log has the content that a model predicts`, () => assertTrimModel(harness));
}

export type Promises = (title: string, body: (log: EventLog) => Promise<void>) => void;

function appendPromises(promise: Promises): void {
  promise('records are numbered 1, 2, ... in the order of their appends', async (log) => {
    assert.equal(await kindOf(log.append('shop_a', 0, [settingsRecord(1), settingsRecord(2)])), 'appended');
    assert.equal(await kindOf(log.append('shop_a', 2, [settingsRecord(3)])), 'appended');
    assert.deepEqual(marksIn(log, 'shop_a'), ['1:1', '2:2', '3:3']);
    assert.equal(log.lastSequenceNumber('shop_a'), 3);
  });

  promise('a stale writer writes nothing', async (log) => {
    await appendEach(log, 'shop_a', [1, 2, 3]);
    for (const expected of [0, 1, 2, 4, 9]) {
      const result = await log.append('shop_a', expected, [answeredRecord('stale', 'key', START_MS)]);
      assert.deepEqual(result, { kind: 'staleWriter' });
    }
    assert.deepEqual(marksIn(log, 'shop_a'), ['1:1', '2:2', '3:3']);
    assert.equal(log.findAnswer('shop_a', 'key', 0), null);
  });

  promise('of appends that race for the same number exactly one succeeds', async (log) => {
    const marks = Array.from({ length: 20 }, (_, index) => index);
    const results = await Promise.all(
      marks.map((mark) => log.append('shop_a', 0, [settingsRecord(mark), settingsRecord(mark)])),
    );
    const winners = marks.filter((mark) => results[mark]?.kind === 'appended');
    assert.equal(winners.length, 1);
    assert.deepEqual(marksIn(log, 'shop_a'), [`1:${winners[0]}`, `2:${winners[0]}`]);
    for (const result of results) {
      if (result.kind !== 'appended') assert.deepEqual(result, { kind: 'staleWriter' });
    }
  });

  promise('no record of an append is visible before it is answered', async (log) => {
    const append = log.append('shop_a', 0, [settingsRecord(1)]);
    assert.equal(log.lastSequenceNumber('shop_a'), 0);
    assert.deepEqual(marksIn(log, 'shop_a'), []);
    await append;
    assert.equal(log.lastSequenceNumber('shop_a'), 1);
  });

  promise('an append without records is a bug of the caller', async (log) => {
    await assert.rejects(log.append('shop_a', 0, []), RangeError);
  });

  promise('large groups and large records are stored completely', async (log) => {
    const group = Array.from({ length: 2000 }, (_, index) => settingsRecord(index));
    assert.equal(await kindOf(log.append('shop_a', 0, group)), 'appended');
    assert.equal(marksIn(log, 'shop_a').at(-1), '2000:1999');
    const texts = [3, 40_000, 2_000_000, 9_000_000, 70].map((size) => 'é'.repeat(size));
    assert.equal(
      await kindOf(
        log.append(
          'shop_b',
          0,
          texts.map((text) => settingsRecord(text)),
        ),
      ),
      'appended',
    );
    assert.deepEqual(Array.from(log.read('shop_b', 0), markOf), texts);
  });
}

function readPromises(promise: Promises): void {
  promise('a record is read as it was written', async (log) => {
    const written: NewRecord[] = [
      settingsRecord('ünïcödé \u0000 \ud83d\ude00 "\\', START_MS + 1),
      keyRecord('key_1', 'secret'),
      { ...revokeRecord('key_1'), atMs: 0, answer: answerFor('k', 'b') },
    ];
    await log.append('shop_a', 0, written);
    assert.deepEqual(
      [...log.read('shop_a', 0)],
      written.map((record, index) => ({ ...record, sequenceNumber: index + 1 })),
    );
  });

  promise('a read has the records after one number up to another', async (log) => {
    await appendEach(log, 'shop_a', ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(marksIn(log, 'shop_a', 2), ['3:c', '4:d', '5:e']);
    assert.deepEqual(marksIn(log, 'shop_a', 1, 3), ['2:b', '3:c']);
    assert.deepEqual(marksIn(log, 'shop_a', 0, 99), ['1:a', '2:b', '3:c', '4:d', '5:e']);
    assert.deepEqual(marksIn(log, 'shop_a', 5), []);
    assert.deepEqual(marksIn(log, 'shop_a', 99), []);
    assert.deepEqual(marksIn(log, 'shop_a', 3, 3), []);
  });

  promise('a read can be abandoned and started again', async (log) => {
    await appendEach(log, 'shop_a', ['a', 'b', 'c']);
    const records = log.read('shop_a', 0);
    for (const record of records) if (markOf(record) === 'b') break;
    await appendEach(log, 'shop_a', ['d']);
    assert.deepEqual(Array.from(records, markOf), ['a', 'b', 'c']);
  });

  promise('a shop that does not exist has no records', async (log) => {
    await appendEach(log, 'shop_a', [1]);
    for (const shopId of ['shop', 'shop_', 'shop_a1', 'shop_b', '', 'not an id', '__proto__']) {
      assert.equal(log.lastSequenceNumber(shopId), 0, shopId);
      assert.deepEqual(marksIn(log, shopId), []);
      assert.equal(log.latestCheckpoint(shopId), null);
      assert.equal(log.findAnswer(shopId, 'key', 0), null);
    }
  });

  promise('shops are listed in order and kept apart, also when one id begins with another', async (log) => {
    const ids = ['shop_b', 'shop', 'shop_a', 'a', 'Z', '__proto__', 'shop-a', 'x'.repeat(64)];
    for (const id of ids) await appendEach(log, id, [`${id}-1`, `${id}-2`]);
    assert.deepEqual([...log.shopIds()], [...ids].sort());
    for (const id of ids) assert.deepEqual(marksIn(log, id), [`1:${id}-1`, `2:${id}-2`]);
  });
}

function checkpointPromises(promise: Promises): void {
  promise('the newest checkpoint up to a number is found', async (log) => {
    await appendEach(log, 'shop_a', [1, 2, 3, 4]);
    await appendEach(log, 'shop_b', [1]);
    assert.equal(log.latestCheckpoint('shop_a'), null);
    await log.writeCheckpoint('shop_a', { sequenceNumber: 3, image: '{"at":3}' });
    await log.writeCheckpoint('shop_a', { sequenceNumber: 1, image: '{"at":"é"}' });
    assert.deepEqual(log.latestCheckpoint('shop_a'), { sequenceNumber: 3, image: '{"at":3}' });
    assert.deepEqual(log.latestCheckpoint('shop_a', 3), { sequenceNumber: 3, image: '{"at":3}' });
    assert.deepEqual(log.latestCheckpoint('shop_a', 2), { sequenceNumber: 1, image: '{"at":"é"}' });
    assert.equal(log.latestCheckpoint('shop_a', 0), null);
    assert.equal(log.latestCheckpoint('shop_b'), null);
  });

  promise('a checkpoint may be written again and be large', async (log) => {
    await appendEach(log, 'shop_a', [1]);
    const image = JSON.stringify('x'.repeat(3_000_000));
    await log.writeCheckpoint('shop_a', { sequenceNumber: 1, image: '{}' });
    await log.writeCheckpoint('shop_a', { sequenceNumber: 1, image });
    assert.deepEqual(log.latestCheckpoint('shop_a'), { sequenceNumber: 1, image });
  });

  promise('a checkpoint without its record is a bug of the caller', async (log) => {
    await appendEach(log, 'shop_a', [1]);
    await assert.rejects(log.writeCheckpoint('shop_a', { sequenceNumber: 2, image: '{}' }), RangeError);
    await assert.rejects(log.writeCheckpoint('shop_b', { sequenceNumber: 1, image: '{}' }), RangeError);
  });
}

function keyPromises(promise: Promises): void {
  promise('a key is found by its digest until it is revoked', async (log) => {
    await log.append('shop_a', 0, [keyRecord('key_1', 'one'), keyRecord('key_2', 'two', 'admin')]);
    await log.append('shop_b', 0, [keyRecord('key_3', 'three', 'read')]);
    const holder = { shopId: 'shop_a', keyId: 'key_1', permission: 'write' };
    assert.deepEqual(log.findKey(sha256Of('one')), holder);
    assert.deepEqual(log.findKey(sha256Of('three')), {
      shopId: 'shop_b',
      keyId: 'key_3',
      permission: 'read',
    });
    assert.equal(log.findKey(sha256Of('four')), null);
    assert.equal(log.findKey(new Uint8Array(31)), null);
    await log.append('shop_b', 1, [revokeRecord('key_1')]);
    assert.deepEqual(log.findKey(sha256Of('one')), holder, 'only its own shop revokes a key');
    await log.append('shop_a', 2, [revokeRecord('key_1')]);
    assert.equal(log.findKey(sha256Of('one')), null);
    assert.equal(log.findKey(sha256Of('two'))?.permission, 'admin');
  });

  promise('keys that one append creates and revokes have the right state', async (log) => {
    await log.append('shop_a', 0, [
      keyRecord('key_1', 'one'),
      revokeRecord('key_1'),
      keyRecord('key_2', 'two'),
      revokeRecord('key_9'),
    ]);
    assert.equal(log.findKey(sha256Of('one')), null);
    assert.equal(log.findKey(sha256Of('two'))?.keyId, 'key_2');
  });

  promise('a secret that a new key has stays valid when the old key is revoked', async (log) => {
    await log.append('shop_a', 0, [keyRecord('key_1', 'same')]);
    await log.append('shop_a', 1, [keyRecord('key_2', 'same')]);
    await log.append('shop_a', 2, [revokeRecord('key_1')]);
    assert.equal(log.findKey(sha256Of('same'))?.keyId, 'key_2');
    await log.append('shop_a', 3, [keyRecord('key_3', 'same'), revokeRecord('key_2')]);
    assert.equal(log.findKey(sha256Of('same'))?.keyId, 'key_3');
    await log.append('shop_a', 5, [revokeRecord('key_3')]);
    assert.equal(log.findKey(sha256Of('same')), null);
  });

  promise('the last use of a key is remembered', async (log) => {
    assert.equal(log.readKeyUse('key_1'), null);
    await log.writeKeyUse(new Map());
    await log.writeKeyUse(
      new Map([
        ['key_1', 5],
        ['key_2', 6],
      ]),
    );
    await log.writeKeyUse(new Map([['key_1', 7]]));
    assert.equal(log.readKeyUse('key_1'), 7);
    assert.equal(log.readKeyUse('key_2'), 6);
  });
}

function shadowPromises(promise: Promises): void {
  promise('results of a changeset are stored until they are replaced or removed', async (log) => {
    await appendEach(log, 'shop_a', [1]);
    await appendEach(log, 'shop_b', [1]);
    assert.equal(log.readShopText('shadowResults', 'shop_a'), null);
    await log.writeShopText('shadowResults', 'shop_a', '{"a":1}');
    await log.writeShopText('shadowResults', 'shop_a', '{"a":"caf\u00e9"}');
    await log.writeShopText('shadowResults', 'shop_b', '{}');
    assert.equal(log.readShopText('shadowResults', 'shop_a'), '{"a":"caf\u00e9"}');
    await log.writeShopText('shadowResults', 'shop_a', null);
    await log.writeShopText('shadowResults', 'shop_a', null);
    assert.equal(log.readShopText('shadowResults', 'shop_a'), null);
    assert.equal(log.readShopText('shadowResults', 'shop_b'), '{}');
  });

  promise('the record that ends a changeset removes its results, only those of its own shop', async (log) => {
    for (const shopId of ['shop_a', 'shop_b']) {
      await appendEach(log, shopId, [1]);
      await log.writeShopText('shadowResults', shopId, '{}');
    }
    const ended: NewRecord = { atMs: START_MS, event: { kind: 'stagingEnded', outcome: 'discarded' } };
    assert.equal(await kindOf(log.append('shop_a', 0, [ended])), 'staleWriter');
    assert.equal(log.readShopText('shadowResults', 'shop_a'), '{}');
    assert.equal(await kindOf(log.append('shop_a', 1, [ended])), 'appended');
    assert.equal(log.readShopText('shadowResults', 'shop_a'), null);
    assert.equal(log.readShopText('shadowResults', 'shop_b'), '{}');
  });
}

function answerPromises(promise: Promises): void {
  promise('an answer is found by its key, unless it is older than the given time', async (log) => {
    await log.append('shop_a', 0, [settingsRecord(1), answeredRecord(2, 'key', START_MS)]);
    await log.append('shop_b', 0, [answeredRecord('other', 'key', START_MS)]);
    const answer = answerFor('key', 'answer 2');
    assert.deepEqual(log.findAnswer('shop_a', 'key', START_MS), answer);
    assert.deepEqual(log.findAnswer('shop_a', 'key', 0), answer);
    assert.equal(log.findAnswer('shop_a', 'key', START_MS + 1), null);
    assert.equal(log.findAnswer('shop_a', 'ke', 0), null);
    assert.equal(log.findAnswer('shop_c', 'key', 0), null);
  });

  promise('an idempotency key that is used again after its time has the new answer', async (log) => {
    await log.append('shop_a', 0, [answeredRecord(1, 'key', START_MS)]);
    await log.append('shop_a', 1, [answeredRecord(2, 'key', START_MS + 25 * HOUR_MS)]);
    await log.append('shop_a', 2, [answeredRecord(3, 'key', START_MS + 26 * HOUR_MS)]);
    const bodySince = (sinceMs: number) => log.findAnswer('shop_a', 'key', sinceMs)?.body;
    assert.equal(bodySince(START_MS), 'answer 1');
    assert.equal(bodySince(START_MS + HOUR_MS), 'answer 2');
    assert.equal(bodySince(START_MS + 26 * HOUR_MS), 'answer 3');
  });

  promise('any text can be an idempotency key', async (log) => {
    const keys = ['', '\u0000', 'a\u0000b', 'é'.repeat(255), '__proto__', 'k'.repeat(10_000)];
    await log.append(
      'shop_a',
      0,
      keys.map((key, index) => answeredRecord(index, key, START_MS)),
    );
    for (const [index, key] of keys.entries()) {
      assert.deepEqual(log.findAnswer('shop_a', key, 0), answerFor(key, `answer ${index}`));
    }
  });

  promise('answers are forgotten by age, each once', async (log) => {
    const answers = Array.from({ length: 2500 }, (_, hour) =>
      answeredRecord(hour, `key ${hour}`, START_MS + hour * HOUR_MS),
    );
    await log.append('shop_a', 0, answers);
    await log.append('shop_b', 0, [answeredRecord(0, 'key 0', START_MS), settingsRecord(1, START_MS)]);
    assert.equal(await log.forgetAnswers(START_MS + 2400 * HOUR_MS), 2401);
    assert.equal(await log.forgetAnswers(START_MS + 2400 * HOUR_MS), 0);
    assert.equal(log.findAnswer('shop_a', 'key 2399', 0), null);
    assert.equal(log.findAnswer('shop_b', 'key 0', 0), null);
    assert.deepEqual(log.findAnswer('shop_a', 'key 2400', 0), answerFor('key 2400', 'answer 2400'));
    assert.equal(log.lastSequenceNumber('shop_a'), 2500, 'the records stay');
  });
}

function restartPromises(adapter: string, { open, reopen }: LogHarness): void {
  test(`${adapter}: everything is there after a restart, and writes continue`, async () => {
    const before = await open();
    await appendEach(before, 'shop_a', [1, 2]);
    await before.append('shop_a', 2, [keyRecord('key_1', 'one'), answeredRecord(4, 'key', START_MS)]);
    await before.writeCheckpoint('shop_a', { sequenceNumber: 2, image: '{}' });
    await before.writeKeyUse(new Map([['key_1', 9]]));
    const log = await reopen(before);
    assert.deepEqual(marksIn(log, 'shop_a'), ['1:1', '2:2', '3:keyCreated', '4:4']);
    assert.deepEqual([...log.shopIds()], ['shop_a']);
    assert.deepEqual(log.latestCheckpoint('shop_a'), { sequenceNumber: 2, image: '{}' });
    assert.equal(log.findKey(sha256Of('one'))?.keyId, 'key_1');
    assert.equal(log.findAnswer('shop_a', 'key', START_MS)?.body, 'answer 4');
    assert.equal(log.readKeyUse('key_1'), 9);
    assert.equal(await kindOf(log.append('shop_a', 3, [settingsRecord(5)])), 'staleWriter');
    await appendEach(log, 'shop_a', [5]);
    assert.deepEqual(marksIn(log, 'shop_a', 3), ['4:4', '5:5']);
    await log.close();
  });

  test(`${adapter}: a closed log refuses to write`, async () => {
    const log = await open();
    await appendEach(log, 'shop_a', [1]);
    await log.close();
    await log.close();
    assert.equal(await kindOf(log.append('shop_a', 1, [settingsRecord(2)])), 'unavailable');
    await assert.rejects(log.writeCheckpoint('shop_a', { sequenceNumber: 1, image: '{}' }));
    await assert.rejects(log.writeKeyUse(new Map([['key_1', 1]])));
    await assert.rejects(log.forgetAnswers(0));
  });
}

/** Appends of random size to random shops, some of them stale, with occasional restarts. */
function modelPromises(adapter: string, { open, reopen }: LogHarness): void {
  test(`${adapter}: any history is read back as from one list per shop`, async () => {
    const step = fc.record({
      shop: fc.constantFrom('shop_a', 'shop_b', 'shop_ab'),
      size: fc.integer({ min: 1, max: 4 }),
      offset: fc.constantFrom(0, 0, 0, 0, -1, 1),
      restart: fc.constantFrom(false, false, false, false, false, false, true),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        let log = await open();
        const model = new Map<string, string[]>();
        for (const [index, { shop, size, offset, restart }] of steps.entries()) {
          if (restart) log = await reopen(log);
          const marks = model.get(shop) ?? [];
          const added = Array.from({ length: size }, (_, place) => `${index}-${place}`);
          const result = await log.append(
            shop,
            marks.length + offset,
            added.map((mark) => settingsRecord(mark)),
          );
          assert.equal(result.kind, offset === 0 ? 'appended' : 'staleWriter');
          if (offset === 0) model.set(shop, [...marks, ...added]);
        }
        for (const [shop, marks] of model) assert.deepEqual(Array.from(log.read(shop, 0), markOf), marks);
        assert.deepEqual([...log.shopIds()], [...model.keys()].sort());
        await log.close();
      }),
      { numRuns: 12 },
    );
  });
}
