/** The log by itself: appends by size of the group, reading back, and recovery of a shop. */

import { recoverShop } from '../../src/shop/reader/recovery.ts';
import type { NewRecord } from '../../src/store/log/event-log.ts';
import { type Part, type PartRun, Rounds } from '../part.ts';
import { makeTypical } from '../profiles/typical.ts';
import { type LocalShops, makeEdits, makeShop, openLocalShops, write } from './local-shops.ts';

const GROUPS = [1, 16, 256] as const;
const SHOP = 'shop_bench';

/** Records as writes make them: edits of one rule, from the log of a real shop. */
async function sampleRecords(shops: LocalShops, count: number): Promise<readonly NewRecord[]> {
  const shop = await makeShop(shops, SHOP, makeTypical());
  const nextEdit = makeEdits(shop);
  const first = shops.log.lastSequenceNumber(SHOP);
  await Promise.all(Array.from({ length: count }, () => write(shop, nextEdit())));
  return [...shops.log.read(SHOP, first)].map(({ atMs, event }) => ({ atMs, event }));
}

async function measureAppends(
  part: PartRun,
  shops: LocalShops,
  records: readonly NewRecord[],
  results: Rounds,
  round: number,
): Promise<void> {
  for (const group of GROUPS) {
    part.step(`append, groups of ${group} (round ${round})`);
    const shopId = `shop_append_${group}_${round}`;
    const appends = Math.max(1, Math.floor(records.length / group));
    const start = performance.now();
    for (let i = 0; i < appends; i++) {
      const batch = records.slice(i * group, (i + 1) * group);
      const result = await shops.log.append(shopId, i * group, batch);
      if (result.kind !== 'appended') throw new Error(`append: ${result.kind}`);
    }
    const ns = ((performance.now() - start) * 1e6) / (appends * group);
    const label = `append, flushed, groups of ${group}: each record`;
    if (round > 0) results.add(`store/event-log/append/${group}`, label, 'ns', ns);
  }
}

async function measureReads(part: PartRun, shops: LocalShops, results: Rounds, round: number): Promise<void> {
  part.step(`read and recover (round ${round})`);
  const { log } = shops;
  let records = 0;
  const start = performance.now();
  for (const { sequenceNumber } of log.read(SHOP, 0)) records = sequenceNumber;
  const read = ((performance.now() - start) * 1e6) / records;
  const from = performance.now();
  if ((await recoverShop(log, SHOP)) === null) throw new Error('the shop is gone');
  const recovered = performance.now() - from;
  const again = performance.now();
  const allRecords = {
    read: log.read.bind(log),
    latestCheckpoint: () => null,
    removedUpTo: () => 0,
  };
  if ((await recoverShop(allRecords, SHOP)) === null) {
    throw new Error('the shop is gone');
  }
  const replayed = ((performance.now() - again) * 1e6) / records;
  if (round === 0) return;
  results.add('store/event-log/read', 'read and check: each record', 'ns', read);
  results.add('store/event-log/replay', 'read, check and apply: each record', 'ns', replayed);
  results.add(
    'store/event-log/recover',
    `recover a shop of ${records.toLocaleString('en-US')} records`,
    'ms',
    recovered,
  );
}

export const eventLogPart: Part = {
  id: 'store/event-log',
  title: 'The log: appends, reading back, recovery',
  async run(part) {
    const { rounds, logRecords } = part.effort;
    const shops = openLocalShops(part.folders.make('log'));
    const results = new Rounds();
    try {
      part.step('making records');
      const records = await sampleRecords(shops, logRecords);
      for (let round = 0; round <= rounds; round++) {
        await measureAppends(part, shops, records, results, round);
        await measureReads(part, shops, results, round);
      }
    } finally {
      await shops.close();
    }
    results.recordTo(part);
    part.note(
      'Recovery begins at the newest checkpoint; "apply" is the same without one, from the first record.',
    );
  },
};
