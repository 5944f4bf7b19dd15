/** The questions and answers of a process, over a channel that the test controls. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Handlers, Question, ToLauncher, ToProcess } from '../../src/processes/process-message.ts';
import { Siblings } from '../../src/processes/siblings.ts';

async function join() {
  const sent: ToLauncher[] = [];
  let receive: (message: ToProcess) => void = () => {};
  let close: () => void = () => {};
  const joining = Siblings.join({
    send: (message) => sent.push(message),
    onMessage: (handler) => {
      receive = handler;
    },
    onClosed: (closed) => {
      close = closed;
    },
  });
  assert.deepEqual(sent.splice(0), [{ kind: 'joined' }]);
  receive({ kind: 'place', place: { index: 1, count: 2, port: 8080, restarts: 0 } });
  const siblings = await joining;
  return { siblings, sent, receive: (message: ToProcess) => receive(message), close: () => close() };
}

const written: Question = { kind: 'written', shopId: 'shop_a', sequenceNumber: 3, mayRevoke: false };
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('before the log is read, a write is confirmed at once and other questions wait', async () => {
  const { siblings, sent, receive } = await join();
  receive({ kind: 'question', ticket: 1, question: { kind: 'coverage', shopId: 'shop_a' } });
  receive({ kind: 'question', ticket: 2, question: written });
  assert.deepEqual(sent.splice(0), [{ kind: 'answer', ticket: 2, value: false }]);
  const handlers: Partial<Handlers> = {
    coverage: async ({ shopId }) => `coverage of ${shopId}`,
    recent: () => Promise.reject(new Error('no such shop')),
  };
  siblings.answerWith(handlers as Handlers);
  receive({ kind: 'question', ticket: 3, question: { kind: 'recent', shopId: 'shop_b' } });
  await turn();
  assert.deepEqual(sent, [
    { kind: 'answer', ticket: 1, value: 'coverage of shop_a' },
    { kind: 'answer', ticket: 3, value: null },
  ]);
});

test('each question gets its own answers, and without a launcher a write is never acknowledged', async () => {
  const { siblings, sent, receive, close } = await join();
  assert.equal(siblings.isFirst, false);
  const first = siblings.askFirst({ kind: 'metricsText' });
  const nobody = siblings.askFirst({ kind: 'coverage', shopId: 'shop_a' });
  let isSeen = false;
  void siblings.written('shop_a', 4, true).then(() => {
    isSeen = true;
  });
  assert.deepEqual(
    sent.map((message) => message.kind === 'ask' && [message.number, message.to, message.mustAnswer]),
    [
      [1, 'first', false],
      [2, 'first', false],
      [3, 'all', true],
    ],
  );
  receive({ kind: 'answers', number: 2, values: [] });
  receive({ kind: 'answers', number: 1, values: ['text'] });
  assert.deepEqual(await Promise.all([first, nobody]), ['text', null]);
  close();
  await siblings.orphaned;
  assert.equal(isSeen, false);
  receive({ kind: 'answers', number: 3, values: [null] });
  await turn();
  assert.equal(isSeen, true);
});

test('`listening` resolves when every process listens', async () => {
  const { siblings, sent, receive } = await join();
  let isComplete = false;
  const complete = siblings.listening(8080).then(() => {
    isComplete = true;
  });
  await turn();
  assert.deepEqual([sent, isComplete], [[{ kind: 'listening', port: 8080 }], false]);
  receive({ kind: 'complete' });
  await complete;
});

test('a shop is idle when every other process answers that it is not busy', async () => {
  const { siblings, sent, receive } = await join();
  for (const [number, [values, isIdle]] of (
    [
      [[], true],
      [[false, false], true],
      [[false, true], false],
      [[false, null], false],
    ] as const
  ).entries()) {
    const asked = siblings.areIdle('shop_a');
    assert.deepEqual(sent.pop(), {
      kind: 'ask',
      number: number + 1,
      to: 'all',
      mustAnswer: false,
      question: { kind: 'busy', shopId: 'shop_a' },
    });
    receive({ kind: 'answers', number: number + 1, values });
    assert.equal(await asked, isIdle);
  }
});
