/** Folders for the logs of a test; removed when the process ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

process.on('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** Path of a folder that does not exist yet, in a folder that only this process uses. */
export function newLogFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ratewright-log-'));
  made.push(folder);
  return join(folder, 'db');
}
