#!/usr/bin/env node
/** The program `ratewright`: runs the command that its arguments name and ends with that command's code. */
import { runCommandLine } from './command-line/command-line.ts';
import { closeObjectPrototype } from './runtime/process-guard.ts';

// Before a command loads what it needs.
closeObjectPrototype();

// A reader that went away, such as `head`, has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2));
