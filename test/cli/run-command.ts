/** Runs `ratewright` on a data folder: in a separate process, or in one process with other commands. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { programPath } from '../../src/base/runtime/package-files.ts';
import { cleanEnvironment } from '../support/server-process.ts';

export const PROGRAM = programPath('cli.js');
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

/** Options of a command in a separate process. */
export interface LoneCall extends Call {
  /** The file for standard output, which is not read then. */
  readonly stdoutPath?: string;
}

/** A file on which every write fails; null when the system has none. */
export const FULL_PATH = existsSync('/dev/full') ? '/dev/full' : null;

/** A message to the host of commands. */
export interface HostedCall {
  readonly args: readonly string[];
  readonly input: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs `ratewright args...` on this data folder in a separate process; resolves when it has ended. */
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
  // A command may fail before it reads its input.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** The process in which the commands of this process run; started with the first command, it ends with this one. */
let host: ChildProcess | null = null;
let last: Promise<unknown> = Promise.resolve();

/** Whether the host keeps this process alive. */
function keepAlive(commands: ChildProcess, isKept: boolean): void {
  for (const handle of [commands, commands.channel]) handle?.[isKept ? 'ref' : 'unref']();
}

/**
 * As `runCommand`, but in one process with all other commands that are called in this way, one after the other, because
 * the start of a process takes longer than most commands. Rejects when that process ends.
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
  keepAlive(host, true);
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
    keepAlive(host, false);
  }
}
