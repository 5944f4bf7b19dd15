import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceCodes } from '../../../src/engine/change/service-code.ts';
import { Name, ServiceCode, slugOf } from '../../../src/engine/domain/text.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';

test('a slug is lower case with one hyphen between words', () => {
  const slugs = [
    ['Standard Shipping', 'standard-shipping'],
    ['  2-3 Days (Economy)!  ', '2-3-days-economy'],
    ['Über Nacht', 'uber-nacht'],
    ['Ça va — café', 'ca-va-cafe'],
    ['特快 24h', '特快-24h'],
    ['が', 'が'],
    ['***', ''],
  ] as const;
  for (const [name, slug] of slugs) assert.equal(slugOf(name, 60), slug);
});

test('every name gives a valid code, and no two in a zone are the same', () => {
  const nameCheck = compileSchema(Name);
  const codeCheck = compileSchema(ServiceCode);
  const name = fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
      fc.constantFrom('a', 'a 2', 'A', '-', 'x'.repeat(200)),
    )
    .filter((text) => nameCheck.check(text));
  fc.assert(
    fc.property(
      fc.array(name, { maxLength: 30 }),
      fc.array(fc.constantFrom('a', 'a-2', 'a-3')),
      (names, given) => {
        const codes = new ServiceCodes();
        for (const code of given) codes.reserve('zone', code);
        const claimed = names.map((text) => codes.claim('zone', text, 'method'));
        for (const code of claimed) assert.ok(codeCheck.check(code), code);
        assert.equal(new Set([...claimed, ...given]).size, names.length + new Set(given).size);
      },
    ),
    { numRuns: 300 },
  );
});

test('codes of equal names are numbered from 2 and skip codes in use', () => {
  const codes = new ServiceCodes();
  codes.reserve('zone', 'express-3');
  const claim = () => codes.claim('zone', 'Express', 'method');
  assert.deepEqual([claim(), claim(), claim(), claim()], ['express', 'express-2', 'express-4', 'express-5']);
  assert.equal(codes.claim('other zone', 'Express', 'method'), 'express');
});

test('a name without letter or digit gets the name of its kind', () => {
  const codes = new ServiceCodes();
  const claim = (name: string) => codes.claim('zone', name, 'blended-rate');
  assert.deepEqual([claim('!'), claim('?')], ['blended-rate', 'blended-rate-2']);
});
