/** A file that LMDB wrote has no defects after any operations; a file with one changed page has a defect. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { UnusableDataFileError } from '../../../src/log/event-log.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../../../src/log/lmdb/lmdb-event-log.ts';
import { settingsRecord } from '../sample-records.ts';
import { newLogFolder } from './log-folder.ts';

const RUNS = 12;
const PAGE_BYTES = 4096;

/** Sizes of values: inside a page, at the limit, and in separate pages. */
const valueBytes = fc.oneof(
  fc.nat(200),
  fc.integer({ min: 1_900, max: 2_100 }),
  fc.integer({ min: 3_000, max: 40_000 }),
);
const change = fc.record({ key: fc.nat(400), bytes: fc.option(valueBytes, { freq: 2 }) });
const commit = fc.record({
  changes: fc.array(change, { minLength: 1, maxLength: 60 }),
  /** An open reader prevents the reuse of pages. */
  isPinned: fc.boolean(),
  isReopened: fc.nat(5).map((dice) => dice === 0),
});

const keyOf = (key: number): Buffer =>
  Buffer.from(
    `key ${String(key)
      .padStart(4, '0')
      .repeat(1 + (key % 9))}`,
  );

function assertWhole(log: LmdbEventLog): void {
  const { pinned, defects } = log.tables.pinAndWalk({ defectsMax: 10, isOrderChecked: true });
  pinned.done();
  assert.deepEqual(defects, []);
}

test('a file has no defects after any commits that fill, empty and reuse its pages', async () => {
  const property = fc.asyncProperty(fc.array(commit, { minLength: 5, maxLength: 40 }), async (commits) => {
    const path = newLogFolder();
    let log = openLmdbEventLog({ path });
    for (const { changes, isPinned, isReopened } of commits) {
      const pinned = isPinned ? log.tables.pin() : null;
      const { root, keyUse, records } = log.tables;
      await root.batch(() => {
        for (const { key, bytes } of changes) {
          const table = key % 3 === 0 ? records : keyUse;
          if (bytes === null) table.remove(keyOf(key));
          else table.put(keyOf(key), Buffer.alloc(bytes, key));
        }
      });
      assertWhole(log);
      pinned?.done();
      if (!isReopened) continue;
      await log.close();
      log = openLmdbEventLog({ path });
    }
    await log.close();
  });
  await fc.assert(property, { numRuns: RUNS });
});

test('a page that was replaced with another or an earlier page is detected when the log is opened', async () => {
  const path = newLogFolder();
  const log = openLmdbEventLog({ path });
  const append = (from: number, count: number) =>
    log.append(
      'shop_a',
      from,
      Array.from({ length: count }, (_, index) => settingsRecord(`${from + index} ${'x'.repeat(300)}`)),
    );
  await append(0, 100);
  const before = readFileSync(join(path, 'data.mdb'));
  await append(100, 100);
  await log.close();
  const whole = readFileSync(join(path, 'data.mdb'));
  const pageAt = (bytes: Buffer, page: number) => bytes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
  let refused = 0;
  for (let page = 2; page < whole.length / PAGE_BYTES; page++) {
    for (const other of [pageAt(whole, page - 1), pageAt(before, page)]) {
      const damaged = Buffer.from(whole);
      other.copy(damaged, page * PAGE_BYTES);
      writeFileSync(join(path, 'data.mdb'), damaged);
      refused += isRefused(path) ? 1 : 0;
    }
  }
  assert.ok(refused > whole.length / PAGE_BYTES / 2, `${refused} refused`);
});

/** Opens and reads the whole log. An earlier page may also appear as missing records, which are named. */
function isRefused(path: string): boolean {
  try {
    const log = openLmdbEventLog({ path });
    void log.close();
    return false;
  } catch (error) {
    assert.ok(error instanceof UnusableDataFileError, String(error));
    return true;
  }
}
