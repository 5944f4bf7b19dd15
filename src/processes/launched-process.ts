/** One process as the launcher has it: its channel, and the questions that it has not answered. */
import { type ChildProcess, fork } from 'node:child_process';
import type { ProcessPlace, Question, ToLauncher, ToProcess } from './process-message.ts';

/** What the launcher itself is told. */
export type Request = Exclude<ToLauncher, { readonly kind: 'answer' }>;

/** How a process ended: its exit code, or null where a signal ended it. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class LaunchedProcess {
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

  place(place: ProcessPlace): void {
    this.hasJoined = true;
    this.send({ kind: 'place', place });
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
