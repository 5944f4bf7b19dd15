import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openAnswer, sealAnswer } from '../../../src/front/http/sealed-answer.ts';

const BODY = '{"key":{"id":"key_1"},"secret":"rw_geheim – 😀"}';

test('the caller who sealed an answer can open it again, for any text of any length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 1 }), (body, secret) => {
      assert.equal(openAnswer(secret, sealAnswer(secret, body)), body);
    }),
  );
});

test('another caller cannot open it, and learns nothing else', () => {
  const stored = sealAnswer('one', BODY);
  for (const other of ['two', 'one ', 'On', '']) assert.equal(openAnswer(other, stored), null);
});

test('the stored text contains nothing of the answer and differs each time', () => {
  const stored = sealAnswer('one', BODY);
  assert.match(stored, /^s1\.[A-Za-z0-9_-]+$/);
  assert.doesNotMatch(Buffer.from(stored.slice(3), 'base64url').toString('latin1'), /rw_|secret|key_1/);
  assert.notEqual(sealAnswer('one', BODY), stored);
});

test('a text that was stored before can still be opened', () => {
  const stored =
    's1.UzRNAwHKmTGotDDu7T3lEIYLYNfZ49AepVoLjUqvF416_VKlQ1p6gcMxt02a3C_pxV58sGFvqHH5A-c-LRWr9t7i';
  assert.equal(openAnswer('rw_key of its caller', stored), '{"secret":"ünïcode"}');
});

test('a stored text with any one byte changed, cut or prolonged is refused', () => {
  const stored = sealAnswer('one', BODY);
  const bytes = Buffer.from(stored.slice(3), 'base64url');
  for (let i = 0; i < bytes.length; i++) {
    const damaged = Buffer.from(bytes);
    damaged[i] = (damaged[i] ?? 0) ^ 1;
    assert.equal(openAnswer('one', `s1.${damaged.toString('base64url')}`), null);
    assert.equal(openAnswer('one', `s1.${bytes.subarray(0, i).toString('base64url')}`), null);
  }
  const longer = Buffer.concat([bytes, Buffer.of(0)]).toString('base64url');
  for (const text of ['', 's1.', 's2.', BODY, stored.slice(3), `s1.${longer}`]) {
    assert.equal(openAnswer('one', text), null);
  }
});
