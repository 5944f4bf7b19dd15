#!/usr/bin/env -S node --max-semi-space-size=16 --no-parallel-scavenge --no-allocation-site-pretenuring
/**
 * The program `ratewright`: runs the command that its arguments name and ends with its exit code. The first line passes
 * engine flags to Node; their reasons are in `runtime/engine-flags.ts`. Everything but the check of Node is loaded after it.
 */
import { nodeRefusal } from './base/runtime/node-release.ts';

const refusal = nodeRefusal(process.versions.node);
if (refusal !== null) {
  process.stderr.write(`ratewright: ${refusal}\n`);
  // The code of `usage` in `exit-code.ts`, which cannot be loaded here.
  process.exit(64);
}

// Without a listener a failed write would end the process. `print` checks standard output itself.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const { runCommandLine } = await import('./front/command-line/command-line.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
