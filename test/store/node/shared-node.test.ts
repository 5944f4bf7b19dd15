/** The metrics and warnings of a node. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../../../src/base/metrics/metrics.ts';
import type { Beat } from '../../../src/store/log/authority.ts';
import { FakeAuthority } from '../../support/fake-authority.ts';
import { FakeDatabase } from '../../support/fake-database.ts';
import { newLogFolder } from '../log/lmdb/log-folder.ts';
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
