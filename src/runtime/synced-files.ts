/** Files and folders that survive a power loss: content and name are flushed. */
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';

/** Writes a file that only its owner can read, and flushes it. `flag` is `w`, or `wx` where no such file may exist. */
export function writeSynced(path: string, text: string, flag: 'w' | 'wx'): void {
  const file = openSync(path, flag, 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
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
