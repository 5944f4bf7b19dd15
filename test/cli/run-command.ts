/** Runs `ratewright` as a person does, a process of its own on a data folder, or in one process with other commands. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

export const PROGRAM = fileURLToPath(new URL('../../src/cli.js', import.meta.url));
const HOST = fileURLToPath(new URL('./command-host.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Call {
  readonly input?: string;
  /** Names that `cleanEnvironment` leaves out. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** What can be asked of a command in a process of its own. */
export interface LoneCall extends Call {
  /** The file that standard output is, which is then not read. */
  readonly stdoutPath?: string;
}

/** On which nothing can be written; null where the system has no such file. */
export const FULL_PATH = existsSync('/dev/full') ? '/dev/full' : null;

/** What the host of commands is told. */
export interface HostedCall {
  readonly args: readonly string[];
  readonly input: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Settings of whoever runs the tests do not count. */
export function cleanEnvironment(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('RATEWRIGHT_'));
  return Object.fromEntries(kept);
}

/** `ratewright args...` on this data folder, in a process of its own; resolves when it has ended. */
export function runCommand(
  dataFolder: string,
  args: readonly string[],
  { input = '', environment = {}, stdoutPath }: LoneCall = {},
): Promise<Ended> {
  const file = stdoutPath === undefined ? null : openSync(stdoutPath, 'w');
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...cleanEnvironment(), RATEWRIGHT_DATA: dataFolder, ...environment },
    stdio: ['pipe', file ?? 'pipe', 'pipe'],
  });
  if (file !== null) closeSync(file);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  // A command that fails before it reads its input is no failure of the test.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** The process in which the commands of this test file run, from the first of them on. */
let host: ChildProcess | null = null;
let last: Promise<unknown> = Promise.resolve();
after(async () => {
  if (host === null) return;
  const ended = once(host, 'exit');
  host.disconnect();
  await ended;
});

/**
 * As `runCommand`, but in one process with all others that are called so, one after the other: to start one takes longer
 * than what most commands do. Rejects when that process ends.
 */
export function callCommand(
  dataFolder: string,
  args: readonly string[],
  { input = '', environment = {} }: Call = {},
): Promise<Ended> {
  const call: HostedCall = { args, input, environment: { RATEWRIGHT_DATA: dataFolder, ...environment } };
  const ended = last.then(() => inHost(call));
  last = ended.catch(() => {});
  return ended;
}

async function inHost(call: HostedCall): Promise<Ended> {
  host ??= fork(HOST, {
    env: cleanEnvironment(),
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const isOver = new AbortController();
  const { signal } = isOver;
  const answered = once(host, 'message', { signal });
  const gone = once(host, 'exit', { signal }).then(([code, killed]) => {
    throw new Error(`the process of the commands ended with ${code ?? killed}`);
  });
  host.send(call);
  try {
    return (await Promise.race([answered, gone]))[0] as Ended;
  } finally {
    isOver.abort();
  }
}
