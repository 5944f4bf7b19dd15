/** `verify` and `backup`: the log as a whole, also while the server runs. */
import { backupLog } from '../../store/log/lmdb/backup-log.ts';
import { verifyLog } from '../../store/log/lmdb/lmdb-content.ts';
import { defectText, type LogReport, type OnProgress } from '../../store/log/verification.ts';
import { clusterOfMirror } from '../../store/node/mirror-folder.ts';
import { verifyDatabase } from '../../store/node/open-log.ts';
import type { Settings } from '../settings.ts';
import { type Command, JSON_OPTION, print, printResult } from './command.ts';
import { CommandError, EXIT_CODES } from './exit-code.ts';
import { withLog } from './open-shops.ts';
import { withProgress } from './terminal.ts';

const contentText = ({ shops, records, checkpoints, indexEntries }: LogReport): string =>
  `${shops} shops, ${records} records, ${checkpoints} checkpoints, ${indexEntries} index entries`;

export const verifyCommand: Command = {
  options: { json: JSON_OPTION },
  notes: () =>
    `Every record is checked against its checksum and the record before it. Damage ends with ${EXIT_CODES.unusableData}.\n`,
  async run(input) {
    const report = await withProgress('Checking', 'records', (show) => verifyAll(input.settings, show));
    const [first, ...others] = report.defects;
    const whole = `${contentText(report)}: all whole`;
    printResult(input, report, () => (first === undefined ? whole : report.defects.map(defectText)));
    if (first !== undefined) {
      const more = others.length === 0 ? '' : `, and ${others.length} more`;
      throw new CommandError(`the log is damaged: ${defectText(first)}${more}`, EXIT_CODES.unusableData);
    }
  },
};

/** The log in the data folder, or the one in the database. */
async function verifyAll(settings: Settings, onProgress: OnProgress): Promise<LogReport> {
  const { databaseUrl, databaseCopies } = settings;
  if (databaseUrl === null)
    return withLog(settings, (log) => verifyLog(log, onProgress), { isReadOnly: true, check: 'always' });
  return verifyDatabase(databaseUrl, databaseCopies, onProgress);
}

export const backupCommand: Command = {
  arguments: [{ name: 'FILE', description: 'The copy; must not exist' }],
  notes: () =>
    'The copy is checked like verify does. To restore it, put it as data.mdb into an empty folder.\n',
  async run(input) {
    const file = input.requiredArgument(0);
    const { databaseUrl, dataPath } = input.settings;
    if (databaseUrl !== null || clusterOfMirror(dataPath) !== null)
      throw new CommandError(
        'the folder of a node is a copy: back the database up, with pg_dump or with base backups (pg_basebackup)',
      );
    const report = await withProgress('Checking the copy', 'records', (show) =>
      withLog(input.settings, (log) => backupLog(log, file, show), { isReadOnly: true, check: 'always' }),
    );
    print(`${file}: ${contentText(report)}`);
  },
};
