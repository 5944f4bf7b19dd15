/**
 * The files of a log on disk: `data.mdb` (LMDB's), `lock.mdb` (LMDB's, worthless once every process has
 * gone) and `format`, which says that the folder holds a log and in which format. LMDB maps the data file
 * and trusts it: touching a page that the file does not have kills the process with SIGBUS, so a file
 * that was cut off must be noticed before it is mapped.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { UnusableDataFileError } from './event-log.ts';
import {
  type FileSnapshot,
  PAGE_HEADER_BYTES,
  type PageDefect,
  pageDefects,
  readPageNumber,
} from './page-walk.ts';

/** Of the keys and entries together; the records carry a version of their own. */
const FORMAT_VERSION = 1;
const FORMAT_TEXT = /^ratewright log (\d{1,9})\n$/;

const MAGIC = 0xbeefc0de;
const FILE_VERSION = 2;
const META_FLAG = 0x08;
const META_BYTES = 144;
const PAGE_SIZE_MIN = 512;
const PAGE_SIZE_MAX = 65_536;

/** Where a meta page's fields stand in it. */
const META_AT = {
  flags: 18,
  magic: PAGE_HEADER_BYTES,
  version: PAGE_HEADER_BYTES + 4,
  pageSize: PAGE_HEADER_BYTES + 24,
  freeRoot: PAGE_HEADER_BYTES + 64,
  mainRoot: PAGE_HEADER_BYTES + 112,
  lastPage: PAGE_HEADER_BYTES + 120,
  transaction: PAGE_HEADER_BYTES + 128,
} as const;

/** A writer can overtake a check of a file in use; then the check is made again, so often at most. */
const CHECKS_MAX = 5;

/** The layout is known for these; elsewhere LMDB's own checks have to do. */
const IS_LAYOUT_KNOWN = ['x64', 'arm64'].includes(process.arch);

export const dataFileIn = (folder: string): string => join(folder, 'data.mdb');
const formatFileIn = (folder: string): string => join(folder, 'format');

/**
 * Makes the folder of a log (mode 0700) when it is missing, and checks what is in it. Throws
 * `UnusableDataFileError` when that is no log, a damaged or incomplete one, or one of a later format.
 */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(dirname(folder), { recursive: true });
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    if (!statSync(folder).isDirectory()) throw new UnusableDataFileError(`${folder} is not a folder`);
    checkFolder(folder);
  } catch (error) {
    if (error instanceof UnusableDataFileError) throw error;
    throw new UnusableDataFileError(`data folder ${folder}: ${messageOf(error)}`, { cause: error });
  }
}

/** Notes in the folder which format its log has, once the log itself is on disk. */
export function markFolder(folder: string): void {
  if (existsSync(formatFileIn(folder))) return;
  syncFile(dataFileIn(folder));
  const draft = `${formatFileIn(folder)}.${process.pid}`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeSync(file, `ratewright log ${FORMAT_VERSION}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, formatFileIn(folder));
  syncFolder(folder);
}

/** Flushes what was written to a file. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Flushes which files a folder has; Windows can not be asked to. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function checkFolder(folder: string): void {
  const path = dataFileIn(folder);
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
 * Checks that every page that the file's newest snapshot can touch is in the file. Reads two pages of a
 * complete file; only a file that ends early is walked. Throws `UnusableDataFileError`.
 */
export function checkDataFile(path: string): void {
  if (!statSync(path).isFile()) throw new UnusableDataFileError(`${path} is not a file`);
  if (!IS_LAYOUT_KNOWN) return;
  const file = openSync(path, 'r');
  try {
    for (let check = 1; ; check++) {
      const snapshot = readSnapshot(file, path);
      const bytes = fstatSync(file).size;
      if (bytes >= (snapshot.lastPage + 1) * snapshot.pageSize) return;
      const [defect] = pageDefects(file, bytes, snapshot, 1);
      if (defect === undefined) return;
      const isOvertaken = readSnapshot(file, path).transaction !== snapshot.transaction;
      if (!isOvertaken || check === CHECKS_MAX) {
        const place = `page ${defect.page} ${defect.what}`;
        throw new UnusableDataFileError(`${path} ends early, at byte ${bytes}: ${place}; restore a backup`);
      }
    }
  } finally {
    closeSync(file);
  }
}

/**
 * Walks all pages of the snapshot that is current while `pin` holds: `pin` must keep a reader on it, or
 * a writer could reuse its pages meanwhile. Null when the pinned snapshot was overtaken before the walk.
 */
export function walkDataFile(
  path: string,
  pin: () => void,
  defectsMax: number,
): readonly PageDefect[] | null {
  if (!IS_LAYOUT_KNOWN) return [];
  const file = openSync(path, 'r');
  try {
    const before = readSnapshot(file, path);
    pin();
    if (readSnapshot(file, path).transaction !== before.transaction) return null;
    return pageDefects(file, fstatSync(file).size, before, defectsMax);
  } finally {
    closeSync(file);
  }
}

/** The newest of the two snapshots that the meta pages describe. */
function readSnapshot(file: number, path: string): FileSnapshot {
  const first = readMeta(file, 0, path);
  const second = readMeta(file, first.pageSize, path);
  return second.transaction > first.transaction ? second : first;
}

function readMeta(file: number, at: number, path: string): FileSnapshot {
  const page = Buffer.alloc(PAGE_HEADER_BYTES + META_BYTES);
  if (readSync(file, page, 0, page.length, at) < page.length) {
    throw new UnusableDataFileError(`${path} ends in its first pages; restore it from a backup`);
  }
  const isMeta = (page.readUInt16LE(META_AT.flags) & META_FLAG) !== 0;
  if (!isMeta || page.readUInt32LE(META_AT.magic) !== MAGIC) {
    throw new UnusableDataFileError(`${path} is not a data file of LMDB`);
  }
  const version = page.readUInt16LE(META_AT.version);
  if (version !== FILE_VERSION) throw new UnusableDataFileError(`${path} has LMDB file version ${version}`);
  const pageSize = page.readUInt32LE(META_AT.pageSize);
  const isPowerOfTwo = (pageSize & (pageSize - 1)) === 0;
  if (!isPowerOfTwo || pageSize < PAGE_SIZE_MIN || pageSize > PAGE_SIZE_MAX) {
    throw new UnusableDataFileError(`${path} has an impossible page size of ${pageSize} bytes`);
  }
  return {
    pageSize,
    lastPage: readPageNumber(page, META_AT.lastPage) ?? 0,
    transaction: readPageNumber(page, META_AT.transaction) ?? 0,
    roots: [readPageNumber(page, META_AT.freeRoot), readPageNumber(page, META_AT.mainRoot)],
  };
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
