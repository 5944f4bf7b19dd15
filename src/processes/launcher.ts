/**
 * Starts the processes of a server, restarts those that die, and forwards questions between them. It reads no log and
 * answers no request.
 *
 * A process that dies after it has served, or that a signal kills, is restarted, with a growing delay if it keeps
 * dying. When a process exits while it starts, because it cannot serve, the whole server exits with the same code.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { Logger } from '../runtime/logger.ts';
import type { Question, ToLauncher, ToProcess } from './process-message.ts';

/** SIGHUP is sent by a closing terminal. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/**
 * After a write is acknowledged no process may answer without it: a process that has not confirmed it by then is
 * killed.
 */
const HEARD_MS_MAX = 5_000;
/** A process that does not answer a question about counts within this time is left out of the sum. */
const ANSWER_MS_MAX = 1_000;
const RESTART_MS_MIN = 100;
const RESTART_MS_MAX = 10_000;
/** After a life of this length the delay before a restart is the shortest again. */
const LONG_LIFE_MS = 60_000;

export interface LauncherPlan {
  /** 2 or more. */
  readonly processes: number;
  /** Milliseconds from a signal until processes that still run are killed. */
  readonly stopMs: number;
  /** What each process runs: a module that joins (`Siblings.join`). */
  readonly program: string;
  readonly logger: Pick<Logger, 'error'>;
  /** Milliseconds after which a process that has not confirmed a write is killed; default 5 s. */
  readonly heardMsMax?: number;
}

/**
 * Runs until a signal, or a process that cannot start, ends the server. Resolves with the exit code; null when a
 * process was killed by a signal while it started.
 */
export function launch(plan: LauncherPlan): Promise<number | null> {
  return new Promise((resolve) => {
    const launcher = new Launcher(plan, resolve);
    for (const signal of STOP_SIGNALS) process.on(signal, () => launcher.stop(signal));
    launcher.start();
  });
}

export class Launcher {
  readonly #plan: LauncherPlan;
  readonly #done: (exitCode: number | null) => void;
  readonly #living = new Map<number, LaunchedProcess>();
  readonly #deaths: number[];
  #port: number | null = null;
  #restarts = 0;
  #isComplete = false;
  #isStopping = false;
  #exitCode: number | null = 0;

  constructor(plan: LauncherPlan, done: (exitCode: number | null) => void) {
    this.#plan = plan;
    this.#done = done;
    this.#deaths = new Array<number>(plan.processes).fill(0);
  }

  /** The first process chooses the port; the others start once it listens. */
  start(): void {
    this.#start(0);
  }

  #start(index: number): void {
    if (this.#isStopping) return;
    const { program } = this.#plan;
    const started = new LaunchedProcess(index, program, (from, message) => this.#receive(from, message));
    this.#living.set(index, started);
    void started.ended.then((end) => this.#ended(started, end));
  }

  #receive(from: LaunchedProcess, message: Request): void {
    switch (message.kind) {
      case 'joined':
        this.#place(from);
        break;
      case 'listening':
        this.#listens(from, message.port);
        break;
      case 'ask':
        void this.#ask(from, message);
        break;
    }
  }

  #place(joined: LaunchedProcess): void {
    joined.hasJoined = true;
    const { index } = joined;
    const count = this.#plan.processes;
    joined.send({ kind: 'place', place: { index, count, port: this.#port, restarts: this.#restarts } });
  }

  #listens(from: LaunchedProcess, port: number): void {
    from.isListening = true;
    if (this.#port === null) {
      this.#port = port;
      for (let index = 1; index < this.#plan.processes; index++) this.#start(index);
    }
    const living = [...this.#living.values()];
    if (this.#isComplete) from.send({ kind: 'complete' });
    else if (living.length === this.#plan.processes && living.every(({ isListening }) => isListening)) {
      this.#isComplete = true;
      for (const each of living) each.send({ kind: 'complete' });
    }
  }

  async #ask(
    from: LaunchedProcess,
    { number, to, mustAnswer, question }: Extract<Request, { readonly kind: 'ask' }>,
  ): Promise<void> {
    const asked = [...this.#living.values()].filter(
      (each) => each !== from && each.hasJoined && (to === 'all' || each.index === 0),
    );
    const ms = mustAnswer ? (this.#plan.heardMsMax ?? HEARD_MS_MAX) : ANSWER_MS_MAX;
    const values = await Promise.all(asked.map((each) => each.ask(question, ms, mustAnswer)));
    from.send({ kind: 'answers', number, values } satisfies ToProcess);
  }

  #ended(process: LaunchedProcess, end: ProcessEnd): void {
    const { index, isListening, startedMs } = process;
    this.#living.delete(index);
    if (this.#isStopping) {
      this.#noteStopped();
      return;
    }
    const { logger } = this.#plan;
    const isRefusal = !isListening && (end.code !== null || !this.#isComplete);
    if (isRefusal) {
      logger.error('process.not_started', { process: index, code: end.code, signal: end.signal });
      this.#stop('SIGTERM', end.code === 0 ? null : end.code);
      return;
    }
    const deaths = performance.now() - startedMs > LONG_LIFE_MS ? 0 : (this.#deaths[index] ?? 0);
    this.#deaths[index] = deaths + 1;
    const waitMs = Math.min(RESTART_MS_MAX, RESTART_MS_MIN * 2 ** deaths);
    logger.error('process.ended', { process: index, code: end.code, signal: end.signal, waitMs });
    setTimeout(() => this.#restart(index), waitMs);
  }

  #restart(index: number): void {
    this.#restarts++;
    this.#start(index);
    for (const each of this.#living.values()) each.send({ kind: 'restarted', restarts: this.#restarts });
  }

  /** Ignores any further signal. */
  stop(signal: NodeJS.Signals): void {
    if (!this.#isStopping) this.#stop(signal, 0);
  }

  #stop(signal: NodeJS.Signals, exitCode: number | null): void {
    this.#isStopping = true;
    this.#exitCode = exitCode;
    for (const each of this.#living.values()) each.kill(signal);
    setTimeout(() => {
      for (const each of this.#living.values()) each.kill('SIGKILL');
    }, this.#plan.stopMs).unref();
    this.#noteStopped();
  }

  /** The first process exits last, because it stores what the others have counted. */
  #noteStopped(): void {
    const { size } = this.#living;
    if (size === 0) this.#done(this.#exitCode);
    else if (size === 1) this.#living.get(0)?.send({ kind: 'alone' });
  }
}

/** A message for the launcher itself, not for one of its questions. */
type Request = Exclude<ToLauncher, { readonly kind: 'answer' }>;

/** How a process ended: its exit code, or null where a signal ended it. */
interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One process: its channel, and its unanswered questions. */
class LaunchedProcess {
  readonly index: number;
  readonly startedMs = performance.now();
  readonly ended: Promise<ProcessEnd>;
  /** True once it receives the questions that go to all processes. */
  hasJoined = false;
  isListening = false;
  readonly #child: ChildProcess;
  readonly #questions = new Map<number, (value: unknown) => void>();
  #lastTicket = 0;

  constructor(index: number, program: string, receive: (from: LaunchedProcess, message: Request) => void) {
    this.index = index;
    // Messages contain maps and buffers.
    this.#child = fork(program, {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child.on('message', (message: ToLauncher) => {
      if (message.kind !== 'answer') receive(this, message);
      else this.#answered(message.ticket, message.value);
    });
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        for (const ticket of [...this.#questions.keys()]) this.#answered(ticket, null);
        resolve({ code, signal });
      };
      this.#child.once('exit', end);
      this.#child.once('error', () => end(null, null));
    });
  }

  send(message: ToProcess): void {
    // A failure means that the process has exited, so the message is not needed.
    this.#child.send(message, () => {});
  }

  /** The answer; null when the process exits, or does not answer within `ms`. With `mustAnswer` it is killed then. */
  ask(question: Question, ms: number, mustAnswer: boolean): Promise<unknown> {
    return new Promise((resolve) => {
      const ticket = ++this.#lastTicket;
      const timer = setTimeout(() => {
        if (mustAnswer) this.kill('SIGKILL');
        else this.#answered(ticket, null);
      }, ms);
      this.#questions.set(ticket, (value) => {
        clearTimeout(timer);
        resolve(value);
      });
      this.send({ kind: 'question', ticket, question });
    });
  }

  #answered(ticket: number, value: unknown): void {
    this.#questions.get(ticket)?.(value);
    this.#questions.delete(ticket);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}
