/**
 * Writes a file that gets its name once it is whole and on disk.
 *
 * Until then it is in a folder beside the target, whose name contains the process id. If the process is killed, the next
 * file that is written beside it removes that folder.
 */
import { chmodSync, existsSync, linkSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { syncFile, syncFolder } from '../../base/runtime/synced-files.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import { CopyRefusedError } from './log-copy.ts';

/** Suffix of a folder with an unfinished file. */
const UNFINISHED = /\.unfinished-(?<host>.+)-(?<pid>[0-9]+)-[A-Za-z0-9]{6}$/;
/** Only the user of this process can read the file. */
const FILE_MODE = 0o600;
/** Folders with files that this process is writing. */
const underWay = new Set<string>();

/**
 * `write` writes the file `name` in the folder that it gets, and checks it. Rejects with `CopyRefusedError` when the target
 * exists or nothing can be written beside it, and as `write` does; no file is left then.
 */
export async function writeWholeFile<T>(
  target: string,
  name: string,
  write: (folder: string) => Promise<T>,
): Promise<T> {
  const path = resolve(target);
  if (existsSync(path)) throw new CopyRefusedError(`${path} exists already`);
  const folder = newFolderBeside(path);
  try {
    const result = await write(folder);
    // It may hold secrets. The folder, which only this user can enter, has kept it until now.
    chmodSync(join(folder, name), FILE_MODE);
    syncFile(join(folder, name));
    giveName(join(folder, name), path);
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    underWay.delete(folder);
  }
}

function newFolderBeside(path: string): string {
  try {
    removeLeftovers(dirname(path));
    const folder = mkdtempSync(`${path}.unfinished-${hostname()}-${process.pid}-`);
    underWay.add(folder);
    return folder;
  } catch (error) {
    throw new CopyRefusedError(`nothing can be written beside ${path}: ${asError(error).message}`, {
      cause: error,
    });
  }
}

/** Removes unfinished files of killed processes. Those of another host or container stay. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const { host, pid } = UNFINISHED.exec(name)?.groups ?? {};
    if (host !== hostname()) continue;
    const folder = join(parent, name);
    const isLeftover = Number(pid) === process.pid ? !underWay.has(folder) : !isRunning(Number(pid));
    if (isLeftover) rmSync(folder, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Gives the file its final name. Throws `CopyRefusedError` when that name exists now. */
function giveName(file: string, path: string): void {
  try {
    linkSync(file, path);
  } catch (error) {
    if (existsSync(path)) throw new CopyRefusedError(`${path} exists already`, { cause: error });
    // The file system has no hard links.
    renameSync(file, path);
  }
  syncFolder(dirname(path));
}
