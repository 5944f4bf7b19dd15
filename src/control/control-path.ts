/**
 * Where the server of a data folder listens for the commands that work on the same folder: a path that
 * both find from the folder alone, in whatever way they spell it.
 */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Unix socket path has 104 bytes on macOS and 108 on Linux, a final zero included. */
const SOCKET_PATH_BYTES_MAX = 100;

/**
 * A socket in the data folder, which must exist; when that path is too long for a socket, one in the
 * system's folder for temporary files, named by a hash of the path; on Windows, a named pipe.
 */
export function controlPath(dataFolder: string, platform: NodeJS.Platform = process.platform): string {
  const folder = realpathSync(dataFolder);
  const name = `ratewright-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  if (platform === 'win32') return `\\\\.\\pipe\\${name}`;
  const inFolder = join(folder, 'control.sock');
  return Buffer.byteLength(inFolder) < SOCKET_PATH_BYTES_MAX ? inFolder : join(tmpdir(), `${name}.sock`);
}
