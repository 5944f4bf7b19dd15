/** Pairs as rows of bits, compared with a plain set. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SeenPairs } from '../../src/shadow/seen-pairs.ts';

const ZONES = ['z0', 'z1', 'z2', 'z3'];
const GROUPS = Array.from({ length: 20 }, (_, at) => `g${at}`);

const onePair = fc.tuple(fc.constantFrom(...ZONES), fc.constantFrom(...GROUPS));

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), pair: onePair }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('addAll' as const),
      pairs: fc.array(onePair, { maxLength: 60 }),
      groups: fc.subarray(GROUPS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('restrict' as const),
      zones: fc.subarray(ZONES),
      groups: fc.subarray(GROUPS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('store' as const) }) },
);

function checkSame(pairs: SeenPairs, plain: ReadonlySet<string>, groups: readonly string[]): void {
  const mask = pairs.maskOf(groups);
  for (const zone of ZONES) {
    const seen = groups.filter((group) => plain.has(`${zone} ${group}`));
    assert.deepEqual(
      groups.filter((group) => pairs.has(zone, group)),
      seen,
    );
    assert.equal(pairs.countIn(zone, mask), seen.length);
  }
}

test('a pair stays until its zone or group is removed, also after it was stored, read or merged', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.subarray(GROUPS), (steps, asked) => {
      let pairs = new SeenPairs();
      let plain = new Set<string>();
      for (const one of steps) {
        if (one.kind === 'add') {
          pairs.add(one.pair);
          plain.add(one.pair.join(' '));
        } else if (one.kind === 'addAll') {
          // The other set has given the groups bits of its own, and some of them are free again.
          const other = new SeenPairs();
          for (const pair of one.pairs) other.add(pair);
          pairs.addAll(other.restrictedTo(ZONES, one.groups));
          for (const pair of one.pairs) if (one.groups.includes(pair[1])) plain.add(pair.join(' '));
        } else if (one.kind === 'store') {
          pairs = SeenPairs.of(JSON.parse(JSON.stringify(pairs.stored())));
        } else {
          const [before, were] = [pairs, plain];
          const { zones, groups } = one;
          pairs = pairs.restrictedTo(zones, groups);
          plain = new Set(
            zones
              .flatMap((zone) => groups.map((group) => `${zone} ${group}`))
              .filter((pair) => were.has(pair)),
          );
          assert.ok(pairs.size <= zones.length + groups.length);
          checkSame(before, were, GROUPS);
        }
      }
      checkSame(pairs, plain, GROUPS);
      checkSame(pairs, plain, asked);
      assert.ok(pairs.stored().groups.length <= GROUPS.length, 'free bits are reused');
    }),
    { numRuns: 500 },
  );
});
