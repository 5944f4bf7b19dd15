/** `backup`: the checked copy of the log that the service sends, as a file. */
import { createWriteStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { asError } from '../../base/runtime/thrown-error.ts';
import { writeWholeFile } from '../../store/log/whole-file.ts';
import { type Command, JSON_OPTION, printResult } from './command.ts';
import { CommandError } from './exit-code.ts';
import { answered, SERVICE_OPTIONS, withOperator } from './find-service.ts';

const COPY = 'copy';
/** The service checks a large copy for minutes before it sends it. */
const DEADLINE_MS = 3_600_000;

export const command: Command = {
  arguments: [{ name: 'FILE', description: 'The copy; must not exist' }],
  options: { ...SERVICE_OPTIONS, json: JSON_OPTION },
  notes: () =>
    'The service checks the copy like verify does. To restore it, put it as data.mdb into an empty folder.\n',
  async run(input) {
    const file = input.requiredArgument(0);
    const bytes = await writeWholeFile(file, COPY, (folder) =>
      withOperator(input, async (operator) => {
        const copy = join(folder, COPY);
        const sent = answered(await operator.backup({ deadlineMs: DEADLINE_MS }));
        await pipeline(sent, createWriteStream(copy)).catch((error: unknown) => {
          throw new CommandError(`${file} cannot be written whole: ${asError(error).message}`);
        });
        return statSync(copy).size;
      }),
    );
    printResult(input, { file, bytes }, () => `${file}: ${Math.ceil(bytes / 1_000_000)} MB`);
  },
};
