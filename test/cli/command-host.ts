/**
 * Runs commands one after the other in this process, for `callCommand`: each arrives as a message, and its result is
 * sent back. The process ends when its parent has ended.
 */
import { Readable } from 'node:stream';
import { runCommandLine } from '../../src/front/command-line/command-line.ts';
import type { Ended, HostedCall } from './run-command.ts';

const output = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = (chunk: string | Uint8Array): boolean => {
    output[name] += chunk;
    return true;
  };
}

async function run({ args, environment, input }: HostedCall): Promise<Ended> {
  Object.assign(output, { stdout: '', stderr: '' });
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)]);
  Object.defineProperty(process, 'stdin', { configurable: true, value: stdin });
  Object.assign(process.env, environment);
  const code = await runCommandLine(args);
  for (const name of Object.keys(environment)) delete process.env[name];
  return { code, ...output };
}

let last: Promise<unknown> = Promise.resolve();
process.on('message', (call: HostedCall) => {
  last = last.then(() => run(call)).then((ended) => process.send?.(ended));
});
process.once('disconnect', () => process.exit());
