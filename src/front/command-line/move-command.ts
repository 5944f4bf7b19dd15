/** `move`: the log of the data folder into a database that nodes share, or back. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../base/runtime/clock.ts';
import { silentLogger } from '../../base/runtime/logger.ts';
import { KEY_FILE, keepProbe, readProbe } from '../../base/secrets/secret-box.ts';
import type { CopyReport } from '../../store/log/log-copy.ts';
import type { DatabaseOptions } from '../../store/log/postgres/database-copy.ts';
import { databaseHosts } from '../../store/log/postgres/database-url.ts';
import { moveFromDatabase, moveToDatabase, refuseUsedFolder } from '../../store/node/move-log.ts';
import { DataFolderServedError, openControlServer } from '../control/control-server.ts';
import { type Command, type CommandInput, print } from './command.ts';
import { CommandError, usageError } from './exit-code.ts';
import { withProgress } from './terminal.ts';

export const command: Command = {
  options: {
    to: {
      value: 'URL',
      description: 'Copies the data folder into this database, postgres://..., which is empty',
    },
    from: { value: 'URL', description: 'Copies this database into the data folder, which holds no log' },
  },
  notes: () =>
    'Stop the server or all nodes first. Records, checkpoints, trimmed history and API keys are copied byte for byte\n' +
    'and checked; the source stays as it is. Killed on the way, nothing was moved: run it again.\n',
  async run(input) {
    const isTo = input.option('to') !== undefined;
    if (isTo === (input.option('from') !== undefined)) throw usageError('name either --to URL or --from URL');
    const database = databaseOf(input, isTo ? 'to' : 'from');
    const { dataPath } = input.settings;
    if (isTo && !existsSync(dataPath))
      throw new CommandError(`there is no data folder ${dataPath} (RATEWRIGHT_DATA names it)`);
    if (!isTo) refuseUsedFolder(dataPath);
    const report = await withoutServer(dataPath, () =>
      withProgress('Moving', 'records', (show) =>
        isTo
          ? moveToDatabase(dataPath, database, show)
          : moveFromDatabase(dataPath, database, systemClock.nowMs(), show),
      ),
    );
    print(`${contentText(report)}: moved and whole`);
    print(isTo ? adviceTo(dataPath) : 'Start no node on the database any more.');
  },
};

const contentText = ({ shops, records, checkpoints, keys }: CopyReport): string =>
  `${shops} shops, ${records} records, ${checkpoints} checkpoints, ${keys} API keys`;

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

/** While `work` runs no server can start on the folder, and a command that changes a shop ends with an error. */
async function withoutServer<T>(dataFolder: string, work: () => Promise<T>): Promise<T> {
  const control = await openControlServer({
    dataFolder,
    logger: silentLogger,
    onShopChanged: async () => {
      throw new Error('the data folder is being moved');
    },
    mayDelete: async () => false,
  }).catch((error: unknown) => {
    if (!(error instanceof DataFolderServedError)) throw error;
    throw new CommandError(`a server runs on ${dataFolder}: stop it`);
  });
  try {
    return await work();
  } finally {
    await control.close();
  }
}
