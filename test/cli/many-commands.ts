/**
 * Runs commands one after the other in this process, for `runCommands`: reads their calls as JSON from standard input
 * and writes as JSON how each ended.
 */
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../src/command-line/command-line.ts';
import { closeObjectPrototype } from '../../src/runtime/process-guard.ts';
import type { CallOfMany, Ended } from './run-command.ts';

closeObjectPrototype();
const calls = JSON.parse(await text(process.stdin)) as readonly CallOfMany[];
const write = process.stdout.write.bind(process.stdout);
const output = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = (chunk: string | Uint8Array): boolean => {
    output[name] += chunk;
    return true;
  };
}

const ended: Ended[] = [];
for (const { args, environment = {} } of calls) {
  Object.assign(output, { stdout: '', stderr: '' });
  Object.assign(process.env, environment);
  const code = await runCommandLine(args);
  for (const name of Object.keys(environment)) delete process.env[name];
  ended.push({ code, ...output });
}
write(JSON.stringify(ended));
