/** `verify`: every record of the log in the data folder, or of the one in the database, also while a server runs. */
import { verifyLog } from '../../store/log/lmdb/lmdb-content.ts';
import { defectText, type LogReport } from '../../store/log/verification.ts';
import { openOwnLog } from '../../store/node/mirror-folder.ts';
import { verifyDatabase } from '../../store/node/open-log.ts';
import type { Settings } from '../settings.ts';
import { type Command, JSON_OPTION, printResult } from './command.ts';
import { CommandError, EXIT_CODES } from './exit-code.ts';
import { requireFolder } from './find-service.ts';
import { counted } from './terminal.ts';

export const command: Command = {
  options: { json: JSON_OPTION },
  notes: () =>
    `Every record is checked against its checksum and the record before it. Damage ends with ${EXIT_CODES.unusableData}.\n`,
  async run(input) {
    const report = await verifyAll(input.settings);
    const [first, ...others] = report.defects;
    const whole = `${contentText(report)}: all whole`;
    printResult(input, report, () => (first === undefined ? whole : report.defects.map(defectText)));
    if (first !== undefined) {
      const more = others.length === 0 ? '' : `, and ${others.length} more`;
      throw new CommandError(`the log is damaged: ${defectText(first)}${more}`, EXIT_CODES.unusableData);
    }
  },
};

const contentText = ({ shops, records, checkpoints, indexEntries }: LogReport): string =>
  `${counted(shops, 'shop')}, ${counted(records, 'record')}, ${counted(checkpoints, 'checkpoint')}, ${indexEntries} index entries`;

async function verifyAll(settings: Settings): Promise<LogReport> {
  const { databaseUrl, databaseCopies, dataPath } = settings;
  if (databaseUrl !== null) return verifyDatabase(databaseUrl, databaseCopies);
  requireFolder(dataPath);
  const log = openOwnLog(dataPath, { isReadOnly: true, check: 'always' });
  try {
    return await verifyLog(log);
  } finally {
    await log.close();
  }
}
