/** The processes of a server: all confirm a write before it is acknowledged; how they stop and restart. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Launcher } from '../../src/processes/launcher.ts';
import { temporaryFolder } from '../support/server-process.ts';

const program = fileURLToPath(new URL('./joining-process.js', import.meta.url));

async function openServer(context: TestContext, environment: Readonly<Record<string, string>> = {}) {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  Object.assign(process.env, {
    JOINING_FOLDER: folder.path,
    JOINING_REFUSES: '',
    JOINING_HANGS: '',
    ...environment,
  });
  const lines: unknown[] = [];
  const logger = { error: (event: string, fields: object = {}) => lines.push({ event, ...fields }) };
  let end: (exitCode: number | null) => void = () => {};
  const ended = new Promise<number | null>((resolve) => {
    end = resolve;
  });
  const launcher = new Launcher({ processes: 3, stopMs: 10_000, program, logger, heardMsMax: 300 }, end);
  launcher.start();
  const linesOf = (name: string) => {
    const path = join(folder.path, name);
    return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  };
  const isSeen = async () => {
    while (!existsSync(join(folder.path, 'seen'))) await wait(5);
  };
  return { launcher, ended, lines, linesOf, isSeen };
}

test('a write is acknowledged when every other process has confirmed it; the first process exits last', async (context) => {
  const { launcher, ended, linesOf, isSeen } = await openServer(context);
  await isSeen();
  assert.deepEqual(linesOf('heard').sort(), ['1 7', '2 7']);
  launcher.stop('SIGTERM');
  launcher.stop('SIGTERM');
  assert.equal(await ended, 0);
  assert.equal(linesOf('stopped').length, 3);
  assert.equal(linesOf('stopped').at(-1), '0');
});

test('a process that does not confirm a write is killed, which ends the wait, and is restarted', async (context) => {
  const { launcher, ended, lines, linesOf, isSeen } = await openServer(context, { JOINING_HANGS: '2' });
  await isSeen();
  assert.deepEqual(linesOf('heard'), ['1 7']);
  assert.deepEqual(lines, [
    { event: 'process.ended', process: 2, code: null, signal: 'SIGKILL', waitMs: 100 },
  ]);
  while (linesOf('restarts').length < 3) await wait(5);
  assert.deepEqual(linesOf('restarts').sort(), ['0 1', '1 1', '2 1']);
  launcher.stop('SIGTERM');
  assert.equal(await ended, 0);
});

test('a process that refuses to start ends the server with its exit code', async (context) => {
  const { ended, lines, linesOf } = await openServer(context, { JOINING_REFUSES: '1' });
  assert.equal(await ended, 65);
  assert.deepEqual(lines, [{ event: 'process.not_started', process: 1, code: 65, signal: null }]);
  assert.deepEqual(linesOf('heard'), []);
});
