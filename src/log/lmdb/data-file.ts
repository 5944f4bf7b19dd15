/**
 * The files of a log on disk: `data.mdb` (LMDB's), `lock.mdb` (LMDB's, worthless once every process has exited) and
 * `format`, which says that the folder holds a log and in which format. LMDB maps the data file and trusts it: touching a
 * page beyond the end of the file kills the process with SIGBUS, and following a damaged page can do anything. So both
 * are checked first.
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
import { dirname, join } from 'node:path';
import { syncFile, syncFolder, writeSynced } from '../../runtime/synced-files.ts';
import { DamagedLogError, UnusableDataFileError } from '../event-log.ts';
import {
  type FileSnapshot,
  META_PAGE_BYTES,
  PAGE_AT,
  PAGE_HEADER_BYTES,
  readMetaPage,
  readUint64LE,
} from './page-layout.ts';
import { type PageDefect, pageDefects, type WalkOptions } from './page-walk.ts';

/** Version of keys and index entries together; records carry their own. */
const FORMAT_VERSION = 1;
const FORMAT_TEXT = /^ratewright log (\d{1,9})\n$/;

/** A writer can overtake the check of a file in use; the check is then repeated, at most this often. */
const CHECKS_MAX = 5;

/** Platforms whose page layout is known; elsewhere LMDB's own checks must do. */
const IS_LAYOUT_KNOWN = ['x64', 'arm64'].includes(process.arch);

export const dataFileIn = (folder: string): string => join(folder, 'data.mdb');
const lockFileIn = (folder: string): string => join(folder, 'lock.mdb');
const formatFileIn = (folder: string): string => join(folder, 'format');

/**
 * Makes the folder of a log (mode 0700) when it is missing, and checks what is in it. Throws
 * `UnusableDataFileError` when that is no log, a damaged or incomplete one, or one of a later format.
 */
export function prepareFolder(folder: string): void {
  try {
    makeFoldersTo(dirname(folder));
    makeFolder(folder, 0o700);
    if (!statSync(folder).isDirectory()) throw new UnusableDataFileError(`${folder} is not a folder`);
    checkFolder(folder);
  } catch (error) {
    if (error instanceof UnusableDataFileError) throw error;
    throw new UnusableDataFileError(`data folder ${folder}: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Makes a folder and those that it lies in, as far as they are missing. Not by `recursive`: where the system
 * takes no new names and says ENOENT, as in /proc, Node's loop over the parents never ends.
 */
function makeFoldersTo(folder: string): void {
  if (existsSync(folder)) return;
  makeFoldersTo(dirname(folder));
  makeFolder(folder);
}

/**
 * An existing folder is fine: another process may have made it a moment ago. The name of a new folder is flushed too,
 * because files flushed into it are lost in a power failure when the name is.
 */
function makeFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) return;
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (!existsSync(folder)) throw isThere(folder) ? leadsNowhere(folder) : error;
  }
  syncFolder(dirname(folder));
}

/** Writes the `format` file, once the log itself is on disk. */
export function markFolder(folder: string): void {
  if (existsSync(formatFileIn(folder))) return;
  syncFile(dataFileIn(folder));
  const draft = `${formatFileIn(folder)}.${process.pid}`;
  writeSynced(draft, `ratewright log ${FORMAT_VERSION}\n`, 'w');
  renameSync(draft, formatFileIn(folder));
  syncFolder(folder);
}

/** True also for a dangling link, which cannot be made into a folder either. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const leadsNowhere = (path: string): UnusableDataFileError =>
  new UnusableDataFileError(`${path} is a link that leads nowhere`);

/** LMDB kills the process when a file of its own name exists and cannot be opened. */
function checkOpens(path: string): void {
  if (!isThere(path)) return;
  if (!existsSync(path)) throw leadsNowhere(path);
  if (!statSync(path).isFile()) throw new UnusableDataFileError(`${path} is not a file`);
  accessSync(path, constants.R_OK | constants.W_OK);
}

function checkFolder(folder: string): void {
  const path = dataFileIn(folder);
  checkOpens(path);
  checkOpens(lockFileIn(folder));
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
 * Checks what LMDB takes for granted: that the page which names the newest snapshot is not torn, and that every page of
 * the snapshot is in the file. Reads four pages of a complete file; only a truncated file is walked. Throws
 * `UnusableDataFileError`.
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

/** What a truncated file lacks, or null. */
function endDefect(file: number, snapshot: FileSnapshot): string | null {
  const bytes = fstatSync(file).size;
  if (bytes >= (snapshot.lastPage + 1) * snapshot.pageSize) return null;
  const [defect] = pageDefects(file, bytes, snapshot, { defectsMax: 1, isOrderChecked: false });
  if (defect === undefined) return null;
  return `ends early, at byte ${bytes}: page ${defect.page} ${defect.what}; restore a backup`;
}

/**
 * Walks all pages of the snapshot that is current while `pin` holds: `pin` must keep a reader on it, or
 * a writer could reuse its pages meanwhile. Null when the pinned snapshot was overtaken before the walk.
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

/** The newest of the two snapshots that the meta pages describe, and what is wrong with these pages. */
interface NewestSnapshot {
  readonly snapshot: FileSnapshot;
  readonly defect: string | null;
}

/**
 * A meta page has no checksum: a torn write or a flipped bit would make LMDB take an older tree for the newest, or the
 * reverse. But every transaction rewrites the root of the tree of tables with its own number in it, and the roots of both
 * snapshots stay unchanged until the next transaction.
 */
function readNewest(file: number, path: string): NewestSnapshot {
  const first = readMeta(file, 0, path);
  const second = readMeta(file, first.pageSize, path);
  const [newest, other] = second.transaction > first.transaction ? [second, first] : [first, second];
  const place = newest === first ? 0 : 1;
  const damaged = (page: number) =>
    `is torn or damaged in page ${page}, which names a snapshot that is not there; restore a backup`;
  if (rootTransaction(file, newest) !== newest.transaction)
    return { snapshot: newest, defect: damaged(place) };
  // The later of the two did not become the newest.
  const isOtherLater = rootTransaction(file, other) > newest.transaction;
  return { snapshot: newest, defect: isOtherLater ? damaged(1 - place) : null };
}

/** The transaction that wrote the root of a snapshot's tables; the snapshot's own when it has no tables. */
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

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What is wrong with an unreadable entry; the caller adds shop and number. */
export const damageOf = (error: unknown): string =>
  error instanceof DamagedLogError ? error.what : messageOf(error);
