#!/usr/bin/env node
/** The program `ratewright`: runs the command that its arguments name and ends with that command's code. */
import { runCommandLine } from './command-line/command-line.ts';
import { closeObjectPrototype } from './runtime/process-guard.ts';

// Before a command loads what it needs.
closeObjectPrototype();

// Whoever prints looks at what became of it; what cannot be said on standard error is not said.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exitCode = await runCommandLine(process.argv.slice(2));
