import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FIRST_PAGE, linkTo, parsePlace } from '../../../src/front/console/place.ts';

test('a link leads to the place that made it, whatever its parameters hold', () => {
  const name = fc.stringMatching(/^[a-z]{1,8}$/);
  const text = fc.string({ minLength: 1, unit: 'binary' });
  fc.assert(
    fc.property(name, fc.dictionary(name, text, { noNullPrototype: true }), (page, parameters) => {
      assert.deepEqual(parsePlace(linkTo(page, parameters)), { page, parameters });
    }),
    { numRuns: 200 },
  );
});

test('an empty parameter is left out, and a fragment that names no page leads to the first', () => {
  assert.equal(linkTo('tester', { cart: '', at: '' }), '#/tester');
  for (const fragment of ['', '#', '#/', '#Section 3']) {
    assert.deepEqual(parsePlace(fragment), { page: FIRST_PAGE, parameters: {} });
  }
});
