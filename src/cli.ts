#!/usr/bin/env -S node --max-semi-space-size=16 --no-parallel-scavenge --no-allocation-site-pretenuring
/**
 * The program `ratewright`: runs the command that its arguments name and ends with its exit code. The first line passes
 * engine flags to Node; their reasons are in `runtime/engine-flags.ts`.
 */
import { runCommandLine } from './command-line/command-line.ts';
import { closeObjectPrototype } from './runtime/process-guard.ts';

// Before a command loads what it needs.
closeObjectPrototype();

// Without a listener a failed write would end the process. `print` checks standard output itself.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exitCode = await runCommandLine(process.argv.slice(2));
