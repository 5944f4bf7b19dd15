/** The end of a process whose parts hang. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { readSettings } from '../../src/settings.ts';
import { projectRoot } from '../house/project-files.ts';
import { COUNTED, DEMO_KEY, ServerProcess, temporaryFolder } from '../support/server-process.ts';

/** The limit in the contract. */
const STOP_MS_MAX = 5_000;
/** Leaves time for other work of a busy machine, and half a second for the end of further threads. */
const STOP_MS = '2000';

test('the default time limit of a stop leaves time for the end of the process', () => {
  assert.ok(readSettings({}).stopMs < STOP_MS_MAX);
});

/** Repeated when the machine was suspended. */
const LOOKS_MAX = 3;

/** Stops a server that waits for declared bodies that never arrive. */
async function stopWhileStalled(context: TestContext, dataFolder: string, threads: string) {
  const environment = { ...COUNTED, RATEWRIGHT_STOP_MS: STOP_MS, RATEWRIGHT_THREADS: threads };
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
  for (const threads of ['1', '2']) {
    for (let look = 1; ; look++) {
      const { code, tookMs, stderr } = await stopWhileStalled(
        context,
        `${folder.path}/${threads}-${look}`,
        threads,
      );
      if ((code !== 0 || tookMs >= STOP_MS_MAX) && look < LOOKS_MAX) continue;
      assert.equal(code, 0, stderr);
      assert.ok(tookMs < STOP_MS_MAX, `${tookMs} ms`);
      break;
    }
  }
});

for (const { what, signal } of [
  { what: 'a stop', signal: 'SIGTERM' },
  { what: 'the end after a failure', signal: 'SIGUSR2' },
] as const) {
  test(`${what} ends in time when a further thread hangs`, async (context) => {
    const [folder, hanging] = [await temporaryFolder(), await temporaryFolder()];
    for (const { discard } of [folder, hanging]) context.after(discard);
    const preload = pathToFileURL(`${projectRoot}/dist/test/end-to-end/hanging-replica.js`).href;
    const server = await ServerProcess.start(folder.path, {
      RATEWRIGHT_STOP_MS: STOP_MS,
      RATEWRIGHT_THREADS: '2',
      NODE_OPTIONS: `--import=${preload}`,
      HANGING_FOLDER: hanging.path,
    });
    context.after(() => server.process.kill('SIGKILL'));
    writeFileSync(join(hanging.path, 'hang'), '');
    while (!existsSync(join(hanging.path, 'hangs'))) await wait(10);
    const startMs = performance.now();
    const ended = once(server.process, 'exit').then(() => true);
    server.process.kill(signal);
    assert.ok(await Promise.race([ended, wait(2 * STOP_MS_MAX, false, { ref: false })]), 'it does not end');
    const tookMs = performance.now() - startMs;
    assert.ok(tookMs < STOP_MS_MAX, `${Math.round(tookMs)} ms`);
  });
}
