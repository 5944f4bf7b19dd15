/** `move`: the log of the data folder into a database that nodes share, or back. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '../../base/runtime/clock.ts';
import { KEY_FILE, keepProbe, readProbe } from '../../base/secrets/secret-box.ts';
import type { CopyReport } from '../../store/log/log-copy.ts';
import type { DatabaseOptions } from '../../store/log/postgres/database-copy.ts';
import { databaseHosts } from '../../store/log/postgres/database-url.ts';
import { moveFromDatabase, moveToDatabase, refuseUsedFolder } from '../../store/node/move-log.ts';
import { claimFolder } from '../operator/folder-socket.ts';
import { type Command, type CommandInput, JSON_OPTION, printResult } from './command.ts';
import { usageError } from './exit-code.ts';
import { requireFolder } from './find-service.ts';
import { counted } from './terminal.ts';

export const command: Command = {
  options: {
    to: {
      value: 'URL',
      description: 'Copies the data folder into this database, postgres://..., which is empty',
    },
    from: { value: 'URL', description: 'Copies this database into the data folder, which holds no log' },
    json: JSON_OPTION,
  },
  notes: () =>
    'Stop the server or all nodes first. Records, checkpoints, trimmed history and API keys are copied byte for byte\n' +
    'and checked; the source stays as it is. Killed on the way, nothing was moved: run it again.\n',
  async run(input) {
    const isTo = input.option('to') !== undefined;
    if (isTo === (input.option('from') !== undefined)) throw usageError('name either --to URL or --from URL');
    const database = databaseOf(input, isTo ? 'to' : 'from');
    const { dataPath } = input.settings;
    if (isTo) requireFolder(dataPath);
    else refuseUsedFolder(dataPath);
    const report = await withoutServer(dataPath, () =>
      isTo ? moveToDatabase(dataPath, database) : moveFromDatabase(dataPath, database, systemClock.nowMs()),
    );
    printResult(input, report, () => [
      `${contentText(report)}: moved and whole`,
      isTo ? adviceTo(dataPath) : 'Start no node on the database any more.',
    ]);
  },
};

const contentText = ({ shops, records, checkpoints, keys }: CopyReport): string =>
  `${counted(shops, 'shop')}, ${counted(records, 'record')}, ${counted(checkpoints, 'checkpoint')}, ${counted(keys, 'API key')}`;

function adviceTo(dataPath: string): string {
  const start = `Start nodes with RATEWRIGHT_DATABASE_URL and an empty data folder each, and none on ${dataPath}.`;
  const keyFile = join(dataPath, KEY_FILE);
  if (!existsSync(keyFile)) return `${start} RATEWRIGHT_SECRET_KEY must be the same on all of them.`;
  return `${start} RATEWRIGHT_SECRET_KEY must be what is in ${keyFile} on all of them, or sealed secrets are lost.`;
}

function databaseOf(input: CommandInput, option: string): DatabaseOptions {
  const url = input.requiredOption(option);
  if (databaseHosts(url) === null) throw usageError(`--${option} is not postgres://host/name`);
  const { databaseCopies: copies, dataPath } = input.settings;
  const probe = { read: () => readProbe(dataPath), keep: (kept: string | null) => keepProbe(dataPath, kept) };
  return { url, copies, probe };
}

/** While `work` runs, no server and no other command can work on the folder. */
async function withoutServer<T>(dataFolder: string, work: () => Promise<T>): Promise<T> {
  const holder = createServer((socket) => socket.destroy());
  const claim = await claimFolder(dataFolder, 'command', {
    listen: (path) => new Promise((resolve, reject) => holder.once('error', reject).listen(path, resolve)),
    stop: () => holder.close(),
  });
  try {
    return await work();
  } finally {
    holder.close();
    claim.release();
  }
}
