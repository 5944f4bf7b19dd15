/**
 * Copies a log to one file while writes go on. The copy is a snapshot; it is flushed and verified in full
 * before it gets its name, so a file of that name is a whole backup. To restore one, put it as `data.mdb`
 * into an empty folder.
 */
import { existsSync, linkSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { syncFile, syncFolder } from '../runtime/synced-files.ts';
import { dataFileIn, messageOf } from './data-file.ts';
import { type LmdbEventLog, openLmdbEventLog } from './lmdb-event-log.ts';
import { type LogReport, type VerifyProgress, verifyLog } from './verify-log.ts';

/** A backup that was not made; the message is one line for an operator. */
export class BackupError extends Error {
  override readonly name: string = 'BackupError';
}

/** No backup, because a record of the log is damaged. */
export class DamagedLogError extends BackupError {
  override readonly name = 'DamagedLogError';
}

/**
 * Writes a backup to `target`, which must not exist, and resolves with what is in it. Rejects with
 * `BackupError` when the target exists, with `DamagedLogError` when the log is damaged, and leaves
 * nothing behind then. Needs room for one copy of the data file beside the target. `onProgress` follows
 * the check of the copy.
 */
export async function backupLog(
  log: LmdbEventLog,
  target: string,
  onProgress?: (progress: VerifyProgress) => void,
): Promise<LogReport> {
  const path = resolve(target);
  if (existsSync(path)) throw new BackupError(`${path} exists already`);
  const folder = newFolderBeside(path);
  try {
    await log.tables.root.backup(folder, false).catch((error: unknown) => {
      throw new BackupError(`${path} cannot be written: ${messageOf(error)}`, { cause: error });
    });
    const report = await verifyCopy(folder, onProgress);
    const [defect] = report.defects;
    if (defect !== undefined) {
      const { shopId, sequenceNumber, what } = defect;
      throw new DamagedLogError(`the log is damaged: shop ${shopId}, record ${sequenceNumber}: ${what}`);
    }
    syncFile(dataFileIn(folder));
    nameCopy(dataFileIn(folder), path);
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function verifyCopy(
  folder: string,
  onProgress: ((progress: VerifyProgress) => void) | undefined,
): Promise<LogReport> {
  const copy = openLmdbEventLog({ path: folder });
  try {
    return await verifyLog(copy, onProgress);
  } finally {
    await copy.close();
  }
}

function newFolderBeside(path: string): string {
  try {
    return mkdtempSync(`${path}.unfinished-`);
  } catch (error) {
    throw new BackupError(`nothing can be written beside ${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** Gives the copy its name, unless somebody took the name meanwhile. */
function nameCopy(copy: string, path: string): void {
  try {
    linkSync(copy, path);
  } catch (error) {
    if (existsSync(path)) throw new BackupError(`${path} exists already`, { cause: error });
    // A file system without links.
    renameSync(copy, path);
  }
  syncFolder(dirname(path));
}
