/**
 * Starts the processes of a server, watches them, and passes on what one asks the others. It reads no log and answers no
 * request.
 *
 * A process that served and died, or that a signal ended, is started anew, soon at first and later if it goes on dying. One
 * that says while it starts that it cannot serve ends the server with its exit code, as a server of one process ends.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { Logger } from '../runtime/logger.ts';
import type { Question, ToLauncher, ToProcess } from './process-message.ts';

/** SIGHUP is sent by a closing terminal. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** From an acknowledged write on no process may answer without it: one that has not heard of it by then is ended. */
const HEARD_MS_MAX = 5_000;
/** A process that is busy for longer is left out of what is added up. */
const ANSWER_MS_MAX = 1_000;
const RESTART_MS_MIN = 100;
const RESTART_MS_MAX = 10_000;
/** A process that lived as long is started anew at once again. */
const LONG_LIFE_MS = 60_000;

export interface LauncherPlan {
  /** 2 or more. */
  readonly processes: number;
  /** Milliseconds from a signal to the end of all of them. */
  readonly stopMs: number;
  /** What each process runs: a module that joins (`Siblings.join`). */
  readonly program: string;
  readonly logger: Pick<Logger, 'error'>;
  /** Milliseconds after which a process that has not heard of a write is ended; 5 s where it is left out. */
  readonly heardMsMax?: number;
}

/**
 * Runs until a signal or a process that cannot start ends the server. Resolves with the exit code; null when a signal
 * that nobody sent to the server ended a process that was starting.
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

  /** The first one finds out which port is free. */
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

  /** A further signal changes nothing. */
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

  /** The first process ends last: it keeps what the others still count. */
  #noteStopped(): void {
    const { size } = this.#living;
    if (size === 0) this.#done(this.#exitCode);
    else if (size === 1) this.#living.get(0)?.send({ kind: 'alone' });
  }
}

/** What the launcher itself is told. */
type Request = Exclude<ToLauncher, { readonly kind: 'answer' }>;

/** How a process ended: its exit code, or null where a signal ended it. */
interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One process: its channel, and the questions that it has not answered. */
class LaunchedProcess {
  readonly index: number;
  readonly startedMs = performance.now();
  readonly ended: Promise<ProcessEnd>;
  /** It takes part in what is asked of all. */
  hasJoined = false;
  isListening = false;
  readonly #child: ChildProcess;
  readonly #questions = new Map<number, (value: unknown) => void>();
  #lastTicket = 0;

  constructor(index: number, program: string, receive: (from: LaunchedProcess, message: Request) => void) {
    this.index = index;
    // What the processes count has maps and bytes in it.
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
    // One that has ended needs to be told nothing.
    this.#child.send(message, () => {});
  }

  /** Its answer; null when it ended, or did not answer within `ms`. With `mustAnswer` it is then ended. */
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
