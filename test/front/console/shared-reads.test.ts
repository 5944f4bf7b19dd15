import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attempt, PreparedRequest } from '../../../src/front/client/attempt.ts';
import { sharedReads } from '../../../src/front/console/shared-reads.ts';

const to = (path: string, verb = 'GET'): PreparedRequest => ({ verb, path, headers: {}, body: null });

/** A sender that answers when it is told to, each request with its number. */
function heldSender() {
  const sent: { path: string; signal: AbortSignal | undefined; answer: () => void }[] = [];
  const sender = sharedReads({
    send: ({ path }, _timeMs, signal) =>
      new Promise<Attempt>((resolve) => {
        const text = String(sent.length);
        const answer = () => resolve({ kind: 'answered', status: 200, headers: {}, text });
        sent.push({ path, signal, answer });
      }),
    close: async () => {},
  });
  const ask = async (request: PreparedRequest, signal?: AbortSignal): Promise<string> => {
    const attempt = await sender.send(request, 1_000, signal);
    return attempt.kind === 'answered' ? attempt.text : attempt.code;
  };
  return { sent, ask };
}

test('what several parts of a page read at the same time is one request', async () => {
  const { sent, ask } = heldSender();
  const answers = [ask(to('/api/shop')), ask(to('/api/shop')), ask(to('/api/zones'))];
  assert.deepEqual(
    sent.map(({ path }) => path),
    ['/api/shop', '/api/zones'],
  );
  for (const { answer } of sent) answer();
  assert.deepEqual(await Promise.all(answers), ['0', '0', '1']);
  // It is no memory: what is asked later is asked anew.
  const later = ask(to('/api/shop'));
  sent[2]?.answer();
  assert.equal(await later, '2');
});

test('a read that is asked after a write takes no part in one from before it', async () => {
  const { sent, ask } = heldSender();
  const before = ask(to('/api/shop'));
  const write = ask(to('/api/shop', 'PUT'));
  sent[1]?.answer();
  await write;
  const after = ask(to('/api/shop'));
  const beside = ask(to('/api/shop'));
  assert.equal(sent.length, 3);
  for (const { answer } of sent) answer();
  assert.deepEqual(await Promise.all([before, after, beside]), ['0', '2', '2']);
});

test('a request ends when nobody wants its answer, and not before', async () => {
  const { sent, ask } = heldSender();
  const [one, other] = [new AbortController(), new AbortController()];
  const answers = [ask(to('/api/config'), one.signal), ask(to('/api/config'), other.signal)];
  one.abort();
  assert.equal(sent[0]?.signal?.aborted, false);
  assert.equal(await ask(to('/api/config'), one.signal), 'ABORTED');
  other.abort();
  assert.equal(sent[0]?.signal?.aborted, true);
  assert.equal(sent.length, 1);
  const next = ask(to('/api/config'));
  for (const { answer } of sent) answer();
  await Promise.all(answers);
  assert.equal(await next, '1');
});
