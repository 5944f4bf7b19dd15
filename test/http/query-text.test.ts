import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodePathSegment, parseQuery } from '../../src/http/query-text.ts';

const valuesOf = (query: string, known: readonly string[]) => {
  const parsed = parseQuery(query, known);
  return parsed.ok ? parsed.value : parsed.message;
};

test('known parameters are decoded, unknown ones ignored', () => {
  assert.deepEqual(valuesOf('', ['a']), {});
  assert.deepEqual(valuesOf('a=1&b=2&&=&c', ['a', 'c']), { a: '1', c: '' });
  assert.deepEqual(valuesOf('a=b%20c+d%2B=e', ['a']), { a: 'b c d+=e' });
  assert.deepEqual(valuesOf('%61=%C3%A9', ['a']), { a: 'é' });
  assert.deepEqual(valuesOf('A=1', ['a']), {});
  assert.deepEqual(valuesOf('b=%ff&b=2&%ff=1', ['a']), {});
});

test('names that every object has are names like any other', () => {
  assert.deepEqual(valuesOf('__proto__=1&constructor=2', ['a']), {});
  assert.deepEqual(valuesOf('constructor=2', ['constructor']), { constructor: '2' });
});

test('the same value twice is one value, two values are refused', () => {
  assert.deepEqual(valuesOf('a=x&a=%78', ['a']), { a: 'x' });
  assert.match(String(valuesOf('a=x&a=y', ['a'])), /^query parameter a is given twice/);
  assert.match(String(valuesOf('a=x&%61=', ['a'])), /^query parameter a is given twice/);
});

test('what any encoder writes is read back', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.string({ unit: 'grapheme' })), (values) => {
      assert.deepEqual({ ...values }, valuesOf(new URLSearchParams(values).toString(), ['a', 'b', 'c']));
    }),
  );
});

test('no query makes it throw', () => {
  fc.assert(
    fc.property(fc.string(), (query) => {
      assert.notEqual(parseQuery(query, ['a']), undefined);
    }),
  );
});

test('a path segment is decoded, plus signs stay, bad encoding is null', () => {
  assert.equal(decodePathSegment('a%5Fb+c'), 'a_b+c');
  assert.equal(decodePathSegment('%zz'), null);
  assert.equal(decodePathSegment('%C3'), null);
});
