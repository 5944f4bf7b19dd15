/**
 * Copies a log to one file while writes continue. The copy is a snapshot. It is flushed and fully verified before it
 * gets its final name, so a file with that name is a complete backup. To restore a backup, put it into an empty
 * folder as `data.mdb`.
 */
import { resolve } from 'node:path';
import { asError } from '../../../base/runtime/thrown-error.ts';
import { DamagedLogError } from '../event-log.ts';
import { CopyRefusedError } from '../log-copy.ts';
import type { LogReport } from '../verification.ts';
import { writeWholeFile } from '../whole-file.ts';
import { DATA_FILE } from './data-file.ts';
import { verifyLog } from './lmdb-content.ts';
import { type LmdbEventLog, openLmdbEventLog } from './lmdb-event-log.ts';

/**
 * Writes a backup to `target` and resolves with a report of its content. Rejects with `CopyRefusedError` when the target
 * exists and with `DamagedLogError` when the log is damaged; no file is left then. Needs disk space for one copy of the
 * data file beside the target.
 */
export const backupLog = (log: LmdbEventLog, target: string): Promise<LogReport> =>
  writeWholeFile(target, DATA_FILE, async (folder) => {
    await log.tables.root.backup(folder, false).catch((error: unknown) => {
      throw new CopyRefusedError(`${resolve(target)} cannot be written: ${asError(error).message}`, {
        cause: error,
      });
    });
    const report = await verifyCopy(folder);
    const [defect] = report.defects;
    if (defect !== undefined) throw new DamagedLogError(defect.shopId, defect.sequenceNumber, defect.what);
    return report;
  });

async function verifyCopy(folder: string): Promise<LogReport> {
  const copy = openLmdbEventLog({ path: folder, check: 'always', isReadOnly: true });
  try {
    return await verifyLog(copy);
  } finally {
    await copy.close();
  }
}
