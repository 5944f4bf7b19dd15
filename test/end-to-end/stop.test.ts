/** The end of a process whose parts hang. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { readSettings } from '../../src/front/settings.ts';
import { COUNTED, DEMO_KEY, ServerProcess, temporaryFolder } from '../support/server-process.ts';

/** The limit in the contract. */
const STOP_MS_MAX = 5_000;
/** Leaves time for other work of a busy machine. */
const STOP_MS = '2000';

test('the default time limit of a stop leaves time for the end of the process', () => {
  assert.ok(readSettings({}).stopMs < STOP_MS_MAX);
});

/** Repeated when the machine was suspended. */
const LOOKS_MAX = 3;

/** Stops a server that waits for bodies which are announced and never come. */
async function stopWhileStalled(context: TestContext, dataFolder: string) {
  const environment = { ...COUNTED, RATEWRIGHT_STOP_MS: STOP_MS };
  const server = await ServerProcess.start(dataFolder, environment);
  context.after(() => server.process.kill('SIGKILL'));
  const stalled = Array.from({ length: 8 }, () => connect(Number(new URL(server.url).port), '127.0.0.1'));
  for (const socket of stalled) {
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(
      `POST /api/groups HTTP/1.1\r\nHost: x\r\nAuthorization: ${DEMO_KEY}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
  }
  // One more: the request for the metrics.
  const isStalled = new RegExp(`^ratewright_requests_in_flight ${stalled.length + 1}$`, 'm');
  while (!isStalled.test((await server.call('/metrics', { key: null })).text)) await wait(10);
  const startMs = performance.now();
  const code = await server.stop('SIGTERM');
  const tookMs = Math.round(performance.now() - startMs);
  for (const socket of stalled) socket.destroy();
  return { code, tookMs, stderr: server.output.stderr };
}

test('a stop ends in time and in order, even if parts hang', async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  for (let look = 1; ; look++) {
    const { code, tookMs, stderr } = await stopWhileStalled(context, `${folder.path}/${look}`);
    if ((code !== 0 || tookMs >= STOP_MS_MAX) && look < LOOKS_MAX) continue;
    assert.equal(code, 0, stderr);
    assert.ok(tookMs < STOP_MS_MAX, `${tookMs} ms`);
    break;
  }
});

test('a question that takes longer than a stop may is refused, and no connection is cut', async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  const server = await ServerProcess.start(`${folder.path}/db`, { RATEWRIGHT_STOP_MS: '3000' });
  context.after(() => server.process.kill('SIGKILL'));
  const items = Array.from({ length: 400 }, (_, at) => ({ sku: `S${at}`, quantity: 1, grams: 1, price: 1 }));
  const requests = new Array(40).fill({ destination: { country: 'US' }, items });
  const body = { requests };
  const statuses = [1, 2, 3].map(async () => {
    const { status } = await server.call('/api/simulate/batch?explain=full', { body });
    return status;
  });
  const areAsked = /^ratewright_pool_questions_total 3$/m;
  while (!areAsked.test((await server.call('/metrics', { key: null })).text)) await wait(5);
  const ended = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  // A fast machine answers the first in time.
  const [, ...later] = await Promise.all(statuses);
  assert.deepEqual(
    later.filter((status) => status !== 503 && status !== 200),
    [],
  );
  assert.deepEqual(await ended, [0, null]);
  await server.stop();
});

const headOf = (line: string, length = 0): string =>
  `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${DEMO_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

test('requests that arrive with the last answer of a stop are answered, and no connection is reset', async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  const server = await ServerProcess.start(`${folder.path}/db`, {
    ...COUNTED,
    RATEWRIGHT_LOG_LEVEL: 'info',
  });
  const { process, output } = server;
  context.after(() => process.kill('SIGKILL'));
  const open = async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const seen = { text: '', error: '' };
    socket.on('data', (bytes) => {
      seen.text += bytes;
    });
    socket.on('error', ({ message }) => {
      seen.error = message;
    });
    const closed = once(socket, 'close').catch(() => {});
    await once(socket, 'connect');
    return { socket, seen, closed };
  };
  const last = await open();
  last.socket.write(`${headOf('POST /api/simulate', 2)}{`);
  const kept = await Promise.all(Array.from({ length: 20 }, open));
  for (const { socket } of kept) {
    socket.write(headOf('GET /api/zones'));
    await once(socket, 'data');
  }
  // One more: the request for the metrics.
  const isStalled = /^ratewright_requests_in_flight 2$/m;
  while (!isStalled.test((await server.call('/metrics', { key: null })).text)) await wait(10);
  const ended = once(process, 'exit');
  process.kill('SIGTERM');
  while (!output.stderr.includes('service.stopping')) await wait(5);
  // It finds all of this at the same moment, the end of the last request first.
  process.kill('SIGSTOP');
  last.socket.write('}');
  for (const { socket } of kept) socket.write(headOf('GET /api/zones'));
  process.kill('SIGCONT');
  for (const { seen, closed } of [last, ...kept]) {
    await closed;
    assert.equal(seen.error, '');
  }
  for (const { seen } of kept)
    assert.deepEqual(seen.text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 503']);
  assert.deepEqual(await ended, [0, null]);
});
