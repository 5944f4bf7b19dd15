/**
 * A process that reads a whole log for the server: it checks every record, or makes a copy that is checked. The event loop of the
 * server has no time for that, and a damaged page of LMDB can end the process that reads it. It gets one task, answers and ends.
 */
import { setPriority } from 'node:os';
import { asError } from '../../base/runtime/thrown-error.ts';
import { UnusableDataFileError } from '../log/event-log.ts';
import { backupLog } from '../log/lmdb/backup-log.ts';
import { verifyLog } from '../log/lmdb/lmdb-content.ts';
import { openLmdbEventLog } from '../log/lmdb/lmdb-event-log.ts';
import type { LogReport } from '../log/verification.ts';
import type { LogTask, LogTaskResult } from './log-task.ts';
import { verifyDatabase } from './open-log.ts';

/** The server has the processor first. */
const PRIORITY = 5;

async function run(task: LogTask): Promise<LogReport> {
  if (task.kind === 'verifyDatabase') return verifyDatabase(task.url, task.copies);
  const log = openLmdbEventLog({ path: task.dataFolder, isReadOnly: true, check: 'always' });
  try {
    return task.kind === 'verify' ? await verifyLog(log) : await backupLog(log, task.to);
  } finally {
    await log.close();
  }
}

const unreadable = (what: string): LogReport => ({
  ...{ shops: 0, records: 0, checkpoints: 0, indexEntries: 0 },
  defects: [{ shopId: '?', sequenceNumber: 0, what }],
});

async function resultOf(task: LogTask): Promise<LogTaskResult> {
  try {
    return { report: await run(task) };
  } catch (error) {
    const { name, message } = asError(error);
    const isReport = task.kind === 'verify' && error instanceof UnusableDataFileError;
    return isReport ? { report: unreadable(message) } : { name, message };
  }
}

process.on('disconnect', () => process.exit());
process.once('message', (task: LogTask) => {
  setPriority(0, PRIORITY);
  void resultOf(task).then((result) => process.send?.(result, () => process.disconnect()));
});
