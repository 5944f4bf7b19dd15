import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isJsonType, parseJsonBody } from '../../../../src/front/http/body/json-body.ts';

test('every JSON value is read as it was written', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      const parsed = parseJsonBody(Buffer.from(text));
      assert.deepEqual(parsed, { ok: true, value: JSON.parse(text) });
    }),
  );
});

test('arbitrary bytes are read or refused, without a throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const parsed = parseJsonBody(Buffer.from(bytes));
      assert.ok(parsed.ok || parsed.code === 'VALIDATION_ERROR');
      if (parsed.ok) return;
      assert.match(parsed.message, /^the body (?:is empty|is not valid (?:JSON|UTF-8)|must not begin)/);
    }),
  );
});

test('names that every object has become fields, not prototypes', () => {
  const parsed = parseJsonBody(Buffer.from('{"__proto__":{"admin":true}}'));
  assert.ok(parsed.ok);
  const { value } = parsed;
  assert.equal((value as { admin?: boolean }).admin, undefined);
  assert.deepEqual(Object.keys(value as object), ['__proto__']);
});

test('a content type with a very long list of parameters is checked in linear time', () => {
  assert.equal(isJsonType(`application/json${'; a=b'.repeat(500)}`), true);
  assert.equal(isJsonType(`application/json${' '.repeat(4_000)}x`), false);
  assert.equal(isJsonType(`application/json;${'\\"'.repeat(2_000)}`), false);
  assert.equal(isJsonType(`application/json; a="${'\\"'.repeat(2_000)}`), false);
  assert.equal(isJsonType('application/json; charset=utf-8; charset=latin1'), false);
});
