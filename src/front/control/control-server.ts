/**
 * The server's side of the control socket: commands on the same data folder report which shop they changed, and the
 * server acknowledges when its readers see the change. Only the user who runs the server can connect.
 *
 * It listens before any state is loaded, so a change during the start of the server is either reported or read from the
 * log. A second server on the same data folder is refused, because only one can receive the messages.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Logger } from '../../base/runtime/logger.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import { decodeShopMessage, encodeLine, readLine } from './control-message.ts';
import { controlPath, isListening, makeControlFolder } from './control-path.ts';

const CONNECTIONS_MAX = 64;
const IDLE_MS = 10_000;
/** Owner only. */
const SOCKET_MODE = 0o600;

/** Another process serves this data folder. */
export class DataFolderServedError extends Error {
  override readonly name = 'DataFolderServedError';

  constructor() {
    super('another process serves this data folder');
  }
}

interface ControlServer {
  /** Stops listening and removes the socket. */
  close(): Promise<void>;
}

export interface ControlServerOptions {
  readonly dataFolder: string;
  readonly logger: Logger;
  /** Makes a change or deletion of this shop visible to every reader. Rejects when that fails. */
  readonly onShopChanged: (shopId: string) => Promise<void>;
  /** Resolves with true when no write of this shop is pending. */
  readonly mayDelete: (shopId: string) => Promise<boolean>;
}

/** Rejects with `DataFolderServedError`, or with another error when the socket cannot be made. */
export async function openControlServer(options: ControlServerOptions): Promise<ControlServer> {
  makeControlFolder(options.dataFolder);
  const path = controlPath(options.dataFolder);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    answer(socket, options);
  });
  server.maxConnections = CONNECTIONS_MAX;
  if (!(await listen(server, path))) {
    await removeLeftSocket(path);
    if (!(await listen(server, path))) throw new DataFolderServedError();
  }
  // A connection could not be accepted, for example because too many files are open. The command gets no answer.
  server.on('error', (error) => options.logger.error('control.accept_failed', { error }));
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function answer(socket: Socket, { logger, onShopChanged, mayDelete }: ControlServerOptions): void {
  // The change is made visible even if the command has disconnected.
  socket.on('error', () => socket.destroy());
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  readLine(socket, (line) => {
    const message = decodeShopMessage(line);
    if (message === null) {
      socket.destroy();
      return;
    }
    const { kind, shopId } = message;
    const handled = kind === 'mayDelete' ? mayDelete(shopId) : onShopChanged(shopId).then(() => true);
    handled
      .catch((error: unknown) => {
        logger.error('control.failed', { shopId, error: asError(error) });
        return false;
      })
      .then((ok) => socket.end(encodeLine({ ok })));
  });
}

/**
 * Removes the socket that a killed server has left; rejects with `DataFolderServedError` when a server listens on it.
 * Another start may remove it too and put its own socket there, so the file is moved aside and told from the one that
 * was left before it is removed.
 */
async function removeLeftSocket(path: string): Promise<void> {
  const left = socketAt(path);
  if (await isListening(path)) throw new DataFolderServedError();
  if (left === null || socketAt(path) === null) return;
  const aside = join(dirname(path), randomUUID().slice(0, 8));
  renameSync(path, aside);
  if (socketAt(aside) === left) rmSync(aside);
  else {
    renameSync(aside, path);
    throw new DataFolderServedError();
  }
}

/** Tells a socket from every other that has its name; null where there is none. Throws where another file is. */
function socketAt(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return null;
  if (!found.isSocket()) throw new Error(`${path} is no socket`);
  return `${found.ino} ${found.mtimeNs}`;
}

/** False when a file or a server is at the path. */
function listen(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const isFile = process.platform !== 'win32';
    const failed = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    };
    server.once('error', failed);
    // `listen` makes the socket file before it returns, so with this mask no other user can connect at any time.
    const mask = isFile ? process.umask(0o177) : 0;
    try {
      server.listen(path, () => {
        server.off('error', failed);
        if (isFile) chmodSync(path, SOCKET_MODE);
        resolve(true);
      });
    } finally {
      if (isFile) process.umask(mask);
    }
  });
}
