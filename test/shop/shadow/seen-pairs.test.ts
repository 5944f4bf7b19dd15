/** Pairs of zone and group, compared with a plain set. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PAIRS_MAX, SeenPairs } from '../../../src/shop/shadow/seen-pairs.ts';

const ZONES = ['z0', 'z1', 'z2', 'z3'];
const GROUPS = Array.from({ length: 20 }, (_, at) => `g${at}`);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      zone: fc.constantFrom(...ZONES),
      groups: fc.subarray(GROUPS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('keepOnly' as const),
      zones: fc.subarray(ZONES),
      groups: fc.subarray(GROUPS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('store' as const) }) },
);

test('a pair stays until its zone or group is removed, also after it was stored and read', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let pairs = new SeenPairs();
      let plain = new Set<string>();
      for (const one of steps) {
        if (one.kind === 'add') {
          pairs.add(one.zone, one.groups);
          for (const group of one.groups) plain.add(`${one.zone} ${group}`);
        } else if (one.kind === 'store') pairs = new SeenPairs(JSON.parse(JSON.stringify(pairs.stored())));
        else {
          pairs.keepOnly(new Set(one.zones), new Set(one.groups));
          const kept = one.zones.flatMap((zone) => one.groups.map((group) => `${zone} ${group}`));
          plain = new Set(kept.filter((pair) => plain.has(pair)));
        }
        const seen = ZONES.flatMap((zone) => [...pairs.in(zone)].map((group) => `${zone} ${group}`));
        assert.deepEqual(seen.sort(), [...plain].sort());
      }
    }),
  );
});

test('beyond the limit no pair is kept, until others are removed', () => {
  const groups = Array.from({ length: PAIRS_MAX - 1 }, (_, at) => `g${at}`);
  const pairs = new SeenPairs();
  pairs.add('z0', groups);
  pairs.add('z1', ['g0', 'g1', 'g2']);
  assert.deepEqual([pairs.in('z0').size, [...pairs.in('z1')]], [PAIRS_MAX - 1, ['g0']]);
  pairs.keepOnly(new Set(['z1']), new Set(groups));
  pairs.add('z1', ['g1', 'g2']);
  assert.deepEqual([...pairs.in('z1')], ['g0', 'g1', 'g2']);
});
