/** Pages that a write frees are used again, whoever has the log open and waits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { EventLog } from '../../src/log/event-log.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../../src/log/lmdb/lmdb-event-log.ts';
import { accepted, createShop, newGroup, openStage, request, SHOP, type Stage } from '../actor/shop-stage.ts';
import { newLogFolder } from '../log/lmdb/log-folder.ts';
import { openPool } from './pool-stage.ts';

const COMMITS = 100;
/** Each commit writes some four pages, which the next but one has to use again. */
const PAGES_MAX = 50;
const KINDS = ['a thread that has done a task', 'a thread that gave its task up', 'an open log'] as const;
const workerFile = fileURLToPath(new URL('../../src/worker/worker-entry.js', import.meta.url));

const pagesOf = ({ tables }: LmdbEventLog): number =>
  (tables.root.getStats() as { readonly lastPageNumber: number }).lastPageNumber;

for (const kind of KINDS) {
  test(`${kind} keeps no page of the log from being used again`, async (context) => {
    const path = newLogFolder();
    const log = openLmdbEventLog({ path });
    const others: LmdbEventLog[] = [];
    context.after(async () => {
      for (const each of [...others, log]) await each.close();
    });
    const stage = openStage({}, log as EventLog as Stage['log']);
    const shop = await createShop(stage);
    const { versionId } = accepted(await shop.write(request(newGroup('A'))));
    if (kind === 'an open log') {
      for (let opened = 0; opened < 3; opened++) others.push(openLmdbEventLog({ path }));
    } else {
      const isLate = kind === 'a thread that gave its task up';
      const pool = openPool(context, {
        dataFolder: path,
        workerFile,
        isBackground: false,
        // Past while the thread loads, which it goes on with all the same.
        ...(isLate ? { deadlineMs: 1 } : {}),
      });
      const done = await pool.run({ kind: 'readVersion', shopId: SHOP, sequenceNumber: 2, versionId }).then(
        () => true,
        () => false,
      );
      assert.equal(done, !isLate);
      // Once the thread has the log open.
      while (isLate && readersOf(log) < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const before = pagesOf(log);
    for (let at = 1; at <= COMMITS; at++) await log.writeKeyUse(new Map([['key_1', at]]));
    assert.ok(pagesOf(log) - before <= PAGES_MAX, `${before} pages became ${pagesOf(log)}`);
  });
}

/** Places that threads have taken in LMDB's table of readers. */
const readersOf = ({ tables }: LmdbEventLog): number =>
  tables.root.readerList().trim().split('\n').length - 1;
