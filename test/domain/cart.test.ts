/** Tags in the text of an item. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { splitTags } from '../../src/domain/cart.ts';

it('tags are split at commas and trimmed, and blank tags are dropped', () => {
  assert.deepEqual(splitTags(' Fresh, ,COLD,,a b '), ['Fresh', 'COLD', 'a b']);
  const text = fc
    .array(fc.constantFrom('a', 'B', ',', ' ', '\t'), { maxLength: 12 })
    .map((each) => each.join(''));
  const property = fc.property(text, (tags) => {
    const expected = tags.split(',').map((tag) => tag.trim());
    assert.deepEqual(
      splitTags(tags),
      expected.filter((tag) => tag !== ''),
    );
  });
  fc.assert(property);
});
