/**
 * Child processes of the suite: pinned to a core of their own where the system can, and never left behind.
 * They end with the part that started them, with the suite, and, where `setpriv` exists, also when the
 * suite itself is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { ENGINE_FLAGS } from '../../src/base/runtime/engine-flags.ts';
import { type CorePlan, planCores, type Role } from './core-plan.ts';
import { isOnPath } from './executable.ts';

interface ChildOptions {
  readonly role: Role;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Opens a channel for messages. */
  readonly hasChannel?: boolean;
}

/** Characters of stderr that are kept to explain an early end. */
const STDERR_MAX = 4_000;
/** How long a child may take to end by itself. */
const STOP_MS = 6_000;

export class ChildFailure extends Error {
  override readonly name = 'ChildFailure';
}

export class Child {
  readonly process: ChildProcess;
  readonly name: string;
  stdout = '';
  stderr = '';
  readonly ended: Promise<number | null>;

  constructor(name: string, process: ChildProcess) {
    this.name = name;
    this.process = process;
    process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-STDERR_MAX);
    });
    this.ended = new Promise((resolve) => {
      process.once('error', (cause) => {
        this.stderr += cause.message;
        resolve(null);
      });
      process.once('close', (code) => resolve(code));
    });
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  get hasEnded(): boolean {
    return (
      this.process.exitCode !== null || this.process.signalCode !== null || this.process.pid === undefined
    );
  }

  /** The first message from the child. Rejects when it ends without one. */
  async message(): Promise<unknown> {
    const message = once(this.process, 'message').then(([first]) => first as unknown);
    const end = this.ended.then((code) => {
      throw this.failure(`ended with ${code} before it answered`);
    });
    return Promise.race([message, end]);
  }

  failure(what: string): ChildFailure {
    const said = this.stderr.trim();
    return new ChildFailure(`${this.name} ${what}${said === '' ? '' : `: ${said}`}`);
  }

  /** Asks the child to end and waits; kills it when it does not. */
  async stop(): Promise<void> {
    if (this.hasEnded) return;
    const timer = setTimeout(() => this.process.kill('SIGKILL'), STOP_MS);
    this.process.kill('SIGTERM');
    await this.ended;
    clearTimeout(timer);
  }
}

export class ChildProcesses {
  readonly cores: CorePlan = planCores();
  readonly #running = new Set<Child>();
  readonly #dieWithParent = isOnPath('setpriv') ? ['setpriv', '--pdeathsig', 'KILL'] : [];

  start(name: string, command: string, args: readonly string[], options: ChildOptions): Child {
    const [program, ...rest] = [...this.cores.pin(options.role), ...this.#dieWithParent, command, ...args];
    const spawned = spawn(program as string, rest, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe', ...(options.hasChannel === true ? (['ipc'] as const) : [])],
    });
    const child = new Child(name, spawned);
    this.#running.add(child);
    void child.ended.then(() => this.#running.delete(child));
    return child;
  }

  /** Starts a compiled script with this Node. Whatever serves gets the flags that `ratewright` starts with. */
  startNode(name: string, script: string, args: readonly string[], options: ChildOptions): Child {
    const flags = options.role === 'load' ? [] : Object.keys(ENGINE_FLAGS);
    return this.start(name, process.execPath, [...flags, script, ...args], options);
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#running].map((child) => child.stop()));
  }

  /** For an exit handler, which cannot wait. */
  killAll(): void {
    for (const child of this.#running) child.process.kill('SIGKILL');
  }
}
