/** The log of a node keeps the promises of the port on an authority in memory. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { DiskFullError } from '../../../src/store/log/event-log.ts';
import { FakeAuthority } from '../../support/fake-authority.ts';
import { FakeDatabase } from '../../support/fake-database.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { describeEventLog } from '../log/event-log-contract.ts';
import { newLogFolder } from '../log/lmdb/log-folder.ts';
import { settingsRecord } from '../log/sample-records.ts';
import { nodeOn, openOn, reopen } from './mirrored-log-stage.ts';

describeEventLog('mirror of an authority in memory', {
  open: () => openOn({ folder: newLogFolder(), authority: new FakeAuthority(new FakeDatabase()) }),
  reopen,
});

test('of two nodes that append equal records at the same time one wins, also where an answer was lost', async () => {
  const database = new FakeDatabase();
  const [one, other] = [new FakeAuthority(database), new FakeAuthority(database)];
  const [winner, loser] = [one, other].map((authority) => openOn({ folder: newLogFolder(), authority }));
  assert.ok(winner !== undefined && loser !== undefined);
  const revoked = [settingsRecord('the same')];
  // The loser's first attempt never arrives, and its next one finds the record of the winner in its place.
  other.loseNext('lostBefore');
  const lost = loser.append('shop_a', 0, revoked);
  assert.equal((await winner.append('shop_a', 0, revoked)).kind, 'appended');
  assert.equal((await lost).kind, 'staleWriter');
  for (const log of [winner, loser]) await log.close();
});

test('a node on a full disk appends nothing to the database, and shows what others append once there is room', async (context) => {
  const disk = smallDisk(context, 24);
  if (disk === null) return;
  const database = new FakeDatabase();
  const parts = { folder: join(disk.path, 'mirror'), authority: new FakeAuthority(database) };
  const node = nodeOn(parts);
  const { log } = node;
  const other = openOn({ folder: newLogFolder(), authority: new FakeAuthority(database) });
  assert.equal((await log.append('shop_a', 0, [settingsRecord(1)])).kind, 'appended');
  disk.fill();
  assert.equal((await log.append('shop_a', 1, [settingsRecord(2)])).kind, 'diskFull');
  assert.equal((await log.appendAlone?.('shop_a', async () => [settingsRecord(2)]))?.kind, 'diskFull');
  const { state, records } = await parts.authority.tail('shop_a', 0);
  assert.deepEqual([state?.head.sequenceNumber, records.length], [1, 1]);

  await other.appendAlone?.('shop_a', async () => [settingsRecord(2)]);
  await assert.rejects(node.node.follower.mirrorTail('shop_a'), DiskFullError);
  assert.equal((await log.appendAlone?.('shop_a', async () => [settingsRecord(3)]))?.kind, 'diskFull');
  assert.equal(log.lastSequenceNumber('shop_a'), 1);

  disk.empty();
  await node.node.follower.mirrorTail('shop_a');
  assert.equal((await log.append('shop_a', 2, [settingsRecord(3)])).kind, 'appended');
  await Promise.all([log.close(), other.close()]);
});
