/** Zone records after a change of the lists: the same as found afresh, and shared wherever nothing changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type RecordsByZone, recordsByZoneSteps } from '../../src/compile/zone-records.ts';
import type { ShippingMethod } from '../../src/domain/shipping-method.ts';
import type { ShopConfig } from '../../src/domain/shop-config.ts';
import { finishSteps, NEVER } from '../../src/pace/work-steps.ts';

const ZONES = ['a', 'b', 'c'].map((id) => ({
  id,
  name: id,
  countries: [],
  subzones: [{ id: `${id}1`, name: id, postalCodes: '1' }],
}));
/** The last is in no zone, as where a method of a subzone is still to be removed with it. */
const PLACES = [
  ...ZONES.flatMap(({ id, subzones }) => [id, ...subzones.map((subzone) => subzone.id)]),
  'gone',
];

let made = 0;
const methodIn = (zoneId: string): ShippingMethod => ({
  id: `method_${made++}`,
  name: 'M',
  subtitle: '',
  serviceCode: 'm',
  zoneId,
  productGroupId: 'group',
  rateType: 'free',
  config: {},
  enabled: true,
  freeShippingThreshold: null,
  rules: [],
});

const recordsOf = (config: ShopConfig, before?: RecordsByZone): RecordsByZone =>
  finishSteps(recordsByZoneSteps(config, before, NEVER));

const configOf = (methods: readonly ShippingMethod[]): ShopConfig => ({
  zones: ZONES,
  productGroups: [],
  methods,
  blendedRates: [],
});

interface Edit {
  readonly kind: 'insert' | 'import' | 'delete' | 'replace' | 'move' | 'shuffle' | 'none';
  readonly at: number;
  readonly to: number;
  readonly zoneId: string;
}

function edited(methods: readonly ShippingMethod[], { kind, at, to, zoneId }: Edit): ShippingMethod[] {
  const index = Math.min(at, methods.length - 1);
  const method = methods[index];
  if (kind === 'insert' || method === undefined) return methods.toSpliced(at, 0, methodIn(zoneId));
  switch (kind) {
    case 'import':
      return methods.toSpliced(index, 0, ...Array.from({ length: 300 }, () => methodIn(zoneId)));
    case 'delete':
      return methods.toSpliced(index, 1);
    case 'replace':
      return methods.with(index, { ...method, zoneId });
    case 'move':
      return methods.toSpliced(index, 1).toSpliced(to, 0, { ...method });
    case 'shuffle':
      return methods.toReversed();
    case 'none':
      return [...methods];
  }
}

const edits = fc.array(
  fc.record({
    kind: fc.constantFrom<Edit['kind']>('insert', 'import', 'delete', 'replace', 'move', 'shuffle', 'none'),
    at: fc.nat(700),
    to: fc.nat(700),
    zoneId: fc.constantFrom(...PLACES),
  }),
  { maxLength: 8 },
);

test('after any edits of a list each zone has the records that it has when all are looked at', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PLACES), { maxLength: 700, size: 'max' }),
      edits,
      (places, all) => {
        let methods: ShippingMethod[] = places.map(methodIn);
        let records = recordsOf(configOf(methods));
        for (const edit of all) {
          const before = records;
          methods = edited(methods, edit);
          records = recordsOf(configOf(methods), before);
          const afresh = recordsOf(configOf(methods));
          for (const [index, { zone, methods: found }] of records.all.entries()) {
            assert.equal(zone, ZONES[index]);
            const expected = afresh.all[index]?.methods ?? [];
            assert.ok(
              found.length === expected.length && found.every((method, at) => method === expected[at]),
            );
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('an edit of one method leaves the lists of every other zone as they are, also when it moves far', () => {
  const methods = Array.from({ length: 2_000 }, (_, at) => methodIn(PLACES[at % PLACES.length] ?? 'a'));
  const records = recordsOf(configOf(methods));
  const first = methods[0];
  assert.ok(first !== undefined);
  const moved = [...methods.slice(1), { ...first }];
  const changes = [moved, methods.with(0, { ...first }), methods.slice(1), [...methods, methodIn('a')]];
  for (const changed of changes) {
    const after = recordsOf(configOf(changed), records);
    assert.notEqual(after.all[0], records.all[0]);
    assert.equal(after.all[1], records.all[1]);
    assert.equal(after.all[2], records.all[2]);
  }
});
