import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { notifyServer } from '../../src/control/control-client.ts';
import { LINE_BYTES_MAX } from '../../src/control/control-message.ts';
import { controlPath } from '../../src/control/control-path.ts';
import { DataFolderServedError, openControlServer } from '../../src/control/control-server.ts';
import { silentLogger } from '../../src/runtime/logger.ts';

const root = mkdtempSync(join(tmpdir(), 'rw-control-'));
after(() => rmSync(root, { recursive: true, force: true }));

const noSocketFile = process.platform === 'win32' ? 'a named pipe has no file' : false;

let folders = 0;
function newFolder(name = `d${folders++}`): string {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

const serve = (dataFolder: string, onShopChanged: (shopId: string) => Promise<void> = async () => {}) =>
  openControlServer({ dataFolder, logger: silentLogger, onShopChanged });

test('a command without a running server has nobody to tell', async () => {
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
  const told = notifyServer(folder, 'shop_a').then((notified) => steps.push(notified));
  while (steps.length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(steps, ['changed shop_a']);
  steps.push('visible');
  release();
  await told;
  assert.deepEqual(steps, ['changed shop_a', 'visible', 'acknowledged']);
  await server.close();
});

test('a server that cannot show the change does not acknowledge it', async () => {
  const folder = newFolder();
  const server = await serve(folder, () => Promise.reject(new Error('damaged')));
  assert.equal(await notifyServer(folder, 'shop_a'), 'unconfirmed');
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

test('the socket of a killed server is replaced', { skip: noSocketFile }, async () => {
  const folder = newFolder();
  const { execFileSync } = await import('node:child_process');
  const path = controlPath(folder);
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  assert.throws(() => execFileSync(process.execPath, ['-e', script], { stdio: 'ignore' }));
  assert.equal(existsSync(path), true);
  assert.equal(await notifyServer(folder, 'shop_a'), 'notRunning');
  const server = await serve(folder);
  assert.equal(await notifyServer(folder, 'shop_a'), 'acknowledged');
  await server.close();
});

test('a path that is too long for a socket moves to the folder for temporary files', async () => {
  const folder = newFolder('x'.repeat(120));
  const path = controlPath(folder, 'linux');
  assert.ok(path.startsWith(tmpdir()) && Buffer.byteLength(path) < 100);
  assert.match(controlPath(folder, 'win32'), /^\\\\\.\\pipe\\ratewright-[0-9a-f]{32}$/);
  const server = await serve(folder);
  assert.equal(await notifyServer(join(folder, '..', 'x'.repeat(120)), 'shop_a'), 'acknowledged');
  await server.close();
});

test('a line that is no message, or too long, closes the connection and nothing else', async () => {
  const folder = newFolder();
  const changed: string[] = [];
  const server = await serve(folder, async (shopId) => {
    changed.push(shopId);
  });
  for (const line of ['{}\n', 'null\n', '{"shopId":1}\n', 'nonsense\n', 'x'.repeat(LINE_BYTES_MAX + 1)]) {
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

test('a line is read up to its bound and not beyond, in one part or in two', async () => {
  const folder = newFolder();
  const changed: string[] = [];
  const server = await serve(folder, async (shopId) => {
    changed.push(shopId);
  });
  const lineOf = (length: number): string => {
    const around = JSON.stringify({ shopId: '' }).length;
    return JSON.stringify({ shopId: 'x'.repeat(length - around) });
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

test('an answer that is no acknowledgement leaves the change unconfirmed', async () => {
  const folder = newFolder();
  const stranger: Server = createServer((socket) => socket.resume().end('welcome\n'));
  await new Promise<void>((resolve) => stranger.listen(controlPath(folder), resolve));
  assert.equal(await notifyServer(folder, 'shop_a'), 'unconfirmed');
  await new Promise((resolve) => stranger.close(resolve));
});
