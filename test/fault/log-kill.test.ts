/**
 * SIGKILL at any moment, for the log alone: many writers in one process, with far more appends per kill than over
 * HTTP. All acknowledged records are there, complete and in order. The long form: `RATEWRIGHT_LOG_KILLS=10000 npm
 * test -- log-kill`.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyLog } from '../../src/store/log/lmdb/lmdb-content.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../../src/store/log/lmdb/lmdb-event-log.ts';
import { startLogProcess } from '../store/log/lmdb/log-process.ts';
import { markOf, versionRecord } from '../store/log/sample-records.ts';
import { memoryFolder } from './memory-folder.ts';
import { quantileText } from './quantile-text.ts';

const KILLS = Number(process.env['RATEWRIGHT_LOG_KILLS'] ?? 3);
const SHOPS = Array.from({ length: 16 }, (_, index) => `shop_${index}`);
/** Number of kills per log; then it is verified, and a new log begins. */
const KILLS_PER_LOG = 25;
/** A kill comes after fewer acknowledged records than this. */
const RECORDS_MAX = 2_100;
/** And after a shorter time than this, which is some commits, so that it comes at any moment of a commit. */
const DELAY_MS_MAX = 20;

/** The kernel keeps what a killed process wrote; a folder in memory allows more writes between two kills. */
const logFolder = (isInMemory: boolean): string =>
  isInMemory ? memoryFolder('log-kill') : mkdtempSync(join(tmpdir(), 'ratewright-log-kill-'));

/** Opens a log and adds a version, because a log without versions is searched for versions at each opening. */
async function makeLog(folder: string): Promise<void> {
  const log = openLmdbEventLog({ path: folder });
  const { kind } = await log.append('shop_with_a_version', 0, [versionRecord(1)]);
  assert.equal(kind, 'appended');
  await log.close();
}

/** The known records of a shop: acknowledged to the writer, and read after the last kill. */
interface Seen {
  acknowledged: number;
  read: number;
}

/**
 * Runs writers until a random number of acknowledgements plus a random time; resolves when they are killed.
 */
async function writeAndKill(folder: string, seen: ReadonlyMap<string, Seen>): Promise<void> {
  const child = startLogProcess('write', folder, ...SHOPS);
  let rest = '';
  let isAimedAt = false;
  let left = Math.random() * RECORDS_MAX;
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk).split('\n');
    // An incomplete line is an acknowledgement that nobody has received.
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [shopId = '', number] = line.split(' ');
      const shop = seen.get(shopId) ?? assert.fail(line);
      assert.equal(Number(number), Math.max(shop.acknowledged, shop.read) + 1, `${line} has a gap before it`);
      shop.acknowledged = Number(number);
    }
    left -= lines.length;
    if (isAimedAt || left > 0) return;
    isAimedAt = true;
    setTimeout(() => child.kill('SIGKILL'), Math.random() * DELAY_MS_MAX);
  });
  await once(child, 'close');
  assert.equal(child.signalCode, 'SIGKILL');
}

/** Checks that everything since the last kill is there, complete and in order. */
function checkShops(log: LmdbEventLog, seen: ReadonlyMap<string, Seen>): void {
  for (const [shopId, shop] of seen) {
    const last = log.lastSequenceNumber(shopId);
    assert.ok(
      last >= shop.acknowledged,
      `${shopId}: ${shop.acknowledged} was acknowledged, ${last} is there`,
    );
    const marks = Array.from(log.read(shopId, shop.read), markOf);
    const expected = Array.from({ length: last - shop.read }, (_, index) => String(shop.read + index + 1));
    assert.deepEqual(marks, expected);
    shop.read = last;
  }
}

test(`${KILLS} kills of many writers lose no acknowledged record and leave no torn record`, {
  timeout: 8 * 60 * 60 * 1000,
}, async (context) => {
  const openMs: number[] = [];
  let records = 0;
  for (let kill = 0; kill < KILLS; ) {
    const folder = logFolder(Math.random() < 0.5);
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    await makeLog(folder);
    const seen = new Map(SHOPS.map((shopId) => [shopId, { acknowledged: 0, read: 0 }]));
    for (let here = 0; here < KILLS_PER_LOG && kill < KILLS; here++, kill++) {
      await writeAndKill(folder, seen);
      const startMs = performance.now();
      const log = openLmdbEventLog({ path: folder });
      openMs.push(performance.now() - startMs);
      checkShops(log, seen);
      const isLast = here + 1 === KILLS_PER_LOG || kill + 1 === KILLS;
      if (isLast) assert.deepEqual((await verifyLog(log)).defects, []);
      await log.close();
    }
    for (const { acknowledged } of seen.values()) records += acknowledged;
    rmSync(folder, { recursive: true });
  }
  assert.ok(records > KILLS);
  context.diagnostic(
    `${KILLS} kills, ${records} acknowledged records, 0 lost; the log opens in ${quantileText(openMs)}`,
  );
});
