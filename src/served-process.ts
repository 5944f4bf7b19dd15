/** The program of one of several processes that serve a port; `processes/launcher.ts` starts them. */
import { reportErrors } from './command-line/exit-code.ts';
import { ownChannel, Siblings } from './processes/siblings.ts';
import { closeObjectPrototype } from './runtime/process-guard.ts';

closeObjectPrototype();
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const exitCode = await reportErrors(
  () => 'serve',
  async () => {
    const { readSettings } = await import('./settings.ts');
    const { serveAsOne } = await import('./main.ts');
    await serveAsOne(readSettings(), await Siblings.join(ownChannel()));
  },
);
// The open channel to the launcher would keep the process alive.
process.exit(exitCode);
