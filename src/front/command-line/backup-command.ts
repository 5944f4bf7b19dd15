/** `backup`: the checked copy of the log that the service sends, as a file. */
import { createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFile, syncFolder } from '../../base/runtime/synced-files.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import { type Command, JSON_OPTION, printResult } from './command.ts';
import { CommandError } from './exit-code.ts';
import { answered, SERVICE_OPTIONS, withOperator } from './find-service.ts';

/** The service checks a large copy for minutes before it sends it. */
const DEADLINE_MS = 3_600_000;
/** A log holds secrets. */
const FILE_MODE = 0o600;

export const command: Command = {
  arguments: [{ name: 'FILE', description: 'The copy; must not exist' }],
  options: { ...SERVICE_OPTIONS, json: JSON_OPTION },
  notes: () =>
    'The service checks the copy like verify does. To restore it, put it as data.mdb into an empty folder.\n',
  async run(input) {
    const file = input.requiredArgument(0);
    if (existsSync(file)) throw new CommandError(`${file} exists already`);
    // It gets its name once it is whole and on disk.
    const draft = `${file}.unfinished`;
    const bytes = await withOperator(input, async (operator) => {
      const sent = answered(await operator.backup({ deadlineMs: DEADLINE_MS }));
      try {
        await pipeline(sent, createWriteStream(draft, { mode: FILE_MODE }));
        syncFile(draft);
        renameSync(draft, file);
        syncFolder(dirname(file));
      } catch (error) {
        rmSync(draft, { force: true });
        throw new CommandError(`${file} cannot be written whole: ${asError(error).message}`);
      }
      return statSync(file).size;
    });
    printResult(input, { file, bytes }, () => `${file}: ${Math.ceil(bytes / 1_000_000)} MB`);
  },
};
