/** A folder for many short-lived files, in memory if the system has such a place. */
import { accessSync, constants, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

/** For a few MB; the caller removes it. */
export function memoryFolder(name: string): string {
  try {
    accessSync(MEMORY, constants.W_OK);
    return mkdtempSync(join(MEMORY, `ratewright-${name}-`));
  } catch {
    return mkdtempSync(join(tmpdir(), `ratewright-${name}-`));
  }
}
