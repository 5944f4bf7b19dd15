/**
 * Copies a log while writes continue. The copy is a snapshot, fully verified. To restore it, put its `data.mdb` into an empty
 * folder.
 */
import { asError } from '../../../base/runtime/thrown-error.ts';
import { DamagedLogError } from '../event-log.ts';
import { CopyRefusedError } from '../log-copy.ts';
import type { LogReport } from '../verification.ts';
import { verifyLog } from './lmdb-content.ts';
import { type LmdbEventLog, openLmdbEventLog } from './lmdb-event-log.ts';

/**
 * Copies the log into this folder, which must be empty, and resolves with a report of the copy. Rejects with
 * `CopyRefusedError` when it cannot be written and with `DamagedLogError` when the log is damaged. Needs disk space for one
 * copy of the data file.
 */
export async function backupLog(log: LmdbEventLog, folder: string): Promise<LogReport> {
  await log.tables.root.backup(folder, false).catch((error: unknown) => {
    throw new CopyRefusedError(`the copy cannot be written: ${asError(error).message}`, { cause: error });
  });
  const copy = openLmdbEventLog({ path: folder, check: 'always', isReadOnly: true });
  try {
    const report = await verifyLog(copy);
    const [defect] = report.defects;
    if (defect !== undefined) throw new DamagedLogError(defect.shopId, defect.sequenceNumber, defect.what);
    return report;
  } finally {
    await copy.close();
  }
}
