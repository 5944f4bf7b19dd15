import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import {
  claimFolder,
  DataFolderServedError,
  FolderClaimError,
  findServer,
  type OwnerKind,
} from '../../../src/front/operator/folder-socket.ts';

const root = mkdtempSync(join(tmpdir(), 'rw-socket-'));
after(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
function newFolder(name = `d${folders++}`): string {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

interface Claimed {
  readonly socketPath: string;
  readonly end: () => Promise<void>;
}

async function claim(folder: string, kind: OwnerKind = 'server'): Promise<Claimed> {
  const server: Server = createServer((socket) => socket.destroy());
  const { socketPath, release } = await claimFolder(folder, kind, {
    listen: (path) => new Promise((resolve) => server.listen(path, resolve)),
    stop: () => server.close(),
  });
  return {
    socketPath,
    end: async () => {
      await new Promise((resolve) => server.close(resolve));
      release();
    },
  };
}

/** Leaves what a killed server leaves in the folder; resolves with the path of its socket. */
function leaveClaim(folder: string): string {
  const path = join(folder, 'server-0.sock');
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  assert.throws(() => execFileSync(process.execPath, ['-e', script], { stdio: 'ignore' }));
  symlinkSync('server-0.sock', join(folder, 'operator.sock'));
  assert.ok(existsSync(path));
  return path;
}

test('a server is found by its folder, however that is spelt, until it ends; nothing is left', async () => {
  const folder = newFolder();
  assert.equal(await findServer(folder), null);
  const server = await claim(folder);
  assert.equal(await findServer(join(folder, '..', folder.slice(root.length + 1))), server.socketPath);
  await server.end();
  assert.equal(await findServer(folder), null);
  assert.deepEqual(readdirSync(folder), []);
  assert.equal(await findServer(join(root, 'missing')), null);
});

test('only the user of the process may connect', async () => {
  const folder = newFolder();
  const server = await claim(folder);
  assert.equal(statSync(server.socketPath).mode & 0o777, 0o600);
  await server.end();
});

test('a second server on one folder is refused, and the first one stays', async () => {
  const folder = newFolder();
  const first = await claim(folder);
  for (const kind of ['server', 'command'] as const) {
    await assert.rejects(claim(folder, kind), (error: Error) => {
      assert.ok(error instanceof DataFolderServedError);
      return error.message === 'another process serves this data folder';
    });
  }
  assert.equal(await findServer(folder), first.socketPath);
  assert.equal(readdirSync(folder).length, 2);
  await first.end();
});

test('a command is no server, and who comes meanwhile waits for its end', async () => {
  const folder = newFolder();
  const command = await claim(folder, 'command');
  assert.equal(await findServer(folder), null);
  const steps: string[] = [];
  const next = claim(folder).then((server) => {
    steps.push('server');
    return server;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  steps.push('end of the command');
  await command.end();
  const server = await next;
  assert.deepEqual(steps, ['end of the command', 'server']);
  await server.end();
  assert.deepEqual(readdirSync(folder), []);
});

test('what a killed server has left is replaced', async () => {
  const folder = newFolder();
  const left = leaveClaim(folder);
  assert.equal(await findServer(folder), null);
  const server = await claim(folder);
  assert.equal(existsSync(left), false);
  assert.equal(await findServer(folder), server.socketPath);
  await server.end();
  assert.deepEqual(readdirSync(folder), []);
});

test('of servers that start at the same time after a kill, one gets the folder', async () => {
  const folder = newFolder();
  leaveClaim(folder);
  const starts = await Promise.allSettled([claim(folder), claim(folder), claim(folder)]);
  const [server, ...others] = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  assert.ok(server !== undefined);
  assert.deepEqual(others, []);
  for (const start of starts)
    if (start.status === 'rejected') assert.ok(start.reason instanceof DataFolderServedError);
  assert.equal(await findServer(folder), server.socketPath);
  await server.end();
  assert.deepEqual(readdirSync(folder), []);
});

test('a process that listens and has a full queue counts as running', {
  skip: process.platform !== 'linux' && 'only Linux distinguishes a full queue from no server',
  timeout: 60_000,
}, async (context) => {
  const folder = newFolder();
  const path = join(folder, 'server-0.sock');
  const script = `require('node:net').createServer().listen(
    { path: ${JSON.stringify(path)}, backlog: 1 }, () => process.kill(process.pid, 'SIGSTOP'))`;
  const busy = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  context.after(() => busy.kill('SIGKILL'));
  symlinkSync('server-0.sock', join(folder, 'operator.sock'));
  const queued: Socket[] = [];
  context.after(() => {
    for (const socket of queued) socket.destroy();
  });
  const connect = () =>
    new Promise<string>((resolve) => {
      const socket = createConnection(path, () => resolve('connected'));
      queued.push(socket);
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    });
  for (let code = ''; code !== 'EAGAIN'; ) {
    code = await connect();
    if (code !== 'connected') await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await assert.rejects(claim(folder), DataFolderServedError);
  assert.ok(existsSync(path));
});

test('a path that is too long for a socket is one in a folder of its own for temporary files', async () => {
  const folder = newFolder('x'.repeat(120));
  const server = await claim(folder);
  const around = dirname(server.socketPath);
  assert.ok(around.startsWith(tmpdir()) && Buffer.byteLength(server.socketPath) < 100);
  assert.equal(statSync(around).mode & 0o777, 0o700);
  assert.equal(await findServer(folder), server.socketPath);
  await server.end();
  assert.equal(existsSync(around), false);
  assert.deepEqual(readdirSync(folder), []);
});

test('what is beside the socket that a killed process has left is not removed', async () => {
  const folder = newFolder();
  const elsewhere = newFolder();
  writeFileSync(join(elsewhere, 'kept'), '');
  symlinkSync(join(elsewhere, 'server-0.sock'), join(folder, 'operator.sock'));
  const server = await claim(folder);
  assert.match(readlinkSync(join(folder, 'operator.sock')), /^server-[0-9a-f]{8}\.sock$/);
  await server.end();
  assert.deepEqual(readdirSync(elsewhere), ['kept']);
});

test('another file in place of the link is not touched', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'operator.sock'), 'text');
  await assert.rejects(claim(folder), FolderClaimError);
  assert.deepEqual(readdirSync(folder), ['operator.sock']);
});

test('a socket that cannot be made leaves nothing', async () => {
  const folder = newFolder();
  const failing = { listen: () => Promise.reject(new Error('no socket')), stop: () => {} };
  await assert.rejects(claimFolder(folder, 'server', failing), /no socket/);
  assert.deepEqual(readdirSync(folder), []);
});
