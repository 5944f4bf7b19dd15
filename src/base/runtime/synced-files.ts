/** Writes files and folders so that they survive a power failure: content and names are flushed. */
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';

/** Writes a file that only its owner can read, and flushes it. */
export const writeSynced = (path: string, text: string): void =>
  flush(path, 'w', (file) => writeFileSync(file, text));

/** Flushes the content of a file. */
export const syncFile = (path: string): void => flush(path, 'r+');

/** Flushes the names in a folder; not possible on Windows. */
export function syncFolder(path: string): void {
  if (process.platform !== 'win32') flush(path, 'r');
}

function flush(path: string, flag: 'w' | 'r+' | 'r', write = (_file: number): void => {}): void {
  const file = openSync(path, flag, 0o600);
  try {
    write(file);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
