/** The connection of one process to the other processes of its server. */
import type { Handlers, ProcessPlace, Question, Reply, ToLauncher, ToProcess } from './process-message.ts';

/** The channel to the launcher. */
export interface LauncherChannel {
  send(message: ToLauncher): void;
  onMessage(receive: (message: ToProcess) => void): void;
  onClosed(closed: () => void): void;
}

export class Siblings {
  readonly place: ProcessPlace;
  /** Resolves when the other processes have exited. */
  readonly alone: Promise<void>;
  /** Resolves when the launcher has exited: writes can no longer be announced, and no process is restarted. */
  readonly orphaned: Promise<void>;
  readonly #channel: LauncherChannel;
  readonly #complete: Promise<void>;
  readonly #asked = new Map<number, (values: readonly unknown[]) => void>();
  #handlers: Handlers | null = null;
  /** Questions that arrived before `answerWith` was called. */
  #early: (() => void)[] = [];
  #lastNumber = 0;
  #restarts: number;

  /**
   * Resolves when the process has its place. Call it before anything is read from the log: all writes acknowledged
   * earlier are in the log, and all later ones are announced to this process.
   */
  static join(channel: LauncherChannel): Promise<Siblings> {
    return new Promise((resolve) => {
      let siblings: Siblings | null = null;
      channel.onMessage((message) => {
        if (message.kind !== 'place') siblings?.receive(message);
        else {
          siblings = new Siblings(channel, message.place);
          resolve(siblings);
        }
      });
      channel.send({ kind: 'joined' });
    });
  }

  #isComplete: () => void = () => {};
  #isAlone: () => void = () => {};

  private constructor(channel: LauncherChannel, place: ProcessPlace) {
    this.#channel = channel;
    this.place = place;
    this.#restarts = place.restarts;
    this.#complete = new Promise((resolve) => {
      this.#isComplete = resolve;
    });
    this.alone = new Promise((resolve) => {
      this.#isAlone = resolve;
    });
    this.orphaned = new Promise((resolve) => channel.onClosed(resolve));
  }

  get isFirst(): boolean {
    return this.place.index === 0;
  }

  /** Number of restarts of processes so far. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Reports the port of this process. Resolves when all processes listen. */
  listening(port: number): Promise<void> {
    this.#channel.send({ kind: 'listening', port });
    return this.#complete;
  }

  /** Answers questions with these handlers from now on, and those that have arrived already. */
  answerWith(handlers: Handlers): void {
    this.#handlers = handlers;
    for (const answer of this.#early.splice(0)) answer();
  }

  /** The answers of all other processes; null for a process that exits or is too busy. */
  askAll<Q extends Question>(question: Q): Promise<readonly (Reply<Q['kind']> | null)[]> {
    return this.#ask('all', question, false);
  }

  /** The answer of the first process; null when it exits or is too busy. */
  async askFirst<Q extends Question>(question: Q): Promise<Reply<Q['kind']> | null> {
    const [answer = null] = await this.#ask('first', question, false);
    return answer;
  }

  /**
   * Resolves once every other process shows the shop's records up to this number and refuses the keys that they
   * revoke. A process that does not answer is killed. Resolves with true when another process should append next.
   * Never rejects; without a launcher it never resolves, so the write is not acknowledged.
   */
  async written(shopId: string, sequenceNumber: number, mayRevoke: boolean): Promise<boolean> {
    const question = { kind: 'written', shopId, sequenceNumber, mayRevoke } as const;
    return (await this.#ask('all', question, true)).includes(true);
  }

  /**
   * False while a write of the shop waits in another process, or a process does not answer. A deletion asks this so
   * that such a write is not refused. The deletion itself detects a record that was appended meanwhile.
   */
  async areIdle(shopId: string): Promise<boolean> {
    const areBusy = await this.askAll({ kind: 'busy', shopId });
    return areBusy.every((isBusy) => isBusy === false);
  }

  #ask<Q extends Question>(
    to: 'all' | 'first',
    question: Q,
    mustAnswer: boolean,
  ): Promise<readonly (Reply<Q['kind']> | null)[]> {
    return new Promise((resolve) => {
      const number = ++this.#lastNumber;
      // Sound: the answer to a question has the type of its kind.
      this.#asked.set(number, resolve as (values: readonly unknown[]) => void);
      this.#channel.send({ kind: 'ask', number, to, mustAnswer, question });
    });
  }

  /** Handles a message of the launcher. */
  receive(message: Exclude<ToProcess, { readonly kind: 'place' }>): void {
    switch (message.kind) {
      case 'complete':
        this.#isComplete();
        break;
      case 'restarted':
        this.#restarts = message.restarts;
        break;
      case 'alone':
        this.#isAlone();
        break;
      case 'question':
        this.#take(message.ticket, message.question);
        break;
      case 'answers':
        this.#asked.get(message.number)?.(message.values);
        this.#asked.delete(message.number);
        break;
    }
  }

  #take(ticket: number, question: Question): void {
    if (this.#handlers !== null) void this.#answer(ticket, question, this.#handlers);
    // Nothing has been read from the log yet, so nothing is stale.
    else if (question.kind === 'written') this.#channel.send({ kind: 'answer', ticket, value: false });
    else this.#early.push(() => this.#take(ticket, question));
  }

  async #answer(ticket: number, question: Question, handlers: Handlers): Promise<void> {
    // Sound: the handler is the one of the question's kind.
    const handle = handlers[question.kind] as (question: Question) => unknown;
    let value: unknown = null;
    try {
      value = await handle(question);
    } catch {
      // The shop cannot be loaded. Requests for it get the error.
    }
    this.#channel.send({ kind: 'answer', ticket, value });
  }
}

/** The channel of this process. Throws when no launcher has started it. */
export function ownChannel(): LauncherChannel {
  if (process.send === undefined) throw new Error('a process of a server is started by it');
  return {
    // When the launcher has exited, the channel closes.
    send: (message) => process.send?.(message, undefined, undefined, () => {}),
    onMessage: (receive) => process.on('message', (message) => receive(message as ToProcess)),
    onClosed: (closed) => process.once('disconnect', closed),
  };
}
