/** Ranges of codes against a scan: the narrowest range has the code, the first of equally narrow ranges. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NO_OWNER } from '../../../src/engine/compile/owner-segments.ts';
import { postalOwnersOf } from '../../../src/engine/compile/postal-owners.ts';

const LENGTH_MAX = 3;

const range = fc
  .integer({ min: 1, max: LENGTH_MAX })
  .chain((length) => fc.tuple(fc.constant(length), fc.nat(10 ** length - 1), fc.nat(10 ** length - 1)))
  .map(([length, a, b]) => ({ length, from: Math.min(a, b), to: Math.max(a, b) }));

const written = (code: number, length: number): string => String(code).padStart(length, '0');

type Range = typeof range extends fc.Arbitrary<infer T> ? T : never;

const built = (ranges: readonly Range[]) =>
  postalOwnersOf(
    ranges.map(({ length, from, to }) => ({
      postalCodes: `${written(from, length)}-${written(to, length)}`,
    })),
    'plain',
  );

/** Index of the narrowest range of that length that holds the code; of equally narrow ones the first. */
function ownerAmong(ranges: readonly Range[], code: number, length: number): number {
  let best = NO_OWNER;
  let width = Number.POSITIVE_INFINITY;
  for (const [owner, { length: ofLength, from, to }] of ranges.entries()) {
    if (ofLength !== length || code < from || code > to || to - from >= width) continue;
    best = owner;
    width = to - from;
  }
  return best;
}

test('every code has the owner of the narrowest range of its length that holds it', () => {
  const property = fc.property(fc.array(range, { maxLength: 12 }), (ranges) => {
    const found = built(ranges);
    for (let length = 1; length <= LENGTH_MAX + 1; length++) {
      for (let code = 0; code < 10 ** length; code++) {
        const best = ownerAmong(ranges, code, length);
        if (found.find(written(code, length)) !== best) {
          assert.fail(`code ${written(code, length)} of length ${length}, expected ${best}`);
        }
      }
    }
    for (const text of ['', 'a', '1a', '-1', '1.', '٣']) assert.equal(found.find(text), NO_OWNER);
  });
  fc.assert(property, { numRuns: 100 });
});

test('the owners of a range are the owners of its codes', () => {
  const property = fc.property(fc.array(range, { minLength: 1, maxLength: 12 }), (ranges) => {
    const found = built(ranges);
    for (const { length, from, to } of ranges) {
      const expected = new Set<number>();
      for (let code = from; code <= to; code++) expected.add(ownerAmong(ranges, code, length));
      const asked = { kind: 'range', from: written(from, length), to: written(to, length) } as const;
      assert.deepEqual(new Set(found.rangeOwners(asked)), expected);
    }
    const unknown = '0'.repeat(LENGTH_MAX + 1);
    assert.deepEqual([...found.rangeOwners({ kind: 'range', from: unknown, to: unknown })], []);
  });
  fc.assert(property, { numRuns: 100 });
});

test('the owners of districts and of beginnings are those of ranges of their kind', () => {
  const british = postalOwnersOf([{ postalCodes: 'IV1-IV9' }, { postalCodes: 'IV4-IV6' }], 'uk');
  const districts = { kind: 'districts', area: 'IV', from: '03', to: '05' } as const;
  assert.deepEqual(new Set(british.rangeOwners(districts)), new Set([0, 1]));
  assert.deepEqual([...british.rangeOwners({ ...districts, area: 'AB' })], []);
  const dutch = postalOwnersOf([{ postalCodes: '1000-1099' }, { postalCodes: '1050-1059' }], 'nl');
  const beginnings = { kind: 'beginnings', from: '1040', to: '1055' } as const;
  assert.deepEqual(new Set(dutch.rangeOwners(beginnings)), new Set([0, 1]));
});
