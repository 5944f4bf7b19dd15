/** The results of a changeset over several nodes: each stores its own, and the one that is asked adds them up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlacedConfig } from '../../src/domain/shop-event.ts';
import { finishSteps, NEVER } from '../../src/pace/work-steps.ts';
import { SeenPairs } from '../../src/shadow/seen-pairs.ts';
import type { SeenPair } from '../../src/shadow/shadow-batch.ts';
import { ShadowTally } from '../../src/shadow/shadow-tally.ts';
import { SAMPLES_MAX } from '../../src/wire/shadow-results.ts';

const [SHOP, STAGING] = ['shop_a', 'staging_a'];
const CONFIG = {
  zones: ['z1', 'z2'].map((id) => ({ id, name: id, countries: [], subzones: [] })),
  productGroups: ['g1', 'g2'].map((id) => ({ id, name: id })),
  methods: [{ id: 'm1', name: 'm1' }],
} as unknown as PlacedConfig;

function pairsOf(...pairs: readonly SeenPair[]) {
  const seen = new SeenPairs();
  for (const pair of pairs) seen.add(pair);
  return seen.stored();
}

interface Stored {
  readonly stagingId?: string;
  readonly evaluated: number;
  readonly writes: number;
  readonly pair: SeenPair;
  readonly sampleTimes: readonly string[];
}

/** What a node stored: half of its carts differ, and all of them touched one pair. */
const stored = ({ stagingId = STAGING, evaluated, writes, pair, sampleTimes }: Stored): string => {
  const half = evaluated / 2;
  return JSON.stringify({
    format: 1,
    stagingId,
    counts: { evaluated, identical: half, different: half, dropped: 1, lost: 2, gained: 0, replayed: 0 },
    pairs: pairsOf(pair),
    methods: [],
    zones: [[pair[0], { evaluated, different: half, cents: -5 }]],
    groups: [],
    sinceEdit: { writes, evaluated, different: half, lost: 2, pairs: pairsOf(pair) },
    samples: sampleTimes.map((at) => ({ at, request: null })),
  });
};

const tallyOf = (text: string): ShadowTally =>
  ShadowTally.read(text, SHOP, STAGING) ?? assert.fail('another changeset');

const at = (second: number): string => new Date(second * 1_000).toISOString();

const ours = stored({ evaluated: 4, writes: 3, pair: ['z1', 'g1'], sampleTimes: [at(1), at(4)] });
const theirs = stored({ evaluated: 10, writes: 3, pair: ['z2', 'g2'], sampleTimes: [at(2), at(3), at(5)] });

test('counts, sums and pairs of all nodes add up, and samples are in the order of their times', () => {
  const sum = tallyOf(ours).plus([theirs, theirs]);
  const view = finishSteps(sum.viewSteps(CONFIG, CONFIG, NEVER));
  assert.deepEqual([view.evaluated, view.identical, view.different], [24, 12, 12]);
  assert.deepEqual([view.dropped, view.lost], [3, 6]);
  assert.equal(view.byZone['z2']?.evaluated, 20);
  assert.equal(view.coverage.seen, 2);
  const times = view.samples.map((sample) => sample.at);
  assert.deepEqual(times, times.toSorted().reverse());
  assert.equal(times.length, 8);
});

test('since the last staged write those count that were evaluated after the same write', () => {
  const earlier = stored({ evaluated: 100, writes: 2, pair: ['z1', 'g2'], sampleTimes: [] });
  const since = finishSteps(tallyOf(ours).plus([theirs, earlier]).editSteps(CONFIG, NEVER));
  assert.deepEqual([since.evaluated, since.different, since.lost], [14, 7, 4]);
  assert.deepEqual([since.writes, since.coverage.seen], [3, 2]);
  assert.deepEqual(
    since.samples.map((sample) => sample.at),
    [5, 4, 3, 2, 1].map(at),
  );
});

test('results of another changeset are left out, and the own results stay as they are', () => {
  const tally = tallyOf(ours);
  const other = stored({
    stagingId: 'staging_b',
    evaluated: 8,
    writes: 3,
    pair: ['z1', 'g1'],
    sampleTimes: [],
  });
  assert.equal(tally.plus([other]), tally);
  tally.plus([theirs]);
  assert.equal(finishSteps(tally.viewSteps(CONFIG, CONFIG, NEVER)).evaluated, 4);
});

test('of all samples the newest are kept', () => {
  const many = (first: number) => Array.from({ length: SAMPLES_MAX }, (_, index) => at(first + 2 * index));
  const part = (first: number) =>
    stored({ evaluated: 400, writes: 3, pair: ['z1', 'g1'], sampleTimes: many(first) });
  const { samples } = finishSteps(
    tallyOf(part(1))
      .plus([part(2)])
      .viewSteps(CONFIG, CONFIG, NEVER),
  );
  assert.equal(samples.length, SAMPLES_MAX);
  assert.deepEqual([samples[0]?.at, samples.at(-1)?.at], [at(2 * SAMPLES_MAX), at(SAMPLES_MAX + 1)]);
});
