#!/usr/bin/env -S node --max-semi-space-size=16 --no-parallel-scavenge --no-allocation-site-pretenuring
/**
 * The program `ratewright`: runs the command that its arguments name and ends with that command's code. The first
 * line is the launcher: it passes the engine flags, whose reasons stand in `runtime/engine-flags.ts`.
 */
import { runCommandLine } from './command-line/command-line.ts';
import { closeObjectPrototype } from './runtime/process-guard.ts';

// Before a command loads what it needs.
closeObjectPrototype();

// Whoever prints looks at what became of it; what cannot be said on standard error is not said.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exitCode = await runCommandLine(process.argv.slice(2));
