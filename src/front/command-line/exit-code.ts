/** How a command ends: exit codes (contract section 9), each with its meaning, and one line on standard error. */
import { asError } from '../../base/runtime/thrown-error.ts';

export const EXIT_CODES = {
  done: 0,
  /** Refused, or prevented by something outside the program. */
  refused: 1,
  /** Arguments or a setting that cannot be used. */
  usage: 64,
  /** The data file, or the database, cannot be used. */
  unusableData: 65,
  /** A failed flush, or a bug. */
  internal: 70,
} as const;
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** Ends a command; `message` is the one line on standard error. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT_CODES.refused) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const usageError = (message: string): CommandError => new CommandError(message, EXIT_CODES.usage);

/** Resolves with the exit code of `run`; never rejects. `commandOf` returns the name of the command, "" before it is known. */
export async function reportErrors(commandOf: () => string, run: () => Promise<void>): Promise<ExitCode> {
  try {
    await run();
    return EXIT_CODES.done;
  } catch (error) {
    return reportError(commandOf(), error);
  }
}

/** Writes the one line of a command that ended with this error; resolves with the exit code. */
export async function reportError(name: string, error: unknown): Promise<ExitCode> {
  const { message, exitCode } = await asCommandError(error);
  const advice = exitCode === EXIT_CODES.usage && name !== '' ? ` (see ratewright ${name} --help)` : '';
  writeLine(`${message}${advice}`, name);
  return exitCode;
}

/** Writes one line to standard error. */
export function writeLine(message: string, name = ''): void {
  process.stderr.write(`${['ratewright', name].join(' ').trim()}: ${oneLine(message)}\n`);
}

async function asCommandError(error: unknown): Promise<CommandError> {
  if (error instanceof CommandError) return error;
  const { SettingsError } = await import('../settings.ts');
  if (error instanceof SettingsError) return usageError(error.message);
  const { WrongSecretKeyError } = await import('../../base/secrets/secret-box.ts');
  const isWrongKey = [error, asError(error).cause].some((cause) => cause instanceof WrongSecretKeyError);
  if (isWrongKey) return usageError(asError(error).message);
  const { DamagedLogError, DiskFullError, UnusableDataFileError } = await import(
    '../../store/log/event-log.ts'
  );
  const { AuthorityUnavailableError } = await import('../../store/log/authority.ts');
  const { CopyRefusedError } = await import('../../store/log/log-copy.ts');
  const { message } = asError(error);
  if (error instanceof DamagedLogError || error instanceof UnusableDataFileError)
    return new CommandError(message, EXIT_CODES.unusableData);
  const { FolderClaimError } = await import('../operator/folder-socket.ts');
  const refusals = [CopyRefusedError, AuthorityUnavailableError, DiskFullError, FolderClaimError];
  const isRefused = refusals.some((refusal) => error instanceof refusal);
  return new CommandError(message, isRefused ? EXIT_CODES.refused : EXIT_CODES.internal);
}

/** Without control characters: names from a damaged file may have some. */
const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ').replace(/\p{Cc}/gu, '\ufffd');
