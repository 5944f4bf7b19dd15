import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';

const DISK = 'size=2m';
/** A file of another program on that disk, which is removed at the end. */
const BALLAST_BYTES = 700_000;
const CART = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 1 }] };

const run = (...command: [string, ...string[]]): boolean =>
  spawnSync(command[0], command.slice(1), { stdio: 'ignore' }).status === 0;

/** Mounts a small file system; null when the test lacks the rights. */
async function smallDisk(context: TestContext): Promise<string | null> {
  const folder = await temporaryFolder();
  const path = join(folder.path, 'disk');
  mkdirSync(path);
  const isMounted = run('mount', '-t', 'tmpfs', '-o', DISK, 'tmpfs', path);
  context.after(async () => {
    if (isMounted) assert.ok(run('umount', '-l', path));
    await folder.discard();
  });
  return isMounted ? path : null;
}

/** Makes groups until one is refused; returns their names and the refusal. */
async function fill(server: ServerProcess, prefix: string) {
  const made: string[] = [];
  for (;;) {
    const name = `${prefix}${made.length}`;
    const skus = Array.from({ length: 500 }, (_, sku) => `${name}-${sku}`);
    const { status, body } = await server.call('/api/groups', { body: { name, skus } });
    if (status !== 201) return { made, refusal: { status, code: codeOf(body) } };
    made.push(name);
  }
}

const codeOf = (body: unknown): string => (body as { error: { code: string } }).error.code;

async function assertThere(server: ServerProcess, names: readonly string[]): Promise<void> {
  const { groups } = (await server.call('/api/groups')).body as { groups: { name: string }[] };
  const there = new Set(groups.map(({ name }) => name));
  assert.deepEqual(
    names.filter((name) => !there.has(name)),
    [],
  );
}

const FULL = { status: 500, code: 'INTERNAL_ERROR' };

test('on a full disk a write is answered 500 and the server ends with 70; after a restart reads work, and writes when there is space again', async (context) => {
  const disk = await smallDisk(context);
  if (disk === null) return context.skip('no rights to mount a small file system');
  const data = join(disk, 'db');
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, Buffer.alloc(BALLAST_BYTES));
  const start = async () => {
    const server = await ServerProcess.start(data, { RATEWRIGHT_LOG_LEVEL: 'fatal' });
    const ended = new Promise((resolve) => server.process.once('exit', resolve));
    context.after(() => server.stop('SIGKILL'));
    return { server, ended };
  };

  const first = await start();
  const { made, refusal } = await fill(first.server, 'first-');
  assert.ok(made.length > 0);
  assert.deepEqual(refusal, FULL);
  assert.equal(await first.ended, 70, first.server.output.stderr);
  assert.match(first.server.output.stderr, /"event":"service.failed"/);

  const full = await start();
  await assertThere(full.server, made);
  assert.equal((await full.server.call('/api/simulate', { body: CART })).status, 200);
  const more = await fill(full.server, 'second-');
  assert.deepEqual(more.refusal, FULL);
  assert.equal(await full.ended, 70, full.server.output.stderr);

  rmSync(ballast);
  const next = await start();
  await assertThere(next.server, [...made, ...more.made]);
  assert.equal((await next.server.call('/api/groups', { body: { name: 'after' } })).status, 201);
  assert.equal(await next.server.stop(), 0);
});
