/** Runs `ratewright` as a person does, a process of its own on a data folder, or many commands in one process. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../src/cli.js', import.meta.url));
const MANY = fileURLToPath(new URL('./many-commands.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Call {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** One of many commands: it has no standard input. */
export interface CallOfMany {
  readonly args: readonly string[];
  /** Names that `cleanEnvironment` leaves out. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Settings of whoever runs the tests do not count. */
export function cleanEnvironment(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('RATEWRIGHT_'));
  return Object.fromEntries(kept);
}

/** `ratewright args...` on this data folder; resolves when it has ended. */
export function runCommand(
  dataFolder: string,
  args: readonly string[],
  { input = '', environment = {} }: Call = {},
): Promise<Ended> {
  return runProgram([PROGRAM, ...args], { RATEWRIGHT_DATA: dataFolder, ...environment }, input);
}

/**
 * The commands one after the other, each as `runCommand` but for the process: to start one takes longer than what most
 * commands do.
 */
export async function runCommands(
  dataFolder: string,
  calls: readonly CallOfMany[],
): Promise<readonly Ended[]> {
  const { code, stdout, stderr } = await runProgram(
    [MANY],
    { RATEWRIGHT_DATA: dataFolder },
    JSON.stringify(calls),
  );
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout) as readonly Ended[];
}

function runProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  input: string,
): Promise<Ended> {
  const child = spawn(process.execPath, args, { env: { ...cleanEnvironment(), ...environment } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  // A command that fails before it reads its input is no failure of the test.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
