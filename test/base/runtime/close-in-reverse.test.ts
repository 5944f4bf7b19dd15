import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeInReverse } from '../../../src/base/runtime/close-in-reverse.ts';

test('every part is closed once, the last first, also when another cannot be closed', async () => {
  const steps: string[] = [];
  const closing = [
    async () => void steps.push('first'),
    () => Promise.reject(new Error('no answer')),
    async () => void steps.push('last'),
  ];
  const onError = (error: Error) => void steps.push(error.message);
  assert.equal(await closeInReverse(closing, onError), false);
  assert.equal(await closeInReverse(closing, onError), true);
  assert.deepEqual(steps, ['last', 'no answer', 'first']);
});
