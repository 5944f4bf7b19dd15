/**
 * The files of a log on disk: `data.mdb` and `lock.mdb` of LMDB (the lock file has no meaning once every process has
 * exited), and `format`, which marks the folder as a log and names its format.
 */
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFile, syncFolder, writeSynced } from '../../../base/runtime/synced-files.ts';
import { asError } from '../../../base/runtime/thrown-error.ts';
import { DiskFullError, UnusableDataFileError } from '../event-log.ts';
import { requireRoomIn } from './file-room.ts';

/** Version of the keys and index entries; records contain their own version. */
const FORMAT_VERSION = 1;
const FORMAT_TEXT = /^ratewright log (\d{1,9})\n$/;

export const DATA_FILE = 'data.mdb';
export const dataFileIn = (folder: string): string => join(folder, DATA_FILE);
const lockFileIn = (folder: string): string => join(folder, 'lock.mdb');
const formatFileIn = (folder: string): string => join(folder, 'format');

/**
 * Makes the folder of a log (mode 0700) if it is missing, and checks its content. Throws `UnusableDataFileError` when
 * the folder does not hold a log, or a damaged, incomplete or newer one, and `DiskFullError` when its files cannot be made.
 */
export function prepareFolder(folder: string): void {
  inDataFolder(folder, () => {
    checkFolder(folder, constants.R_OK | constants.W_OK);
    // LMDB maps its lock file: on a full disk the first access to a new one kills the process.
    if (![dataFileIn, lockFileIn, formatFileIn].every((file) => existsSync(file(folder))))
      requireRoomIn(folder);
  });
}

/**
 * Makes the folder (mode 0700) if it is missing, then does the work. What the system refuses there is thrown as
 * `UnusableDataFileError`, and as `DiskFullError` when the disk is full.
 */
export function inDataFolder(folder: string, work: () => void): void {
  try {
    makeFolder(folder, 0o700);
    requireFolder(folder);
    work();
  } catch (error) {
    const isFull = error instanceof DiskFullError || (error as NodeJS.ErrnoException).code === 'ENOSPC';
    if (!isFull) throw named(folder, error);
    throw new DiskFullError(`data folder ${folder}: the disk is full, and files of the log are missing`);
  }
}

/** Checks the content of the folder of a log that is only read. Throws `UnusableDataFileError`, also when it has no log. */
export function requireLogIn(folder: string): void {
  checkFolder(folder, constants.R_OK);
  if (existsSync(dataFileIn(folder))) return;
  throw new UnusableDataFileError(`data folder ${folder} holds no log: it has no ${DATA_FILE}`);
}

/** Checks the content of the folder of a log, and that its files can be opened with `access`. Throws `UnusableDataFileError`. */
function checkFolder(folder: string, access: number): void {
  try {
    requireFolder(folder);
    checkFiles(folder, access);
  } catch (error) {
    throw named(folder, error);
  }
}

function requireFolder(path: string): void {
  if (!statSync(path).isDirectory()) throw new UnusableDataFileError(`${path} is not a folder`);
}

const named = (folder: string, error: unknown): UnusableDataFileError =>
  error instanceof UnusableDataFileError
    ? error
    : new UnusableDataFileError(`data folder ${folder}: ${asError(error).message}`, { cause: error });

/**
 * Makes a folder and its missing parents. Does not use `recursive`: where the system allows no new names and answers
 * ENOENT, as in /proc, Node's loop over the parents never ends.
 *
 * A folder that exists now is accepted, because another process may have made it a moment ago. The name of a new folder is
 * flushed too: if a power failure loses the name, it also loses the flushed files in the folder.
 */
function makeFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (!existsSync(folder)) throw isThere(folder) ? leadsNowhere(folder) : error;
  }
  syncFolder(dirname(folder));
}

/** Writes the `format` file after the log itself is on disk. */
export function markFolder(folder: string): void {
  if (existsSync(formatFileIn(folder))) return;
  syncFile(dataFileIn(folder));
  const draft = `${formatFileIn(folder)}.${process.pid}`;
  writeSynced(draft, `ratewright log ${FORMAT_VERSION}\n`);
  renameSync(draft, formatFileIn(folder));
  syncFolder(folder);
}

/** True also for a dangling link, because no folder can be made under its name. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const leadsNowhere = (path: string): UnusableDataFileError =>
  new UnusableDataFileError(`${path} is a link that leads nowhere`);

/** LMDB kills the process when one of its files exists and cannot be opened, so that is checked first. */
function checkOpens(path: string, access: number): void {
  if (!isThere(path)) return;
  if (!existsSync(path)) throw leadsNowhere(path);
  if (!statSync(path).isFile()) throw new UnusableDataFileError(`${path} is not a file`);
  accessSync(path, access);
}

function checkFiles(folder: string, access: number): void {
  const path = dataFileIn(folder);
  checkOpens(path, access);
  checkOpens(lockFileIn(folder), access);
  const bytes = existsSync(path) ? statSync(path).size : 0;
  if (existsSync(formatFileIn(folder))) {
    const [, version] = FORMAT_TEXT.exec(readFileSync(formatFileIn(folder), 'latin1')) ?? [];
    if (version === undefined) throw new UnusableDataFileError(`${formatFileIn(folder)} is damaged`);
    if (Number(version) > FORMAT_VERSION) {
      throw new UnusableDataFileError(`${folder} was written by a later version (log format ${version})`);
    }
    if (bytes === 0) throw new UnusableDataFileError(`${path} is missing or empty; restore it from a backup`);
  }
}

/** Disk space of the log and free space of the disk, in bytes. Never rejects: a missing file or folder counts as 0. */
export async function readDiskUse(folder: string) {
  const [file, disk] = await Promise.all([
    stat(dataFileIn(folder)).catch(() => null),
    statfs(folder).catch(() => null),
  ]);
  return { fileBytes: file?.size ?? 0, freeBytes: disk === null ? 0 : disk.bavail * disk.bsize };
}
