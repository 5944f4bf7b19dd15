import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { createConnection, createServer, Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { silentLogger } from '../../../src/base/runtime/logger.ts';
import { askServer } from '../../../src/front/control/control-client.ts';
import { LINE_BYTES_MAX } from '../../../src/front/control/control-message.ts';
import { controlPath } from '../../../src/front/control/control-path.ts';
import { DataFolderServedError, openControlServer } from '../../../src/front/control/control-server.ts';

const root = mkdtempSync(join(tmpdir(), 'rw-control-'));
after(() => rmSync(root, { recursive: true, force: true }));

const noSocketFile = process.platform === 'win32' ? 'a named pipe has no file' : false;

let folders = 0;
function newFolder(name = `d${folders++}`): string {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Notifies the server that the shop changed. */
const notifyServer = (dataFolder: string, shopId: string, replyMsMax?: number) =>
  askServer(dataFolder, { kind: 'changed', shopId }, replyMsMax);

const serve = (dataFolder: string, onShopChanged: (shopId: string) => Promise<void> = async () => {}) =>
  openControlServer({
    dataFolder,
    logger: silentLogger,
    onShopChanged,
    mayDelete: async (id) => id !== 'shop_busy',
  });

test('a command without a running server gets "not running"', async () => {
  assert.equal(await notifyServer(newFolder(), 'shop_a'), 'notRunning');
});

test('a command is answered only after the server made the change visible', async () => {
  const folder = newFolder();
  const steps: string[] = [];
  let release = (): void => {};
  const server = await serve(folder, (shopId) => {
    steps.push(`changed ${shopId}`);
    return new Promise((resolve) => {
      release = resolve;
    });
  });
  const notified = notifyServer(folder, 'shop_a').then((reply) => steps.push(reply));
  while (steps.length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(steps, ['changed shop_a']);
  steps.push('visible');
  release();
  await notified;
  assert.deepEqual(steps, ['changed shop_a', 'visible', 'acknowledged']);
  await server.close();
});

test('a server that cannot show the change does not acknowledge it', async () => {
  const folder = newFolder();
  const server = await serve(folder, () => Promise.reject(new Error('damaged')));
  assert.equal(await notifyServer(folder, 'shop_a'), 'refused');
  await server.close();
});

test('a server that does not answer in time leaves the change unconfirmed', async () => {
  const folder = newFolder();
  const server = await serve(folder, () => new Promise(() => {}));
  assert.equal(await notifyServer(folder, 'shop_a', 20), 'unconfirmed');
  await server.close();
});

test('a second server on one data folder is refused', async () => {
  const folder = newFolder();
  const first = await serve(folder);
  await assert.rejects(serve(folder), DataFolderServedError);
  assert.equal(await notifyServer(folder, 'shop_a'), 'acknowledged');
  await first.close();
  await (await serve(folder)).close();
});

test('only the user who runs the server may connect', { skip: noSocketFile }, async () => {
  const folder = newFolder();
  const server = await serve(folder);
  assert.equal(statSync(controlPath(folder)).mode & 0o777, 0o600);
  await server.close();
  assert.equal(existsSync(controlPath(folder)), false);
});

/** Leaves the socket of a killed server in the folder. */
function leaveSocket(folder: string): void {
  const path = controlPath(folder);
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  assert.throws(() => execFileSync(process.execPath, ['-e', script], { stdio: 'ignore' }));
  assert.equal(existsSync(path), true);
}

test('of servers that start at the same time after a kill, one serves the folder', {
  skip: noSocketFile,
}, async () => {
  const folder = newFolder();
  leaveSocket(folder);
  const starts = await Promise.allSettled([serve(folder), serve(folder), serve(folder)]);
  const [served, ...others] = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  assert.ok(served !== undefined);
  assert.deepEqual(others, []);
  for (const start of starts)
    if (start.status === 'rejected') assert.ok(start.reason instanceof DataFolderServedError);
  assert.equal(await notifyServer(folder, 'shop_a'), 'acknowledged');
  await served.close();
  assert.deepEqual(readdirSync(folder), []);
});

test('the socket of a killed server is replaced', { skip: noSocketFile }, async () => {
  const folder = newFolder();
  leaveSocket(folder);
  assert.equal(await notifyServer(folder, 'shop_a'), 'notRunning');
  const server = await serve(folder);
  assert.equal(await notifyServer(folder, 'shop_a'), 'acknowledged');
  await server.close();
});

test('a server with a full connection queue is not treated as killed', {
  skip: process.platform !== 'linux' && 'only Linux distinguishes a full queue from no server',
  timeout: 60_000,
}, async (context) => {
  const folder = newFolder();
  const path = controlPath(folder);
  const script = `require('node:net').createServer().listen(
    { path: ${JSON.stringify(path)}, backlog: 1 }, () => process.kill(process.pid, 'SIGSTOP'))`;
  const busy = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  context.after(() => busy.kill('SIGKILL'));
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
  await assert.rejects(serve(folder), DataFolderServedError);
  assert.ok(existsSync(path));
});

test('the question whether a shop may be deleted reports no change', async () => {
  const folder = newFolder();
  assert.equal(await askServer(folder, { kind: 'mayDelete', shopId: 'shop_a' }), 'notRunning');
  const changed: string[] = [];
  const server = await serve(folder, async (shopId) => void changed.push(shopId));
  assert.equal(await askServer(folder, { kind: 'mayDelete', shopId: 'shop_a' }), 'acknowledged');
  assert.equal(await askServer(folder, { kind: 'mayDelete', shopId: 'shop_busy' }), 'refused');
  assert.deepEqual(changed, []);
  await server.close();
});

test('a connection that cannot be accepted is logged', async (context) => {
  const listening: Server[] = [];
  const { listen } = Server.prototype;
  context.mock.method(Server.prototype, 'listen', function (this: Server, ...values: unknown[]) {
    listening.push(this);
    return listen.apply(this, values as Parameters<typeof listen>);
  });
  const lines: string[] = [];
  const folder = newFolder();
  const server = await openControlServer({
    dataFolder: folder,
    logger: { ...silentLogger, error: (event, fields) => lines.push(`${event} ${fields?.['error']}`) },
    onShopChanged: async () => {},
    mayDelete: async () => true,
  });
  listening[0]?.emit('error', new Error('accept EMFILE'));
  assert.deepEqual(lines, ['control.accept_failed Error: accept EMFILE']);
  assert.equal(await notifyServer(folder, 'shop_a'), 'acknowledged');
  await server.close();
});

test('in the temporary folder the socket is in a folder that no other user made or can enter', {
  skip: noSocketFile,
}, async () => {
  const folder = newFolder('y'.repeat(120));
  const around = dirname(controlPath(folder));
  after(() => rmSync(around, { recursive: true, force: true }));
  const server = await serve(folder);
  assert.equal(statSync(around).mode & 0o777, 0o700);
  assert.equal(await notifyServer(folder, 'shop_a'), 'acknowledged');
  await server.close();
  assert.equal(await notifyServer(folder, 'shop_a'), 'notRunning');
  const assertRefused = async () => {
    await assert.rejects(serve(folder), /must be a folder for its owner only/);
    assert.equal(await notifyServer(folder, 'shop_a'), 'unconfirmed');
  };
  chmodSync(around, 0o711);
  await assertRefused();
  chmodSync(around, 0o700);
  const moved = newFolder();
  rmSync(around, { recursive: true });
  symlinkSync(moved, around);
  await assertRefused();
  unlinkSync(around);
  // Only root can act as another user.
  if (process.getuid?.() !== 0) return;
  mkdirSync(around, { mode: 0o700 });
  chownSync(around, 12_345, 12_345);
  await assertRefused();
});

test('a path that is too long for a socket moves to the folder for temporary files', async () => {
  const folder = newFolder('x'.repeat(120));
  const path = controlPath(folder, 'linux');
  after(() => rmSync(dirname(path), { recursive: true, force: true }));
  assert.ok(path.startsWith(tmpdir()) && Buffer.byteLength(path) < 100);
  assert.match(controlPath(folder, 'win32'), /^\\\\\.\\pipe\\ratewright-[0-9a-f]{32}$/);
  const server = await serve(folder);
  assert.equal(await notifyServer(join(folder, '..', 'x'.repeat(120)), 'shop_a'), 'acknowledged');
  await server.close();
});

test('an invalid or too long line closes the connection and has no other effect', async () => {
  const folder = newFolder();
  const changed: string[] = [];
  const server = await serve(folder, async (shopId) => {
    changed.push(shopId);
  });
  const unknown = '{"kind":"other","shopId":"shop_a"}\n';
  for (const line of [
    '{}\n',
    'null\n',
    '{"kind":"changed","shopId":1}\n',
    unknown,
    'nonsense\n',
    'x'.repeat(LINE_BYTES_MAX + 1),
  ]) {
    await new Promise<void>((resolve) => {
      const socket = createConnection(controlPath(folder), () => socket.write(line));
      socket.on('error', () => {});
      socket.once('close', () => resolve());
      socket.resume();
    });
  }
  assert.equal(await notifyServer(folder, 'shop_a'), 'acknowledged');
  assert.deepEqual(changed, ['shop_a']);
  await server.close();
});

test('a line is read up to its limit and not beyond, in one part or in two', async () => {
  const folder = newFolder();
  const changed: string[] = [];
  const server = await serve(folder, async (shopId) => {
    changed.push(shopId);
  });
  const lineOf = (length: number): string => {
    const around = JSON.stringify({ kind: 'changed', shopId: '' }).length;
    return JSON.stringify({ kind: 'changed', shopId: 'x'.repeat(length - around) });
  };
  const isAnswered = (parts: readonly string[]): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = createConnection(controlPath(folder));
      let answer = '';
      socket.on('data', (chunk: Buffer) => {
        answer += chunk.toString();
        if (answer.includes('\n')) socket.destroy();
      });
      socket.on('error', () => {});
      socket.once('close', () => resolve(answer !== ''));
      socket.once('connect', () => {
        const [first = '', ...rest] = parts;
        socket.write(first);
        setTimeout(() => {
          for (const part of rest) socket.write(part);
        }, 20);
      });
    });
  for (const length of [LINE_BYTES_MAX - 1, LINE_BYTES_MAX, LINE_BYTES_MAX + 1]) {
    const line = `${lineOf(length)}\n`;
    for (const parts of [[line], [line.slice(0, -2), line.slice(-2)], [line.slice(0, -1), '\n']]) {
      changed.length = 0;
      assert.equal(await isAnswered(parts), length <= LINE_BYTES_MAX, `${length} in ${parts.length}`);
      assert.equal(changed.length, length <= LINE_BYTES_MAX ? 1 : 0);
    }
  }
  await server.close();
});

test('an invalid acknowledgement leaves the change unconfirmed', async () => {
  const folder = newFolder();
  const stranger: Server = createServer((socket) => socket.resume().end('welcome\n'));
  await new Promise<void>((resolve) => stranger.listen(controlPath(folder), resolve));
  assert.equal(await notifyServer(folder, 'shop_a'), 'unconfirmed');
  await new Promise((resolve) => stranger.close(resolve));
});
