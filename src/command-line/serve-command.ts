/** `serve`: runs the service until a signal stops it. */
import { fileURLToPath } from 'node:url';
import { type Settings, settingsHelp } from '../settings.ts';
import type { Command } from './command.ts';
import { EXIT_CODES } from './exit-code.ts';

/** What each of several processes runs. */
const PROCESS_FILE = fileURLToPath(new URL('../served-process.js', import.meta.url));

export const serveCommand: Command = {
  notes: () => `Settings are environment variables (default, and what is accepted):\n\n${settingsHelp()}`,
  async run({ settings }) {
    if (settings.processes > 1) return serveWithProcesses(settings);
    const { serve } = await import('../main.ts');
    return serve(settings);
  },
};

async function serveWithProcesses({ processes, stopMs, logLevel }: Settings): Promise<never> {
  const { launch } = await import('../processes/launcher.ts');
  const { createJsonLogger } = await import('../runtime/json-logger.ts');
  const logger = createJsonLogger(logLevel);
  const exitCode = await launch({ processes, stopMs, program: PROCESS_FILE, logger });
  process.exit(exitCode ?? EXIT_CODES.internal);
}
