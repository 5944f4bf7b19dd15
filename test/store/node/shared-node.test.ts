/** The metrics and warnings of a node. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../../../src/base/metrics/metrics.ts';
import type { Beat } from '../../../src/store/log/authority.ts';
import { FakeAuthority } from '../../support/fake-authority.ts';
import { FakeDatabase } from '../../support/fake-database.ts';
import { newLogFolder } from '../log/lmdb/log-folder.ts';
import { settingsRecord } from '../log/sample-records.ts';
import { nodeOn } from './mirrored-log-stage.ts';

test('a clock that differs from that of the database by more than 5 s is measured, and logged once', async () => {
  let aheadMs = 0;
  let beats = 0;
  class OtherClock extends FakeAuthority {
    override async beat(): Promise<Beat | null> {
      const beat = await super.beat();
      beats++;
      return beat === null ? null : { ...beat, wallMs: Date.now() - aheadMs };
    }
  }
  const lines: string[] = [];
  const logger = {
    error: assert.fail,
    info: () => {},
    warn: (event: string, fields = {}) => lines.push(`${event} ${Object.keys(fields).join()}`),
  };
  const node = nodeOn({ folder: newLogFolder(), authority: new OtherClock(new FakeDatabase()) }, logger);
  const metrics = createMetrics();
  node.meterIn(metrics);
  const shops = { peek: () => undefined, refresh: async () => {}, drop: async () => {} };
  await node.start({ shops, keys: { forgetShop: () => {}, forgetAll: () => {} } });
  const beatsMore = async (count: number) => {
    for (const upTo = beats + count; beats < upTo; ) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await beatsMore(2);
  assert.deepEqual(lines, []);
  for (const [offMs, said] of [
    [60_000, 1],
    [0, 1],
    [-60_000, 2],
  ] as const) {
    aheadMs = offMs;
    await beatsMore(3);
    assert.deepEqual(lines, new Array(said).fill('clock.off aheadMs'));
    const offset = Math.round(metrics.values.cluster_clock_offset_seconds);
    assert.equal(offset, Math.abs(offMs) / 1_000);
  }
  await node.stop();
});

test('shops are listed in pages without the deleted ones, and a deleted shop leaves the node at once', async () => {
  const authority = new FakeAuthority(new FakeDatabase());
  const node = nodeOn({ folder: newLogFolder(), authority });
  const left: string[] = [];
  const shops = {
    peek: () => undefined,
    refresh: async () => {},
    drop: async (shopId: string) => void left.push(shopId),
  };
  await node.start({ shops, keys: { forgetShop: () => {}, forgetAll: () => {} } });
  for (const shopId of ['shop_a', 'shop_b', 'shop_c'])
    assert.equal((await node.log.append(shopId, 0, [settingsRecord(shopId)])).kind, 'appended');
  assert.deepEqual(await node.shopIdsAfter('', 2), ['shop_a', 'shop_b']);
  assert.equal(await node.deleteShop('shop_b'), 'deleted');
  assert.deepEqual(left, ['shop_b']);
  assert.equal(node.log.lastSequenceNumber('shop_b'), 0);
  assert.deepEqual(await node.shopIdsAfter('shop_a', 2), ['shop_c']);
  assert.equal(await node.deleteShop('shop_b'), 'deleted');
  assert.equal(await node.deleteShop('shop_none'), 'unknown');
  await node.stop();
});
