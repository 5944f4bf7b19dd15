/** The simulations of a replica on their way: all of them arrive or are counted, under the record they are of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOfTexts } from '../../src/bytes/text-bytes.ts';
import type { ShopState } from '../../src/domain/shop-event.ts';
import { SimulationOutbox } from '../../src/replica/simulation-outbox.ts';
import type { SimulationBatch } from '../../src/shadow/live-shadow.ts';
import { mergeRecent } from '../../src/shadow/recent-simulations.ts';
import { createShop, openStage } from '../actor/shop-stage.ts';

async function states(): Promise<{ plain: ShopState; staged: (id: string) => ShopState }> {
  const { state } = await createShop(openStage());
  const staged = (id: string): ShopState => ({
    ...state,
    staging: {
      id,
      config: state.config,
      enteredAt: state.version.createdAt,
      baseVersionId: '',
      writes: [],
    } as never,
  });
  return { plain: state, staged };
}

const LIMITS = { replayBytesMax: 1_000_000, shadowQueueMax: 100, shadowQueueBytesMax: 10_000 };

test('each simulation while a changeset is active is handed over or counted as dropped, once', async () => {
  const { plain, staged } = await states();
  const step = fc.oneof(
    {
      weight: 10,
      arbitrary: fc.record({ kind: fc.constant('simulate'), size: fc.integer({ min: 1, max: 400 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('publish', 'end', 'taken', 'flush'), size: fc.nat(3) }),
    },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const batches: SimulationBatch[] = [];
      const outbox = new SimulationOutbox(
        LIMITS,
        () => 0,
        (batch) => batches.push(batch),
      );
      let sequenceNumber = 1;
      let stagingId: string | null = 'staging_0';
      const watch = outbox.open(staged('staging_0'), sequenceNumber);
      const expected = new Map<string, number>();
      let taken = 0;
      let waiting = 0;
      for (const { kind, size } of steps) {
        if (kind === 'simulate') {
          watch.simulated('x'.repeat(size), 0);
          const place = `${stagingId} ${sequenceNumber}`;
          if (stagingId !== null) expected.set(place, (expected.get(place) ?? 0) + 1);
        } else if (kind === 'flush') outbox.flush();
        else if (kind === 'taken') {
          for (const { texts } of batches.slice(taken)) {
            outbox.taken(texts.length, bytesOfTexts(texts));
          }
          taken = batches.length;
        } else {
          stagingId = kind === 'end' ? null : `staging_${size}`;
          watch.published(stagingId === null ? plain : staged(stagingId), ++sequenceNumber);
        }
        waiting = batches.slice(taken).reduce((sum, { texts }) => sum + texts.length, 0);
        assert.ok(waiting <= LIMITS.shadowQueueMax);
      }
      watch.closed();
      const told = new Map<string, number>();
      for (const { stagingId: id, sequenceNumber: at, texts, times, dropped } of batches) {
        assert.equal(texts.length, times.length);
        const place = `${id} ${at}`;
        told.set(place, (told.get(place) ?? 0) + texts.length + dropped);
      }
      assert.deepEqual(told, expected);
    }),
  );
});

test('the newest of what several threads keep are those of a replay, in the order in which they came', () => {
  const kept = (from: number, count: number, step: number) =>
    Array.from({ length: count }, (_, n) => ({
      text: `${from + n * step}`,
      nowMs: 0,
      answeredMs: from + n * step,
    }));
  const merged = mergeRecent(kept(0, 200, 2), kept(101, 200, 2));
  assert.equal(merged.length, 200);
  assert.equal(merged.at(-1)?.answeredMs, 499);
  const times = merged.map(({ answeredMs }) => answeredMs ?? 0);
  assert.deepEqual(
    times,
    [...times].sort((a, b) => a - b),
  );
});
