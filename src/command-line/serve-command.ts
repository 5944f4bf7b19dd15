/** `serve`: runs the service until a signal stops it. */
import { programPath } from '../runtime/package-files.ts';
import { type Settings, settingsHelp } from '../settings.ts';
import type { Command } from './command.ts';
import { EXIT_CODES } from './exit-code.ts';

export const command: Command = {
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
  const program = programPath('served-process.js');
  const exitCode = await launch({ processes, stopMs, program, logger });
  process.exit(exitCode ?? EXIT_CODES.internal);
}
