/**
 * A real server in a separate process, with a free port and a new data folder, which end-to-end tests use, kill and
 * restart.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { type CallOutcome, createClient, type RatewrightClient } from '../../src/front/client/client.ts';
import { checkReply } from './reply-check.ts';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const COMMAND = join(PROJECT, 'dist/program/cli.js');
/** Long enough for a machine whose cores are busy with other work. */
const START_MS_MAX = 300_000;

/** The environment without the settings of the user who runs the tests, and without what tells tests how to run. */
export function cleanEnvironment(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('RATEWRIGHT_'));
  return Object.fromEntries(kept);
}

/** Environment of a server with code coverage, if the test process has it. */
export const COUNTED = { NODE_V8_COVERAGE: process.env['NODE_V8_COVERAGE'] ?? '' };

export const DEMO_KEY = 'rw_demo_key_of_the_tests_0123456789abcdef';

/** The key of operators. */
export const OPERATOR_KEY = 'operator-key-of-the-tests-0123456789';

const keyFor = (path: string): string => (path.startsWith('/operator/') ? OPERATOR_KEY : DEMO_KEY);

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly body: unknown;
}

export interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null sends no Authorization header. */
  readonly key?: string | null;
}

/** Servers that run, by their process, with their data folders. */
const running = new Map<ChildProcess, string>();

/** A folder; `discard` removes it, after it has killed the servers that a failed test left in it. */
export async function temporaryFolder(): Promise<{ path: string; discard: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'ratewright-test-'));
  const discard = async () => {
    for (const [child, dataFolder] of running) {
      if (!dataFolder.startsWith(path)) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(path, { recursive: true, force: true });
  };
  return { path, discard };
}

/** The value of a call, which must succeed. */
export function answered<T>(outcome: CallOutcome<T>): T {
  assert.ok(outcome.ok, outcome.ok ? '' : `${outcome.code}: ${outcome.message}`);
  return outcome.value;
}

/** Long enough for slow machines. */
const CLIENT_DEADLINE_MS = 60_000;

export class ServerProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** A client with the key of the demo shop. */
  readonly client: RatewrightClient;
  readonly #agent = new Agent({ connections: 64, pipelining: 1 });
  readonly #output: { stdout: string; stderr: string };

  private constructor(url: string, child: ChildProcess, output: { stdout: string; stderr: string }) {
    this.url = url;
    this.process = child;
    this.#output = output;
    this.client = createClient({ url, key: DEMO_KEY, deadlineMs: CLIENT_DEADLINE_MS });
  }

  /**
   * Starts `ratewright serve` on the data folder and waits until it prints where it listens. `launcher` is a program
   * and arguments that run the server, such as `strace -D`; `flags` are those of Node.
   */
  static async start(
    dataFolder: string,
    environment: Readonly<Record<string, string>> = {},
    launcher: readonly string[] = [],
    flags: readonly string[] = [],
  ): Promise<ServerProcess> {
    const command = [...launcher, process.execPath, ...flags, COMMAND, 'serve'];
    const [program = process.execPath, ...values] = command;
    const child = spawn(program, values, {
      cwd: PROJECT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...cleanEnvironment(),
        // Coverage makes a start a fifth slower, so only a few servers have it; see `COUNTED`.
        NODE_V8_COVERAGE: '',
        RATEWRIGHT_PORT: '0',
        RATEWRIGHT_DATA: dataFolder,
        RATEWRIGHT_DEMO_KEY: DEMO_KEY,
        RATEWRIGHT_OPERATOR_KEY: OPERATOR_KEY,
        RATEWRIGHT_LOG_LEVEL: 'warn',
        ...environment,
      },
    });
    running.set(child, dataFolder);
    child.once('exit', () => running.delete(child));
    const output = { stdout: '', stderr: '' };
    child.stderr?.on('data', (chunk: Buffer) => {
      output.stderr += chunk;
    });
    const url = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`no address within ${START_MS_MAX} ms: ${output.stdout}${output.stderr}`));
      }, START_MS_MAX);
      child.stdout?.on('data', (chunk: Buffer) => {
        output.stdout += chunk;
        const found = /http:\/\/127\.0\.0\.1:[0-9]+/.exec(output.stdout);
        if (found === null) return;
        clearTimeout(timer);
        resolve(found[0]);
      });
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        reject(new Error(`ended with ${code ?? signal}: ${output.stdout}${output.stderr}`));
      });
    });
    return new ServerProcess(url, child, output);
  }

  /** The output so far. */
  get output(): { readonly stdout: string; readonly stderr: string } {
    return this.#output;
  }

  /** Sends one request, without repetition; a body that is not a string is sent as JSON. */
  async call(path: string, { method, body, headers = {}, key = keyFor(path) }: Call = {}): Promise<Reply> {
    const verb = method ?? (body === undefined ? 'GET' : 'POST');
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await request(`${this.url}${path}`, {
      dispatcher: this.#agent,
      method: verb as 'GET',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    });
    const answer = await reply.body.text();
    checkReply(verb, path, reply.statusCode, answer);
    return { status: reply.statusCode, headers: reply.headers, text: answer, body: parsed(answer) };
  }

  /** Sends a signal and waits for the end; resolves with the exit code or the signal. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals | null> {
    const { process: child } = this;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    }
    await Promise.all([this.#agent.destroy(), this.client.close()]);
    return child.exitCode ?? child.signalCode;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
