import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';

const run = (...command: [string, ...string[]]): boolean =>
  spawnSync(command[0], command.slice(1), { stdio: 'ignore' }).status === 0;

/** A small file system of its own below `folder`, or null where that needs more rights than the test has. */
function mountDisk(folder: string): { path: string; grow: () => void; unmount: () => void } | null {
  const path = join(folder, 'disk');
  mkdirSync(path);
  if (!run('mount', '-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', path)) return null;
  return {
    path,
    grow: () => assert.ok(run('mount', '-o', 'remount,size=64m', path)),
    unmount: () => assert.ok(run('umount', '-l', path)),
  };
}

test('a failed append is answered 500, ends the server with 70, and loses nothing acknowledged', async (context) => {
  const folder = await temporaryFolder();
  const disk = mountDisk(folder.path);
  // What was set up last is taken down first.
  const undo: (() => unknown)[] = [folder.discard, () => disk?.unmount()];
  context.after(async () => {
    for (const step of undo.reverse()) await step();
  });
  if (disk === null) return context.skip('no rights to mount a small file system');
  const data = join(disk.path, 'db');
  const server = await ServerProcess.start(data, { RATEWRIGHT_LOG_LEVEL: 'fatal' });
  undo.push(() => server.stop('SIGKILL'));
  const ended = new Promise((resolve) => server.process.once('exit', resolve));

  const acknowledged: string[] = [];
  let failed: unknown;
  for (let index = 0; failed === undefined && index < 1_000; index++) {
    const name = `G${index}`;
    const skus = Array.from({ length: 500 }, (_, sku) => `${name}-${sku}`);
    const reply = await server.call('/api/groups', { body: { name, skus } });
    if (reply.status === 201) acknowledged.push(name);
    else failed = { status: reply.status, code: (reply.body as { error: { code: string } }).error.code };
  }
  assert.deepEqual(failed, { status: 500, code: 'INTERNAL_ERROR' });
  assert.equal(await ended, 70, server.output.stderr);
  assert.match(server.output.stderr, /"event":"service.failed"/);

  disk.grow();
  const next = await ServerProcess.start(data);
  undo.push(() => next.stop('SIGKILL'));
  const { groups } = (await next.call('/api/groups')).body as { groups: { name: string }[] };
  const names = new Set(groups.map((group) => group.name));
  assert.ok(acknowledged.length > 0);
  assert.deepEqual(
    acknowledged.filter((name) => !names.has(name)),
    [],
  );
  assert.equal((await next.call('/api/groups', { body: { name: 'after' } })).status, 201);
});
