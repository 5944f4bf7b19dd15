/**
 * The files of a log on disk: `data.mdb` and `lock.mdb` of LMDB (the lock file has no meaning once every process has
 * exited), and `format`, which marks the folder as a log and names its format. LMDB maps the data file and trusts it:
 * access to a page beyond the end of the file kills the process with SIGBUS, and a damaged page has undefined
 * effects. So both are checked before LMDB reads the file.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFile, syncFolder, writeSynced } from '../../runtime/synced-files.ts';
import { asError } from '../../runtime/thrown-error.ts';
import { DiskFullError, UnusableDataFileError } from '../event-log.ts';
import { requireRoomIn } from './file-room.ts';
import {
  type FileSnapshot,
  META_PAGE_BYTES,
  PAGE_AT,
  PAGE_HEADER_BYTES,
  readMetaPage,
  readUint64LE,
} from './page-layout.ts';
import { type PageDefect, pageDefects, type WalkOptions } from './page-walk.ts';

/** Version of the keys and index entries; records contain their own version. */
const FORMAT_VERSION = 1;
const FORMAT_TEXT = /^ratewright log (\d{1,9})\n$/;

/** A check of a file in use is repeated at most this often when a writer commits meanwhile. */
const CHECKS_MAX = 5;

/** True on platforms whose page layout is known; elsewhere only LMDB checks the file. */
const IS_LAYOUT_KNOWN = ['x64', 'arm64'].includes(process.arch);

export const dataFileIn = (folder: string): string => join(folder, 'data.mdb');
const lockFileIn = (folder: string): string => join(folder, 'lock.mdb');
const formatFileIn = (folder: string): string => join(folder, 'format');

/**
 * Makes the folder of a log (mode 0700) if it is missing, and checks its content. Throws `UnusableDataFileError` when
 * the folder does not hold a log, or a damaged, incomplete or newer one, and `DiskFullError` when its files cannot be made.
 */
export function prepareFolder(folder: string): void {
  try {
    makeFolder(folder, 0o700);
    checkFolder(folder, constants.R_OK | constants.W_OK);
    // LMDB maps its lock file: on a full disk the first access to a new one kills the process.
    if (![dataFileIn, lockFileIn, formatFileIn].every((file) => existsSync(file(folder))))
      requireRoomIn(folder);
  } catch (error) {
    const isFull = error instanceof DiskFullError || (error as NodeJS.ErrnoException).code === 'ENOSPC';
    if (!isFull) throw named(folder, error);
    throw new DiskFullError(`data folder ${folder}: the disk is full, and files of the log are missing`);
  }
}

/** Checks the content of the folder of a log, and that its files can be opened with `access`. Throws `UnusableDataFileError`. */
export function checkFolder(folder: string, access: number): void {
  try {
    if (!statSync(folder).isDirectory()) throw new UnusableDataFileError(`${folder} is not a folder`);
    checkFiles(folder, access);
  } catch (error) {
    throw named(folder, error);
  }
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
  writeSynced(draft, `ratewright log ${FORMAT_VERSION}\n`, 'w');
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
  if (bytes > 0) checkDataFile(path);
}

/**
 * Checks what LMDB assumes: the meta page of the newest snapshot is not torn, and every page of the snapshot is in the
 * file. Reads four pages of a complete file; walks all pages of a truncated one. Throws `UnusableDataFileError`.
 */
function checkDataFile(path: string): void {
  if (!IS_LAYOUT_KNOWN) return;
  const file = openSync(path, 'r');
  try {
    for (let check = 1; ; check++) {
      const { snapshot, defect } = readNewest(file, path);
      const what = defect ?? endDefect(file, snapshot);
      if (what === null) return;
      const isOvertaken = readNewest(file, path).snapshot.transaction !== snapshot.transaction;
      if (!isOvertaken || check === CHECKS_MAX) throw new UnusableDataFileError(`${path} ${what}`);
    }
  } finally {
    closeSync(file);
  }
}

/** Says which page a truncated file lacks; null when none. */
function endDefect(file: number, snapshot: FileSnapshot): string | null {
  const bytes = fstatSync(file).size;
  if (bytes >= (snapshot.lastPage + 1) * snapshot.pageSize) return null;
  const [defect] = pageDefects(file, bytes, snapshot, { defectsMax: 1, isOrderChecked: false });
  if (defect === undefined) return null;
  return `ends early, at byte ${bytes}: page ${defect.page} ${defect.what}; restore a backup`;
}

/**
 * Walks all pages of the newest snapshot. `pin` must open a reader on that snapshot, so that no writer reuses its pages
 * meanwhile. Returns null when a writer committed before the snapshot was pinned; call again then.
 */
export function walkDataFile(
  path: string,
  pin: () => void,
  options: WalkOptions,
): readonly PageDefect[] | null {
  if (!IS_LAYOUT_KNOWN) return [];
  const file = openSync(path, 'r');
  try {
    const { snapshot } = readNewest(file, path);
    pin();
    if (readNewest(file, path).snapshot.transaction !== snapshot.transaction) return null;
    return pageDefects(file, fstatSync(file).size, snapshot, options);
  } finally {
    closeSync(file);
  }
}

/** The newer of the two snapshots that the meta pages describe, and the defect of these pages. */
interface NewestSnapshot {
  readonly snapshot: FileSnapshot;
  readonly defect: string | null;
}

/**
 * A meta page has no checksum: after a torn write or a flipped bit LMDB would use the wrong snapshot as the newest. But
 * every transaction rewrites the root of the tree of tables, with its own number in it, and the roots of both snapshots
 * stay unchanged until the next transaction. So the numbers of the roots show which meta page is damaged.
 */
function readNewest(file: number, path: string): NewestSnapshot {
  const first = readMeta(file, 0, path);
  const second = readMeta(file, first.pageSize, path);
  const [newest, other] = second.transaction > first.transaction ? [second, first] : [first, second];
  const place = newest === first ? 0 : 1;
  const damaged = (page: number) =>
    `is torn or damaged in page ${page}, which names a snapshot that does not exist; restore a backup`;
  if (rootTransaction(file, newest) !== newest.transaction)
    return { snapshot: newest, defect: damaged(place) };
  // The root of the other snapshot is newer, so its meta page is the damaged one.
  const isOtherLater = rootTransaction(file, other) > newest.transaction;
  return { snapshot: newest, defect: isOtherLater ? damaged(1 - place) : null };
}

/** The transaction that wrote the root of the tree of tables; that of the snapshot itself when it has no tables. */
function rootTransaction(file: number, { main, pageSize, transaction }: FileSnapshot): number {
  if (main.root === null) return transaction;
  const head = Buffer.alloc(PAGE_HEADER_BYTES);
  readSync(file, head, 0, head.length, main.root * pageSize);
  const isRoot = readUint64LE(head, PAGE_AT.number) === main.root;
  return isRoot ? readUint64LE(head, PAGE_AT.transaction) : -1;
}

function readMeta(file: number, at: number, path: string): FileSnapshot {
  const page = Buffer.alloc(META_PAGE_BYTES);
  if (readSync(file, page, 0, page.length, at) < page.length) {
    throw new UnusableDataFileError(`${path} ends in its first pages; restore it from a backup`);
  }
  const meta = readMetaPage(page);
  if (typeof meta === 'string') throw new UnusableDataFileError(`${path} ${meta}`);
  return meta;
}

/** Disk space of the log and free space of the disk, in bytes. Never rejects: a missing file or folder counts as 0. */
export async function readDiskUse(folder: string) {
  const [file, disk] = await Promise.all([
    stat(dataFileIn(folder)).catch(() => null),
    statfs(folder).catch(() => null),
  ]);
  return { fileBytes: file?.size ?? 0, freeBytes: disk === null ? 0 : disk.bavail * disk.bsize };
}
