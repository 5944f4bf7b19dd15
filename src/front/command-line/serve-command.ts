/** `serve`: runs the service until a signal stops it. */
import { SETTINGS, type Setting } from '../settings.ts';
import { type Command, columns } from './command.ts';

export const command: Command = {
  notes: () => `Settings are environment variables (default, and what is accepted):\n\n${settingsHelp()}`,
  async run({ settings }) {
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
