/** The log in memory keeps the promises of the port, so results of tests with it are valid for the real log. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DamagedLogError } from '../../../src/store/log/event-log.ts';
import { MemoryEventLog } from '../../support/memory-event-log.ts';
import { describeEventLog } from './event-log-contract.ts';
import { markOf, settingsRecord } from './sample-records.ts';

describeEventLog('memory', {
  open: () => new MemoryEventLog(),
  reopen: (log) => {
    assert.ok(log instanceof MemoryEventLog);
    return log.reopen();
  },
});

test('memory: after a failed append every later one is unavailable, until the next start', async () => {
  for (const fate of ['unavailable', 'unknownAndStored', 'unknownAndLost'] as const) {
    const log = new MemoryEventLog({
      fate: (_, [record]) => (record && markOf(record) === 'x' ? fate : 'stored'),
    });
    await log.append('shop_a', 0, [settingsRecord(1)]);
    const kinds = [
      await log.append('shop_a', 1, [settingsRecord('x')]),
      await log.append('shop_b', 0, [settingsRecord(1)]),
    ];
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      [fate === 'unavailable' ? 'unavailable' : 'outcomeUnknown', 'unavailable'],
    );
    const stored = fate === 'unknownAndStored' ? ['1', 'x'] : ['1'];
    const next = log.reopen();
    assert.deepEqual(Array.from(next.read('shop_a', 0), markOf), stored);
    assert.equal((await next.append('shop_a', stored.length, [settingsRecord(2)])).kind, 'appended');
  }
});

test('memory: a damaged record is named and a damaged checkpoint skipped', async () => {
  const log = new MemoryEventLog();
  await log.append('shop_a', 0, [settingsRecord(1), settingsRecord(2)]);
  await log.writeCheckpoint('shop_a', { sequenceNumber: 1, image: '1' });
  await log.writeCheckpoint('shop_a', { sequenceNumber: 2, image: '2' });
  log.damageCheckpoint('shop_a', 2);
  log.damageRecord('shop_a', 2);
  assert.equal(log.latestCheckpoint('shop_a')?.image, '1');
  assert.throws(
    () => [...log.read('shop_a', 0)],
    (error) => error instanceof DamagedLogError && error.sequenceNumber === 2 && error.shopId === 'shop_a',
  );
});

test('memory: an append takes effect after its delay', async () => {
  const gate: (() => void)[] = [];
  const log = new MemoryEventLog({ delay: () => new Promise((resolve) => gate.push(resolve)) });
  const append = log.append('shop_a', 0, [settingsRecord(1)]);
  assert.equal(log.lastSequenceNumber('shop_a'), 0);
  gate[0]?.();
  assert.equal((await append).kind, 'appended');
  assert.equal(log.lastSequenceNumber('shop_a'), 1);
});
