/** `serve`: runs the service until a signal stops it. */
import { programPath } from '../runtime/package-files.ts';
import { SETTINGS, type Setting, type Settings } from '../settings.ts';
import { type Command, columns } from './command.ts';
import { EXIT_CODES } from './exit-code.ts';

export const command: Command = {
  notes: () => `Settings are environment variables (default, and what is accepted):\n\n${settingsHelp()}`,
  async run({ settings }) {
    if (settings.processes > 1) return serveWithProcesses(settings);
    const { serve } = await import('../main.ts');
    return serve(settings);
  },
};

/** One line for each setting: its variable, its default, what it is, and what is accepted. */
export function settingsHelp(): string {
  const rows = Object.values<Setting<unknown>>(SETTINGS).map(
    ({ variable, fallback, description, accepts }) => [
      `  ${variable}`,
      fallback === null ? 'not set' : String(fallback),
      `${description} (${accepts})`,
    ],
  );
  return `${columns(rows).join('\n')}\n`;
}

async function serveWithProcesses({ processes, stopMs, logLevel }: Settings): Promise<never> {
  const { launch } = await import('../processes/launcher.ts');
  const { createJsonLogger } = await import('../runtime/json-logger.ts');
  const logger = createJsonLogger(logLevel);
  const program = programPath('served-process.js');
  const exitCode = await launch({ processes, stopMs, program, logger });
  process.exit(exitCode ?? EXIT_CODES.internal);
}
