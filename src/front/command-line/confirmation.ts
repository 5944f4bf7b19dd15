/** Asks on the terminal before data is deleted permanently. */
import { createInterface } from 'node:readline/promises';
import { CommandError, usageError } from './exit-code.ts';

interface Terminals {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/**
 * Resolves when the person at the terminal types `word`. Rejects with `CommandError` for anything else, and with a usage
 * error when there is no terminal: a script passes `--yes`. The question goes to standard error.
 */
export async function confirm(
  question: string,
  word: string,
  { input, output }: Terminals = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (input.isTTY !== true) throw usageError('there is no terminal to ask on: --yes skips the question');
  const lines = createInterface({ input, output });
  // The input may end without an answer.
  const isOver = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  const answer = await Promise.race([lines.question(`${question} Type ${word} to go on: `), isOver]);
  lines.close();
  if (answer.trim() !== word) throw new CommandError('nothing is changed');
}
