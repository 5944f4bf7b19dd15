/**
 * Checks the data file before LMDB opens it: after an unclean stop, in a process of its own that reads everything. A clean stop
 * leaves a mark with a digest of the first pages, which every commit changes, and of the size of the file. So a mark that fits says
 * that the file is as the clean stop left it. The next opening takes the mark away: after a crash there is none.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UnusableDataFileError } from '../event-log.ts';
import { dataFileIn } from './data-file.ts';

/** Whether the file is read whole before it is opened. */
export type FileCheck = 'afterUncleanStop' | 'always' | 'never';

/** Holds both meta pages, also with pages of 64 KB. */
const FIRST_BYTES = 128 * 1024;
const reader = fileURLToPath(new URL('./file-reader.js', import.meta.url));

const markIn = (folder: string): string => join(folder, 'clean');

/** Throws `UnusableDataFileError` when the data file in the folder cannot be read. */
export function checkFile(folder: string, check: FileCheck, isReadOnly: boolean): void {
  if (check === 'never' || !existsSync(dataFileIn(folder))) return;
  const isClean = existsSync(markIn(folder)) && readFileSync(markIn(folder), 'latin1') === digestOf(folder);
  if (!isReadOnly) rmSync(markIn(folder), { force: true });
  if (!isClean || check === 'always') readInChild(folder);
}

/** To be called when the log is closed and nothing has failed. Without a mark the next opening takes longer. */
export function leaveMark(folder: string): void {
  try {
    writeFileSync(markIn(folder), digestOf(folder), { mode: 0o600 });
  } catch {
    // The disk is full, or the folder was removed.
  }
}

function digestOf(folder: string): string {
  const bytes = Buffer.alloc(FIRST_BYTES);
  const file = openSync(dataFileIn(folder), 'r');
  try {
    readSync(file, bytes);
    return createHash('sha256')
      .update(bytes)
      .update(String(fstatSync(file).size))
      .digest('hex');
  } finally {
    closeSync(file);
  }
}

function readInChild(folder: string): void {
  const { error, status, signal, stdout } = spawnSync(process.execPath, [reader, folder], {
    encoding: 'utf8',
    // What LMDB prints about damage is no line for an operator.
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {},
  });
  if (error !== undefined) throw error;
  if (status === 0) return;
  const what = stdout.trim() || `reading it ends with ${signal ?? status}`;
  throw new UnusableDataFileError(`${dataFileIn(folder)} is damaged (${what}): restore a backup`);
}
