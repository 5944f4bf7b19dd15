/** Pages that a write frees are reused, even while idle threads and processes have the log open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { programPath } from '../../../src/base/runtime/package-files.ts';
import type { EventLog } from '../../../src/store/log/event-log.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../../../src/store/log/lmdb/lmdb-event-log.ts';
import { newLogFolder } from '../../store/log/lmdb/log-folder.ts';
import { accepted, createShop, newGroup, openStage, request, SHOP, type Stage } from '../actor/shop-stage.ts';
import { openPool, THREAD } from './pool-stage.ts';

const COMMITS = 100;
/** Each commit writes about four pages, which the commit after the next must reuse. */
const PAGES_MAX = 50;
const ROUNDS_MAX = 20;
const KINDS = ['a thread that has answered', 'an open log'] as const;
const threadFile = programPath('thread-entry.js');

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
      const thread = { ...THREAD, dataFolder: path };
      const { fate } = openPool(context, {}, { thread, threadFile });
      assert.match(await fate(SHOP, versionId), new RegExp(versionId));
    }
    let grownBy = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS_MAX && grownBy > PAGES_MAX; round++) {
      const before = pagesOf(log);
      for (let at = 1; at <= COMMITS; at++) await log.writeKeyUse(new Map([['key_1', at]]));
      grownBy = pagesOf(log) - before;
    }
    assert.ok(grownBy <= PAGES_MAX, `${COMMITS} commits added ${grownBy} pages`);
  });
}
