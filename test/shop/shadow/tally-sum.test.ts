/** The results of a changeset over several nodes: each stores its own, and the one that is asked adds them up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlacedConfig } from '../../../src/engine/domain/shop-event.ts';
import { EVIDENCE_MAX } from '../../../src/engine/wire/gate-report.ts';
import { SAMPLES_MAX, type ShadowSample } from '../../../src/engine/wire/shadow-results.ts';
import type { CartComparison } from '../../../src/shop/shadow/cart-comparer.ts';
import { ShadowTally } from '../../../src/shop/shadow/shadow-tally.ts';

const [SHOP, STAGING] = ['shop_a', 'staging_a'];
const CONFIG = {
  zones: ['z1', 'z2'].map((id) => ({ id, name: id, countries: [], subzones: [] })),
  productGroups: ['g1', 'g2'].map((id) => ({ id, name: id })),
  methods: [{ id: 'm1', name: 'm1' }],
} as unknown as PlacedConfig;

const at = (second: number): string => new Date(second * 1_000).toISOString();

/** A cart that lost its rates at this second; null for one without a difference. */
const compared = (zoneId: string, groupId: string, second: number | null): CartComparison => ({
  ...{ zoneId, groupIds: [groupId], isPlaced: true, moves: [{ methodId: 'm1', before: 5, after: null }] },
  differenceCents: second === null ? 0 : -5,
  difference: second === null ? null : { isLost: true, isGained: false, sample: () => lostAt(second) },
});

const lostAt = (second: number): ShadowSample =>
  ({ at: at(second), live: [{}], staged: [], request: null }) as unknown as ShadowSample;

interface Counted {
  readonly stagingId?: string;
  readonly writes?: number;
  readonly pair: readonly [zoneId: string, groupId: string];
  /** One second for each cart, or null for a cart without a difference. */
  readonly seconds: readonly (number | null)[];
}

function tallyOf({ stagingId = STAGING, writes = 3, pair, seconds }: Counted): ShadowTally {
  const tally = new ShadowTally(SHOP, stagingId);
  tally.edited(writes);
  for (const second of seconds) tally.add(compared(...pair, second), writes);
  tally.drop();
  tally.addReplay({ evaluated: 2, different: 1, lost: 1, gained: 0, samples: [] });
  return tally;
}

const ours = { pair: ['z1', 'g1'], seconds: [1, null, 4, null] } as const;
const theirs = { pair: ['z2', 'g2'], seconds: [2, 3, 5, null, null, null] } as const;

test('counts, sums and pairs of all nodes add up, and samples are in the order of their times', () => {
  const text = tallyOf(theirs).text();
  const view = tallyOf(ours).plus([text, text]).view(CONFIG, CONFIG);
  assert.deepEqual([view.simulations, view.evaluated, view.identical, view.different], [19, 16, 8, 8]);
  assert.deepEqual([view.dropped, view.lost], [3, 8]);
  assert.deepEqual(view.replayed, { runs: 3, evaluated: 6, different: 3, lost: 3, gained: 0 });
  assert.deepEqual(view.byZone['z2'], { name: 'z2', evaluated: 12, different: 6, differenceCents: -30 });
  assert.equal(view.byMethod['m1']?.disappeared, 16);
  assert.equal(view.coverage.seen, 2);
  const times = view.samples.map((sample) => sample.at);
  assert.deepEqual(times, [5, 5, 4, 3, 3, 2, 2, 1].map(at));
});

test('since the last staged write those count that were evaluated after the same write', () => {
  const earlier = tallyOf({ writes: 2, pair: ['z1', 'g2'], seconds: [7, 8] }).text();
  const since = tallyOf(ours)
    .plus([tallyOf(theirs).text(), earlier])
    .sinceEdit(CONFIG);
  assert.deepEqual([since.evaluated, since.different, since.lost], [10, 5, 5]);
  assert.deepEqual([since.writes, since.coverage.seen], [3, 2]);
  assert.deepEqual(
    since.lostSamples.map((sample) => sample.at),
    [5, 4, 3, 2, 1].map(at),
  );
});

test('results of another changeset are left out, and the own results stay as they are', () => {
  const tally = tallyOf(ours);
  assert.equal(tally.plus([tallyOf({ ...theirs, stagingId: 'staging_b' }).text()]), tally);
  const before = tally.text();
  tally.plus([tallyOf(theirs).text()]);
  assert.equal(tally.text(), before);
});

test('of all samples the newest are kept', () => {
  const many = (first: number) => Array.from({ length: SAMPLES_MAX }, (_, index) => first + 2 * index);
  const part = (first: number) => tallyOf({ pair: ['z1', 'g1'], seconds: many(first) });
  const sum = part(1).plus([part(2).text()]);
  const { samples } = sum.view(CONFIG, CONFIG);
  assert.equal(samples.length, SAMPLES_MAX);
  assert.deepEqual([samples[0]?.at, samples.at(-1)?.at], [at(2 * SAMPLES_MAX), at(SAMPLES_MAX + 1)]);
  const { lostSamples } = sum.sinceEdit(CONFIG);
  assert.deepEqual([lostSamples.length, lostSamples[0]?.at], [EVIDENCE_MAX, at(2 * SAMPLES_MAX)]);
});
