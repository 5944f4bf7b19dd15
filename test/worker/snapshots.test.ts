/** Pages that a write frees are reused, even while idle threads and processes have the log open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventLog } from '../../src/log/event-log.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../../src/log/lmdb/lmdb-event-log.ts';
import { programPath } from '../../src/runtime/package-files.ts';
import { accepted, createShop, newGroup, openStage, request, SHOP, type Stage } from '../actor/shop-stage.ts';
import { newLogFolder } from '../log/lmdb/log-folder.ts';
import { openPool, WORKER } from './pool-stage.ts';

const COMMITS = 100;
/** Each commit writes about four pages, which the commit after the next must reuse. */
const PAGES_MAX = 50;
const ROUNDS_MAX = 20;
const KINDS = ['a thread that has done a task', 'a thread that gave its task up', 'an open log'] as const;
const workerFile = programPath('worker-entry.js');

const pagesOf = ({ tables }: LmdbEventLog): number =>
  (tables.root.getStats() as { readonly lastPageNumber: number }).lastPageNumber;

for (const kind of KINDS) {
  test(`${kind} does not block the reuse of pages of the log`, async (context) => {
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
        worker: { ...WORKER, dataFolder: path },
        workerFile,
        // The deadline passes while the thread loads; the thread continues to load.
        ...(isLate ? { deadlineMs: 1 } : {}),
      });
      const done = await pool.run({ kind: 'readVersion', shopId: SHOP, sequenceNumber: 2, versionId }).then(
        () => true,
        () => false,
      );
      assert.equal(done, !isLate);
      // Waits until the thread has opened the log.
      while (isLate && readersOf(log) < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    let grownBy = Number.POSITIVE_INFINITY;
    // A thread on a busy machine may still read for the task that was given up when the first round begins.
    for (let round = 0; round < ROUNDS_MAX && grownBy > PAGES_MAX; round++) {
      const before = pagesOf(log);
      for (let at = 1; at <= COMMITS; at++) await log.writeKeyUse(new Map([['key_1', at]]));
      grownBy = pagesOf(log) - before;
    }
    assert.ok(grownBy <= PAGES_MAX, `${COMMITS} commits added ${grownBy} pages`);
  });
}

/** Number of slots that threads use in LMDB's table of readers. */
const readersOf = ({ tables }: LmdbEventLog): number =>
  tables.root.readerList().trim().split('\n').length - 1;
