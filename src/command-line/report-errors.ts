/** How a command that fails ends: one line on standard error, and an exit code. */
import { asError } from '../runtime/thrown-error.ts';
import { CommandError, EXIT_CODES, type ExitCode, usageError } from './exit-code.ts';

/** Resolves with the exit code of `run`, the part of the command that has begun by then; never rejects. */
export async function reportErrors(commandOf: () => string, run: () => Promise<void>): Promise<ExitCode> {
  try {
    await run();
    return EXIT_CODES.done;
  } catch (error) {
    const name = commandOf();
    const { message, exitCode } = await asCommandError(error);
    const advice = exitCode === EXIT_CODES.usage && name !== '' ? ` (see ratewright ${name} --help)` : '';
    process.stderr.write(`${['ratewright', name].join(' ').trim()}: ${oneLine(message)}${advice}\n`);
    return exitCode;
  }
}

async function asCommandError(error: unknown): Promise<CommandError> {
  if (error instanceof CommandError) return error;
  const { SettingsError } = await import('../settings.ts');
  if (error instanceof SettingsError) return usageError(error.message);
  const { DamagedLogError, UnusableDataFileError } = await import('../log/event-log.ts');
  const { message } = asError(error);
  const isUnusable = error instanceof DamagedLogError || error instanceof UnusableDataFileError;
  return new CommandError(message, isUnusable ? EXIT_CODES.unusableData : EXIT_CODES.internal);
}

const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ');
