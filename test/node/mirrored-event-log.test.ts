/** The log of a node keeps the promises of the port on an authority in memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bulkyRecord } from '../log/authority-shops.ts';
import { describeEventLog } from '../log/event-log-contract.ts';
import { newLogFolder } from '../log/lmdb/log-folder.ts';
import { FakeAuthority } from '../support/fake-authority.ts';
import { FakeDatabase } from '../support/fake-database.ts';
import { openOn, reopen } from './mirrored-log-stage.ts';

describeEventLog('mirror of an authority in memory', {
  open: () => openOn({ folder: newLogFolder(), authority: new FakeAuthority(new FakeDatabase()) }),
  reopen,
});

test('a large group is encoded in slices: the event loop turns before the authority gets it', async () => {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  const turnsBefore: number[] = [];
  class NotedAuthority extends FakeAuthority {
    override append(...of: Parameters<FakeAuthority['append']>) {
      turnsBefore.push(turns);
      return super.append(...of);
    }

    override takeTurn(...[shopId, decide]: Parameters<FakeAuthority['takeTurn']>) {
      return super.takeTurn(shopId, async () => {
        turns = 0;
        const group = await decide();
        turnsBefore.push(turns);
        return group;
      });
    }
  }
  const log = openOn({ folder: newLogFolder(), authority: new NotedAuthority(new FakeDatabase()) });
  const large = bulkyRecord(8 * 1024 * 1024);
  turn();
  turns = 0;
  assert.equal((await log.append('shop_a', 0, [large])).kind, 'appended');
  assert.equal((await log.appendAlone?.('shop_a', async () => [large]))?.kind, 'appended');
  isOver = true;
  assert.equal(turnsBefore.length, 2);
  for (const count of turnsBefore) assert.ok(count > 1, turnsBefore.join());
  await log.close();
});
