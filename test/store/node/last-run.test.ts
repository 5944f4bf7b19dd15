/** What a node notes of its mirror for its next run. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readLastRun, writeLastRun } from '../../../src/store/node/last-run.ts';
import { at, ManualClock } from '../cluster/manual-clock.ts';
import { newLogFolder } from '../log/lmdb/log-folder.ts';

const HEADS = new Map([
  ['shop_a', 7],
  ['__proto__', 2],
]);

function madeFolder(): string {
  const folder = newLogFolder();
  mkdirSync(folder, { recursive: true });
  return folder;
}

test('the state of the mirror is read back by another process, whose monotonic clock is another one', async () => {
  const folder = madeFolder();
  const clock = new ManualClock();
  assert.equal(readLastRun(folder, clock), null);
  await writeLastRun(folder, { currentAt: at(77_000, 5_000), heads: HEADS });
  clock.setApart(20_000);
  const lastRun = readLastRun(folder, clock);
  assert.deepEqual(lastRun, { currentAt: at(-15_000, 5_000), heads: HEADS });
  assert.deepEqual(readdirSync(folder), ['current.json']);
});

test('a clock that was set back, or a file that is not whole, says nothing', async () => {
  const folder = madeFolder();
  const clock = new ManualClock();
  await writeLastRun(folder, { currentAt: at(0, 5_000), heads: HEADS });
  clock.setApart(4_999);
  assert.equal(readLastRun(folder, clock), null);
  clock.setApart(1);
  assert.notEqual(readLastRun(folder, clock), null);
  for (const text of ['', '{', 'null', '{"heads":[]}', '{"wallMs":"1","heads":7}']) {
    writeFileSync(join(folder, 'current.json'), text);
    assert.equal(readLastRun(folder, clock), null, text);
  }
});
