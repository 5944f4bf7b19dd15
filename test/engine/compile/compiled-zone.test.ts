/** Zone records: each zone has the records of itself and of its subzones, in the order of the lists. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import { recordsByZone } from '../../../src/engine/compile/compiled-zone.ts';
import { blend, FLAT, method, SETTINGS, shop } from '../../support/small-shop.ts';

const ZONES = ['a', 'b', 'c'].map((id) => ({
  id,
  name: id,
  countries: [id.toUpperCase()],
  subzones: [{ id: `${id}1`, name: id, postalCodes: '1' }],
}));
/** The last method is in no zone, like a method of a removed subzone that is removed in the same write. */
const PLACES = ['a', 'a1', 'b', 'b1', 'c', 'c1', 'gone'];
const places = fc.array(fc.constantFrom(...PLACES), { maxLength: 60 });

test('each zone has the records bound to it or its subzones, in list order, and no others', () => {
  const property = fc.property(places, places, (ofMethods, ofBlends) => {
    const methods = ofMethods.map((zoneId, at) => method(`method_${at}`, FLAT(at), { zoneId }));
    const blendedRates = ofBlends.map((zoneId, at) => blend({ id: `blend_${at}`, zoneId }));
    const config = shop(methods, { zones: ZONES, blendedRates });
    const value = recordsByZone(config);
    assert.deepEqual(
      value,
      ZONES.map((zone) => ({
        zone,
        methods: methods.filter(({ zoneId }) => zoneId.startsWith(zone.id)),
        blendedRates: blendedRates.filter(({ zoneId }) => zoneId.startsWith(zone.id)),
      })),
    );
  });
  fc.assert(property, { numRuns: 100 });
});

test('an edit of one method keeps the compiled form of all other zones, also when it moves the method far', () => {
  const methods = Array.from({ length: 70 }, (_, at) =>
    method(`method_${at}`, FLAT(at), { zoneId: PLACES[at % 6] as string }),
  );
  const config = shop(methods, { zones: ZONES });
  const before = compileShop(config, SETTINGS);
  const zonesOf = (compiled: typeof before) => ['A', 'B', 'C'].map((country) => compiled.zoneOf(country));
  const [a, ...others] = zonesOf(before);
  const changes = [
    [...methods.slice(1), { ...(methods[0] as (typeof methods)[number]) }],
    methods.slice(1),
    [...methods, method('method_new', FLAT(1), { zoneId: 'a' })],
  ];
  for (const changed of changes) {
    const after = zonesOf(compileShop({ ...config, methods: changed }, SETTINGS, before));
    assert.notEqual(after[0], a);
    assert.deepEqual(
      after.slice(1).map((zone, at) => zone === others[at]),
      [true, true],
    );
  }
});

test('a preference for a group that there is not is one of no group', () => {
  const preferences = [{ productGroupId: 'group_gone', preferredMethodId: 'method_a' }];
  const blendedRates = [blend({ id: 'blend_a', zoneId: 'a', preferences })];
  const config = shop([method('method_a', FLAT(1), { zoneId: 'a' })], { zones: ZONES, blendedRates });
  const place = compileShop(config, SETTINGS).placeOf({ country: 'A' });
  assert.deepEqual([...(place?.plan.blends[0]?.preferred ?? [])], [[-1, 'method_a']]);
});
