/** `serve`: runs the service until a signal stops it. */
import { settingsHelp } from '../settings.ts';
import type { Command } from './command.ts';

export const serveCommand: Command = {
  notes: () => `Settings are environment variables (default, and what is accepted):\n\n${settingsHelp()}`,
  async run(input) {
    const { serve } = await import('../main.ts');
    await serve(input.settings);
  },
};
