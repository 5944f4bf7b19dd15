/** Ranges of codes against a look at each of them: the narrowest has the code, of equal ones the first. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NO_OWNER } from '../../src/compile/owner-segments.ts';
import { buildPostalOwners } from '../support/built-postal-owners.ts';

const LENGTH_MAX = 3;

const range = fc
  .integer({ min: 1, max: LENGTH_MAX })
  .chain((length) => fc.tuple(fc.constant(length), fc.nat(10 ** length - 1), fc.nat(10 ** length - 1)))
  .map(([length, a, b]) => ({ length, from: Math.min(a, b), to: Math.max(a, b) }));

const written = (code: number, length: number): string => String(code).padStart(length, '0');

test('every code has the owner of the narrowest range of its length that holds it', () => {
  const property = fc.property(fc.array(range, { maxLength: 12 }), (ranges) => {
    const found = buildPostalOwners(
      ranges.map(({ length, from, to }) => ({
        postalCodes: `${written(from, length)}-${written(to, length)}`,
      })),
      'plain',
    );
    for (let length = 1; length <= LENGTH_MAX + 1; length++) {
      for (let code = 0; code < 10 ** length; code++) {
        let best = NO_OWNER;
        let width = Number.POSITIVE_INFINITY;
        for (const [owner, { length: ofLength, from, to }] of ranges.entries()) {
          if (ofLength !== length || code < from || code > to || to - from >= width) continue;
          best = owner;
          width = to - from;
        }
        if (found.find(written(code, length)) !== best) {
          assert.fail(`code ${written(code, length)} of length ${length}, expected ${best}`);
        }
      }
    }
    for (const text of ['', 'a', '1a', '-1', '1.', '٣']) assert.equal(found.find(text), NO_OWNER);
  });
  fc.assert(property, { numRuns: 100 });
});
