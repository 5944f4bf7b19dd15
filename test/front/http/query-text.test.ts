import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQuery } from '../../../src/front/http/query-text.ts';

const valuesOf = (query: string, known: readonly string[]) => {
  const parsed = parseQuery(query, known);
  return parsed.ok ? parsed.value : parsed.message;
};

test('known parameters are decoded', () => {
  assert.deepEqual(valuesOf('', ['a']), {});
  assert.deepEqual(valuesOf('a=1&&c&', ['a', 'c']), { a: '1', c: '' });
  assert.deepEqual(valuesOf('a=b%20c+d%2B=e', ['a']), { a: 'b c d+=e' });
  assert.deepEqual(valuesOf('%61=%C3%A9', ['a']), { a: 'é' });
});

test('an unknown parameter is refused by its name, with those that the route takes', () => {
  const refused = (name: string, takes: string) =>
    `query parameter ${name} is not accepted here: this route takes ${takes}`;
  assert.equal(valuesOf('b=2', ['a', 'c']), refused('b', 'a, c'));
  assert.equal(valuesOf('a=1&b', ['a']), refused('b', 'a'));
  assert.equal(valuesOf('b=%ff', ['a']), refused('b', 'a'));
  assert.equal(valuesOf('A=1', ['a']), refused('A', 'a'));
  assert.equal(valuesOf('dry%52un=1', []), refused('dryRun', 'none'));
  assert.equal(valuesOf('=1', ['a']), refused('""', 'a'));
  assert.equal(valuesOf('%ff=1', ['a']), 'query parameter %ff is not percent-encoded UTF-8');
});

test('a message repeats at most 64 printable characters of a name', () => {
  assert.match(String(valuesOf(`${'x'.repeat(3_000)}=1`, [])), /^query parameter x{64} is not/);
  assert.match(String(valuesOf('a%0D%0A%E2%80%AEb=1', [])), /^query parameter a\?\?\?b is not/);
});

test('names of built-in object properties are ordinary names', () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    assert.match(
      String(valuesOf(`${name}=1`, ['a'])),
      new RegExp(`^query parameter ${name} is not accepted`),
    );
  }
  assert.deepEqual(valuesOf('constructor=2', ['constructor']), { constructor: '2' });
});

test('the same value twice is one value, two values are refused', () => {
  assert.deepEqual(valuesOf('a=x&a=%78', ['a']), { a: 'x' });
  assert.match(String(valuesOf('a=x&a=y', ['a'])), /^query parameter a is given twice/);
  assert.match(String(valuesOf('a=x&%61=', ['a'])), /^query parameter a is given twice/);
});

test('the output of any encoder is read back', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.string({ unit: 'grapheme' })), (values) => {
      assert.deepEqual({ ...values }, valuesOf(new URLSearchParams(values).toString(), ['a', 'b', 'c']));
    }),
  );
});

test('no query makes the parser throw', () => {
  fc.assert(
    fc.property(fc.string(), (query) => {
      assert.notEqual(parseQuery(query, ['a']), undefined);
    }),
  );
});
