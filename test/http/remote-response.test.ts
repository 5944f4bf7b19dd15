/** What an answer becomes on its way to another thread: which bytes are copied, and which are shared. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RemoteResponse } from '../../src/http/remote-response.ts';
import type { FinishedAnswer } from '../../src/http/response-port.ts';

const LARGE = 100_000;

function take(body: Uint8Array): { readonly answer: FinishedAnswer; readonly isDone: boolean } {
  const sent: (FinishedAnswer | null)[] = [];
  const isDone = new RemoteResponse((answer) => sent.push(answer)).takeBody(body);
  const [answer] = sent;
  assert.ok(answer);
  assert.deepEqual(answer.body, new Uint8Array(body));
  return { answer, isDone };
}

const isShared = ({ body }: FinishedAnswer): boolean => body?.buffer instanceof SharedArrayBuffer;

test('a large body is copied for the first client, and shared by all others while it is being sent', () => {
  const body = Buffer.alloc(LARGE, 'a');
  const [first, second, third] = [take(body), take(body), take(body)];
  assert.ok(!first.isDone && !isShared(first.answer));
  assert.ok(!second.isDone && isShared(second.answer));
  assert.equal(third.answer.body?.buffer, second.answer.body?.buffer);
});

test('a small body is copied, and released at once', () => {
  const { answer, isDone } = take(Buffer.alloc(1_000, 'a'));
  assert.ok(isDone && !isShared(answer));
});

test('a body in shared memory of a worker is copied, and the area is freed at once', () => {
  const area = new SharedArrayBuffer(2 * LARGE);
  const body = new Uint8Array(area, 8, LARGE).fill(97);
  const { answer, isDone } = take(body);
  assert.ok(isDone && !isShared(answer));
  body.fill(98);
  assert.equal(answer.body?.[0], 97);
});
