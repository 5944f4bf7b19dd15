/**
 * Moves a log from a data folder into a database, or back, byte for byte, including trimmed history, checkpoints and
 * API keys. Counts of a process (results of an active changeset, coverage) are not moved.
 *
 * If the process is killed, the move has no effect: the database rolls back, and the folder holds an unfinished copy,
 * which is not a log and which the next move removes.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFile, syncFolder } from '../../base/runtime/synced-files.ts';
import { dataFileIn, inDataFolder } from '../log/lmdb/data-file.ts';
import { verifyLog, withContent } from '../log/lmdb/lmdb-content.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../log/lmdb/lmdb-event-log.ts';
import { LmdbTarget } from '../log/lmdb/lmdb-target.ts';
import { CopyRefusedError, type CopyReport, copyLog } from '../log/log-copy.ts';
import type { DatabaseOptions } from '../log/postgres/database-copy.ts';
import { defectText } from '../log/verification.ts';
import { clusterOfMirror, openOwnLog } from './mirror-folder.ts';

/** Name of the folder, in the data folder, with an unfinished copy. */
const UNFINISHED = 'unfinished-move';

/**
 * Copies the log of the folder into an empty database. The caller must keep servers away from the folder. Rejects with
 * `CopyRefusedError` when the database is in use or the folder is written to, with `DamagedLogError`, and with
 * `AuthorityUnavailableError`; the database is unchanged then.
 */
export async function moveToDatabase(folder: string, database: DatabaseOptions): Promise<CopyReport> {
  const { fillDatabase } = await loadDatabase();
  const log = openOwnLog(folder);
  try {
    const began = lastWrite(log);
    return await withContent(log, (content) =>
      fillDatabase(database, async (target) => {
        const report = await copyLog(content, target);
        if (lastWrite(log) !== began) throw new CopyRefusedError(`${folder} was written to meanwhile`);
        return report;
      }),
    );
  } finally {
    await log.close();
  }
}

/**
 * Copies the log of the database into the folder, which must not hold a log, and checks the copy with `verifyLog`.
 * Rejects as `moveToDatabase` does.
 */
export async function moveFromDatabase(
  folder: string,
  database: DatabaseOptions,
  nowMs: number,
): Promise<CopyReport> {
  const { readDatabase } = await loadDatabase();
  refuseUsedFolder(folder);
  const unfinished = join(folder, UNFINISHED);
  rmSync(unfinished, { recursive: true, force: true });
  const log = openLmdbEventLog({ path: unfinished });
  let report: CopyReport;
  try {
    report = await readDatabase(database, async (content) => {
      const target = new LmdbTarget(log, nowMs);
      const copied = await copyLog(content, target);
      await target.finish();
      return copied;
    });
    const [defect] = (await verifyLog(log)).defects;
    if (defect !== undefined) throw new CopyRefusedError(`the copy is damaged: ${defectText(defect)}`);
  } catch (error) {
    await log.close();
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
  await log.close();
  syncFile(dataFileIn(unfinished));
  renameSync(dataFileIn(unfinished), dataFileIn(folder));
  syncFolder(folder);
  rmSync(unfinished, { recursive: true, force: true });
  return report;
}

/** Makes the folder. Throws `CopyRefusedError` when it already holds a log or a mirror. */
export function refuseUsedFolder(folder: string): void {
  if (clusterOfMirror(folder) !== null)
    throw new CopyRefusedError(`${folder} is the copy of a database that a node uses: name another folder`);
  if (existsSync(dataFileIn(folder)))
    throw new CopyRefusedError(`${folder} holds a log already: name another folder`);
  inDataFolder(folder, () => {});
}

/** Number of the last transaction on disk. */
const lastWrite = (log: LmdbEventLog): number =>
  (log.tables.newSnapshot().root.getStats() as { lastTxnId: number }).lastTxnId;

/** Loads the PostgreSQL client only when it is needed. */
const loadDatabase = () => import('../log/postgres/database-copy.ts');
