/**
 * Where the server of a data folder listens for the commands that work on the same folder: a path that
 * both find from the folder alone, in whatever way they spell it.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A Unix socket path has 104 bytes on macOS and 108 on Linux, a final zero included. */
const SOCKET_PATH_BYTES_MAX = 100;
/** Errors of a connection to a path at which no server is; what an earlier one left may be there. */
export const NOBODY_LISTENS: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED']);
/** What others than the owner may do. */
const OTHERS_MODE = 0o077;

/**
 * A socket in the data folder, which must exist; when that path is too long for a socket, one in a folder of its own
 * among the system's temporary files, named by a hash of the path; on Windows, a named pipe.
 */
export function controlPath(dataFolder: string, platform: NodeJS.Platform = process.platform): string {
  const folder = realpathSync(dataFolder);
  const name = `ratewright-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  if (platform === 'win32') return `\\\\.\\pipe\\${name}`;
  const inFolder = join(folder, 'control.sock');
  return Buffer.byteLength(inFolder) < SOCKET_PATH_BYTES_MAX ? inFolder : join(tmpdir(), name, 'sock');
}

/** For the server: makes the folder that the path is in. Throws when somebody else can enter it, or has made it. */
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

/** For a command: false where whoever listens there may be somebody else than the server. */
export function isControlFolderSafe(dataFolder: string): boolean {
  const folder = temporaryFolderOf(dataFolder);
  return folder === null || !existsSync(folder) || isPrivate(folder, dataFolder);
}

/** Anybody can make it, other than the data folder. */
function temporaryFolderOf(dataFolder: string): string | null {
  const folder = dirname(controlPath(dataFolder));
  return process.platform === 'win32' || folder === realpathSync(dataFolder) ? null : folder;
}

/** A command may be run by another user than the server, such as root. */
function isPrivate(folder: string, dataFolder: string): boolean {
  const found = lstatSync(folder);
  const isOfOwner = found.uid === process.getuid?.() || found.uid === statSync(dataFolder).uid;
  return found.isDirectory() && isOfOwner && (found.mode & OTHERS_MODE) === 0;
}
