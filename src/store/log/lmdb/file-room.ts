/**
 * Room for the next commits: free space inside the data file, of which LMDB has not used a page yet.
 *
 * LMDB must not meet a full disk. A write that was cut short then looks like a broken disk, and the report of any other
 * failed write overruns its buffer. So the file is grown before a commit, by zeros at its end, and a write for which it cannot
 * be grown never reaches LMDB: nothing of it is stored, and the next one may succeed.
 *
 * A file system that copies on write, as btrfs and ZFS do, needs free space even where the file has room. So a disk with less
 * than `SPARE_BYTES` free counts as full everywhere.
 */
import { closeSync, constants, fstatSync, openSync, statfsSync, write } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { DiskFullError } from '../event-log.ts';

/**
 * What transactions write beside the pages of their changes: upper levels of trees, and the list of free pages, of which LMDB
 * writes at most 600 KB anew. One transaction may run while the next one is being queued.
 */
export const SPARE_BYTES: number = 2 * 1024 * 1024;
/** A change rewrites a leaf and two levels above it, and may split a page. */
const PAGES_PER_CHANGE = 4;
/** The file grows by at least as much. */
const ZEROS = Buffer.alloc(512 * 1024);
/** The errors of a disk, a quota and a limit of the process that are used up. */
const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG'];

const APPENDING = constants.O_WRONLY | constants.O_APPEND;
const writeTo = promisify(write);

/** A value to store, or a removal when it is null. */
interface Put {
  readonly value: Uint8Array | null;
}

/** What LMDB has used of the file. */
export interface UsedPages {
  readonly pageSize: number;
  readonly lastPageNumber: number;
}

export class FileRoom {
  readonly #path: string;
  readonly #look: () => UsedPages;
  readonly #onFull: (isFull: boolean) => void;
  readonly #pageSize: number;
  /** The file that LMDB has open, also after somebody removed it or put another in its place; null when it is read only. */
  readonly #file: number | null;
  /** The file has at least as many bytes; it never shrinks. */
  #fileBytes = 0;
  #usedBytes = 0;
  /** Bytes that commits under way may write. */
  #promised = 0;
  /** Bytes that commits may have written since `usedBytes` was known, or may write still. */
  #since = 0;
  #growing: Promise<void> = Promise.resolve();
  #isFull = false;

  /** `onFull` is called when the disk is found full, and when there is room again. */
  constructor(path: string, isReadOnly: boolean, look: () => UsedPages, onFull: (isFull: boolean) => void) {
    this.#path = path;
    this.#file = isReadOnly ? null : openSync(path, APPENDING);
    this.#look = look;
    this.#onFull = onFull;
    this.#pageSize = look().pageSize;
  }

  /**
   * Reserves room for a commit of these changes; null when there is room now. Call `release` with the same changes once the commit
   * has ended. Throws or rejects with `DiskFullError`: nothing is reserved then.
   */
  take(changes: readonly Put[]): Promise<void> | null {
    const bytes = this.#bytesOf(changes);
    if (freeBytes(dirname(this.#path)) < SPARE_BYTES + bytes) throw this.#refusal();
    this.#promised += bytes;
    this.#since += bytes;
    if (this.#lack() > 0) {
      const { lastPageNumber } = this.#look();
      this.#usedBytes = (lastPageNumber + 1) * this.#pageSize;
      this.#since = this.#promised;
    }
    if (this.#lack() <= 0) {
      this.#note(false);
      return null;
    }
    const grown = this.#growing.then(() => this.#grow());
    this.#growing = grown.catch(() => {
      this.#promised -= bytes;
      this.#since -= bytes;
    });
    return grown;
  }

  release(changes: readonly Put[]): void {
    this.#promised -= this.#bytesOf(changes);
  }

  async close(): Promise<void> {
    await this.#growing;
    if (this.#file !== null) closeSync(this.#file);
  }

  #bytesOf(changes: readonly Put[]): number {
    return this.#pageSize * pagesOf(changes, this.#pageSize);
  }

  #lack(): number {
    return this.#usedBytes + this.#since + SPARE_BYTES - this.#fileBytes;
  }

  /** Writes at the end of the file wherever that is now, so that no page of LMDB is overwritten. */
  async #grow(): Promise<void> {
    if (this.#file === null) throw new Error('a log that is read only was written to');
    this.#fileBytes = fstatSync(this.#file).size;
    try {
      while (this.#lack() > 0) this.#fileBytes += (await writeTo(this.#file, ZEROS)).bytesWritten;
    } catch (error) {
      throw FULL.includes((error as NodeJS.ErrnoException).code ?? '') ? this.#refusal() : error;
    }
    this.#note(false);
  }

  #refusal(): DiskFullError {
    this.#note(true);
    return new DiskFullError();
  }

  #note(isFull: boolean): void {
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    this.#onFull(isFull);
  }
}

/** What a transaction of these changes takes of the file at most, beside `SPARE_BYTES`. */
export function pagesOf(changes: readonly Put[], pageSize: number): number {
  let pages = 0;
  for (const { value } of changes) pages += PAGES_PER_CHANGE + Math.ceil((value?.length ?? 0) / pageSize);
  return pages;
}

/** Free space for this process on the disk with the folder; infinite where the file system does not say it. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Throws `DiskFullError` when the disk with this folder counts as full for so many bytes. */
export function requireRoomIn(folder: string, bytes = 0): void {
  if (freeBytes(folder) < SPARE_BYTES + bytes) throw new DiskFullError();
}
