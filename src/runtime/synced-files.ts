/** Writes files and folders so that they survive a power failure: content and names are flushed. */
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';

/** Writes a file that only its owner can read, and flushes it. With the flag `wx` it throws when the file exists. */
export function writeSynced(path: string, text: string, flag: 'w' | 'wx'): void {
  const file = openSync(path, flag, 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Flushes the content of a file. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Flushes the names in a folder; not possible on Windows. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
