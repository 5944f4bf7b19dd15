import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BodyParts } from '../../../src/http/body/body-parts.ts';
import { isJsonType, parseJsonBody } from '../../../src/http/body/json-body.ts';

const asPart = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

test('a body in parts is the body, however it is cut and whether or not its length was told', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), fc.boolean(), (parts, isDeclared) => {
      const whole = Buffer.concat(parts);
      const body = new BodyParts(whole.length, isDeclared ? whole.length : null);
      for (const part of parts) {
        const handed = asPart(part);
        assert.equal(body.add(handed), true);
        // The library takes its memory back.
        new Uint8Array(handed).fill(0);
      }
      assert.deepEqual(Buffer.from(body.bytes()), whole);
    }),
  );
});

test('memory that is had ahead changes nothing, and is never more than was told to come', () => {
  const [piece, length] = [100_000, 3_000_000];
  const whole = Buffer.from(Array.from({ length }, (_, at) => at % 251));
  for (const before of [0, 1, 7, 30]) {
    const body = new BodyParts(length, length);
    let steps = 0;
    for (let at = 0; at < length; at += piece) {
      if (at === before * piece) while (body.prepare()) steps++;
      assert.equal(body.add(asPart(whole.subarray(at, at + piece))), true);
    }
    assert.ok(steps <= Math.ceil(length / 1_048_576) && (steps > 0 || before === 30), `${steps} pieces`);
    assert.equal(body.prepare(), false);
    assert.ok(body.bytes().equals(whole));
  }
  assert.equal(new BodyParts(length, null).prepare(), false);
});

test('a part that passes the limit is refused, and so is all that follows', () => {
  const body = new BodyParts(10, null);
  assert.equal(body.add(new ArrayBuffer(10)), true);
  assert.equal(body.add(new ArrayBuffer(1)), false);
  assert.equal(body.add(new ArrayBuffer(1)), false);
  assert.equal(body.bytes().length, 0);
});

test('a body that is shorter than it was told to be is as long as it is', () => {
  const body = new BodyParts(100, 50);
  body.add(asPart(Buffer.from('abc')));
  assert.equal(body.bytes().toString(), 'abc');
});

test('every JSON value is read as it was written', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      const parsed = parseJsonBody(Buffer.from(text));
      assert.deepEqual(parsed, { ok: true, value: JSON.parse(text) });
    }),
  );
});

test('bytes of any kind are read or refused, never thrown at', () => {
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

test('a type with an endless parameter list is judged in linear time', () => {
  assert.equal(isJsonType(`application/json${'; a=b'.repeat(500)}`), true);
  assert.equal(isJsonType(`application/json${' '.repeat(4_000)}x`), false);
  assert.equal(isJsonType(`application/json;${'\\"'.repeat(2_000)}`), false);
  assert.equal(isJsonType(`application/json; a="${'\\"'.repeat(2_000)}`), false);
  assert.equal(isJsonType('application/json; charset=utf-8; charset=latin1'), false);
});
