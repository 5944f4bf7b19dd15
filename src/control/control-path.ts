/**
 * Path of the control socket of a data folder. Server and commands derive it from the folder alone, however they spell the
 * folder's path.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A Unix socket path has 104 bytes on macOS and 108 on Linux, a final zero included. */
const SOCKET_PATH_BYTES_MAX = 100;
/** Errors of a connection to a path without a server, with or without a socket left by an earlier one. */
export const NOBODY_LISTENS: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED']);
/** Permission bits of group and others. */
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

/** For the server: makes the folder of the path. Throws when another user can enter it, or made it. */
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

/** For a command: false when another user could be listening there. */
export function isControlFolderSafe(dataFolder: string): boolean {
  const folder = temporaryFolderOf(dataFolder);
  return folder === null || !existsSync(folder) || isPrivate(folder, dataFolder);
}

/** Unlike the data folder, any user can make this folder. */
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
