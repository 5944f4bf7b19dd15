/**
 * Copies a log to one file while writes continue. The copy is a snapshot. It is flushed and fully verified before it
 * gets its final name, so a file with that name is a complete backup. To restore a backup, put it into an empty
 * folder as `data.mdb`.
 *
 * Until then the copy is in a folder beside the target, whose name contains the process id. If the process is killed,
 * the next backup into the same folder removes that folder.
 */
import { existsSync, linkSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { syncFile, syncFolder } from '../../../base/runtime/synced-files.ts';
import { asError } from '../../../base/runtime/thrown-error.ts';
import { DamagedLogError } from '../event-log.ts';
import { CopyRefusedError } from '../log-copy.ts';
import type { LogReport, OnProgress } from '../verification.ts';
import { dataFileIn } from './data-file.ts';
import { verifyLog } from './lmdb-content.ts';
import { type LmdbEventLog, openLmdbEventLog } from './lmdb-event-log.ts';

/** Suffix of a folder with an unfinished copy. */
const UNFINISHED = /\.unfinished-(?<host>.+)-(?<pid>[0-9]+)-[A-Za-z0-9]{6}$/;
/** Folders with copies that this process is making. */
const underWay = new Set<string>();

/**
 * Writes a backup to `target` and resolves with a report of its content. Rejects with `CopyRefusedError` when the target
 * exists and with `DamagedLogError` when the log is damaged; no file is left then. Needs disk space for one copy of the
 * data file beside the target. `onProgress` reports the check of the copy.
 */
export async function backupLog(
  log: LmdbEventLog,
  target: string,
  onProgress?: OnProgress,
): Promise<LogReport> {
  const path = resolve(target);
  if (existsSync(path)) throw new CopyRefusedError(`${path} exists already`);
  const folder = newFolderBeside(path);
  try {
    await log.tables.root.backup(folder, false).catch((error: unknown) => {
      throw new CopyRefusedError(`${path} cannot be written: ${asError(error).message}`, { cause: error });
    });
    const report = await verifyCopy(folder, onProgress);
    const [defect] = report.defects;
    if (defect !== undefined) throw new DamagedLogError(defect.shopId, defect.sequenceNumber, defect.what);
    syncFile(dataFileIn(folder));
    nameCopy(dataFileIn(folder), path);
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    underWay.delete(folder);
  }
}

async function verifyCopy(folder: string, onProgress: OnProgress | undefined): Promise<LogReport> {
  const copy = openLmdbEventLog({ path: folder, check: 'always', isReadOnly: true });
  try {
    return await verifyLog(copy, onProgress);
  } finally {
    await copy.close();
  }
}

function newFolderBeside(path: string): string {
  try {
    removeLeftovers(dirname(path));
    const folder = mkdtempSync(`${path}.unfinished-${hostname()}-${process.pid}-`);
    underWay.add(folder);
    return folder;
  } catch (error) {
    throw new CopyRefusedError(`nothing can be written beside ${path}: ${asError(error).message}`, {
      cause: error,
    });
  }
}

/** Removes unfinished copies of killed processes. Copies of another host or container stay. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const { host, pid } = UNFINISHED.exec(name)?.groups ?? {};
    if (host !== hostname()) continue;
    const folder = join(parent, name);
    const isLeftover = Number(pid) === process.pid ? !underWay.has(folder) : !isRunning(Number(pid));
    if (isLeftover) rmSync(folder, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Renames the copy to its final name. Throws `CopyRefusedError` when that name exists now. */
function nameCopy(copy: string, path: string): void {
  try {
    linkSync(copy, path);
  } catch (error) {
    if (existsSync(path)) throw new CopyRefusedError(`${path} exists already`, { cause: error });
    // The file system has no hard links.
    renameSync(copy, path);
  }
  syncFolder(dirname(path));
}
