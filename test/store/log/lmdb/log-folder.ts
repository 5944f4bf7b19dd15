/** Logs of a test in folders of their own, which are removed when the process ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LmdbEventLog, openLmdbEventLog } from '../../../../src/store/log/lmdb/lmdb-event-log.ts';

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

/** Opens the log in the folder for `work`, and closes it afterwards. */
export async function withLog<T>(folder: string, work: (log: LmdbEventLog) => Promise<T> | T): Promise<T> {
  const log = openLmdbEventLog({ path: folder });
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}
