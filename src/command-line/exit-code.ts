/** Exit codes of commands (contract section 9), each with its meaning. */

export const EXIT_CODES = {
  done: 0,
  /** Refused, or something outside the program is in the way. */
  refused: 1,
  /** Arguments or a setting that cannot be used. */
  usage: 64,
  /** The data file cannot be used. */
  unusableData: 65,
  /** A failed append, or a bug. */
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
