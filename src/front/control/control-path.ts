/**
 * Path of the control socket of a data folder. Server and commands derive it from the folder itself, so that different
 * spellings of the folder's path give the same socket.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A Unix socket path may have 104 bytes on macOS and 108 on Linux, including a final zero. */
const SOCKET_PATH_BYTES_MAX = 100;
/** Error codes when no server listens, with or without a socket file that an earlier server left. */
export const NOBODY_LISTENS: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED']);
/** Permission bits of group and others. */
const OTHERS_MODE = 0o077;

/**
 * A socket in the data folder, which must exist. If that path is too long for a socket, a socket in a folder among the
 * system's temporary files, named by a hash of the path. On Windows, a named pipe.
 */
export function controlPath(dataFolder: string, platform: NodeJS.Platform = process.platform): string {
  const folder = realpathSync(dataFolder);
  const name = `ratewright-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  if (platform === 'win32') return `\\\\.\\pipe\\${name}`;
  const inFolder = join(folder, 'control.sock');
  return Buffer.byteLength(inFolder) < SOCKET_PATH_BYTES_MAX ? inFolder : join(tmpdir(), name, 'sock');
}

/** For the server: makes the folder of the socket. Throws when another user made it or has access. */
export function makeControlFolder(dataFolder: string): void {
  const folder = temporaryFolderOf(dataFolder);
  if (folder === null) return;
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
  if (!isPrivate(folder, dataFolder)) throw new Error(`${folder} must be a folder for its owner only`);
}

/** For a command: false when another user could listen at the path. */
export function isControlFolderSafe(dataFolder: string): boolean {
  const folder = temporaryFolderOf(dataFolder);
  return folder === null || !existsSync(folder) || isPrivate(folder, dataFolder);
}

/** The temporary folder of the socket, which any user could make; null when the socket is in the data folder. */
function temporaryFolderOf(dataFolder: string): string | null {
  const folder = dirname(controlPath(dataFolder));
  return process.platform === 'win32' || folder === realpathSync(dataFolder) ? null : folder;
}

/** Also accepts the owner of the data folder, because another user, such as root, may run the command. */
function isPrivate(folder: string, dataFolder: string): boolean {
  const found = lstatSync(folder);
  const isOfOwner = found.uid === process.getuid?.() || found.uid === statSync(dataFolder).uid;
  return found.isDirectory() && isOfOwner && (found.mode & OTHERS_MODE) === 0;
}

/** False when no process listens at the path of a socket. Rejects with the system's error when that cannot be determined. */
export function isListening(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // A server listens, and its queue of connections is full.
      if (error.code === 'EAGAIN') resolve(true);
      else if (NOBODY_LISTENS.has(error.code)) resolve(false);
      else reject(error);
    });
  });
}
