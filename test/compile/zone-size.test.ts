/** The size of a zone after edits, counted from what it was before, is that of a zone counted from nothing. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { type ZoneSize, zoneSizeSteps } from '../../src/compile/zone-size.ts';
import { finishSteps, NEVER } from '../../src/pace/work-steps.ts';
import { shopCase } from '../support/shop-arbitraries.ts';

const sizeOf = (records: Parameters<typeof zoneSizeSteps>[0], before?: ZoneSize): ZoneSize =>
  finishSteps(zoneSizeSteps(records, before, NEVER));

it('an edit of some methods changes the size of their zone by theirs', () => {
  const shops = fc.tuple(shopCase(1), shopCase(1), fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 8 }));
  const property = fc.property(shops, ([{ config }, other, edits]) => {
    const [zone] = config.zones;
    if (zone === undefined) return;
    const groupIds = config.productGroups.map(({ id }) => id);
    let methods = config.methods.filter(
      ({ zoneId }) => zoneId === zone.id || zone.subzones.some(({ id }) => id === zoneId),
    );
    let size = sizeOf({ zone, methods });
    for (const [at, which] of edits) {
      const start = at % (methods.length + 1);
      const inserted = other.config.methods
        .slice(0, which % 3)
        .map((method) => ({ ...method, zoneId: zone.id }));
      methods = methods.toSpliced(start, which % 2, ...inserted);
      size = sizeOf({ zone, methods }, size);
      const counted = sizeOf({ zone, methods });
      assert.deepEqual(size.most, counted.most);
      for (const id of groupIds) assert.deepEqual(size.mostOf([id]), counted.mostOf([id]));
      assert.ok(size.isOf({ methods }) && !size.isOf({ methods: [...methods] }));
    }
  });
  fc.assert(property, { numRuns: 100 });
});
