/** No process of the suite outlives it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ChildProcesses } from '../../bench/process/child-processes.ts';
import { TemporaryFolders } from '../../bench/process/temporary-folders.ts';

const folder = mkdtempSync(join(tmpdir(), 'ratewright-children-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A program that says who it is and goes on for ever, whatever it is asked. */
const stubborn = join(folder, 'stubborn.mjs');
writeFileSync(
  stubborn,
  `process.on('SIGTERM', () => {});
setInterval(() => {}, 1_000);
process.send?.({ pid: process.pid });
`,
);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function waitForEnd(pid: number): Promise<void> {
  for (let i = 0; i < 500 && isAlive(pid); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(!isAlive(pid), `process ${pid} is still there`);
}

test('a child is asked to end, and its channel carries its first message', async () => {
  const children = new ChildProcesses();
  const polite = join(folder, 'polite.mjs');
  writeFileSync(polite, `setInterval(() => {}, 1_000); process.send({ ready: true });\n`);
  const child = children.startNode('polite', polite, [], { role: 'any', hasChannel: true });
  assert.deepEqual(await child.message(), { ready: true });
  await children.stopAll();
  assert.ok(child.hasEnded);
});

test('a child that ends before it answers is named, with what it said', async () => {
  const children = new ChildProcesses();
  const broken = join(folder, 'broken.mjs');
  writeFileSync(broken, `process.stderr.write('no such port'); process.exitCode = 3;\n`);
  const child = children.startNode('broken', broken, [], { role: 'any', hasChannel: true });
  await assert.rejects(
    child.message(),
    /^ChildFailure: broken ended with 3 before it answered: no such port$/,
  );
});

test('a missing program is reported by its name', async () => {
  const children = new ChildProcesses();
  const child = children.start('missing', join(folder, 'missing'), [], { role: 'any', hasChannel: true });
  await assert.rejects(child.message(), /^ChildFailure: missing ended/);
});

/** Starts a process that starts the stubborn one, and resolves with the pid of the latter. */
async function startParent(script: string): Promise<{ parent: ReturnType<typeof spawn>; pid: number }> {
  const file = join(folder, `parent-${Math.random().toString(36).slice(2)}.mjs`);
  const childModule = new URL('../../bench/process/child-processes.js', import.meta.url).href;
  writeFileSync(
    file,
    `import { ChildProcesses } from ${JSON.stringify(childModule)};
const children = new ChildProcesses();
process.on('exit', () => children.killAll());
const child = children.startNode('stubborn', ${JSON.stringify(stubborn)}, [], { role: 'any', hasChannel: true });
process.send(await child.message());
${script}
`,
  );
  const parent = spawn(process.execPath, [file], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [{ pid }] = (await once(parent, 'message')) as [{ pid: number }];
  return { parent, pid };
}

test('children end with a suite that is interrupted', async () => {
  const { parent, pid } = await startParent(`process.on('SIGINT', () => process.exit(130));`);
  assert.ok(isAlive(pid));
  parent.kill('SIGINT');
  await waitForEnd(pid);
});

test('children end with a suite that fails', async () => {
  const { pid } = await startParent('process.exit(1);');
  await waitForEnd(pid);
});

test('temporary folders are removed when they are no longer needed', () => {
  const folders = new TemporaryFolders(join(folder, 'data'));
  const first = folders.make('one');
  const second = folders.make('one');
  assert.notEqual(first, second);
  writeFileSync(join(first, 'file'), 'text');
  folders.clear();
  assert.throws(() => writeFileSync(join(first, 'file'), 'text'));
  writeFileSync(join(folders.make('one'), 'file'), 'text');
  folders.removeAll();
  assert.deepEqual(readdirSync(join(folder, 'data')), []);
});

test('the next run removes what a killed run left behind', () => {
  const data = join(folder, 'left');
  // No system gives out this process number.
  const left = join(data, '999999999');
  mkdirSync(left, { recursive: true });
  const mine = new TemporaryFolders(data);
  const kept = mine.make('mine');
  new TemporaryFolders(data);
  assert.ok(!existsSync(left));
  assert.ok(existsSync(kept));
});
