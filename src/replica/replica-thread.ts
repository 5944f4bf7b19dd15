/**
 * One replica as the owner of the shops has it: starts the thread, answers what it forwards, lends it shops, and
 * asks it what only it knows.
 */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { bytesOfTexts } from '../bytes/text-bytes.ts';
import { success } from '../domain/failure.ts';
import type { RequestHead } from '../http/request-head.ts';
import type { ResponsePort } from '../http/response-port.ts';
import type { Logger } from '../runtime/logger.ts';
import type { SimulationBatch } from '../shadow/live-shadow.ts';
import type { ShopDirectory } from '../shop/shop-access.ts';
import type { HeavyAnswer, HeavyPort } from '../worker/heavy-work.ts';
import { ForwardedRequests } from './forwarded-requests.ts';
import type { Holder, PublishedShops } from './published-shops.ts';
import type { Question, ReplicaSettings, Replies, ToOwner, ToReplica } from './replica-message.ts';

/** What a replica needs of the owner. */
export interface OwnerPorts {
  readonly shops: ShopDirectory;
  readonly heavy: Pick<HeavyPort, 'answerUnread'>;
  readonly published: PublishedShops;
  readonly logger: Logger;
  /** Answers a forwarded request. */
  readonly receive: (res: ResponsePort, head: RequestHead) => void;
  /** Shows simulations of a shop in memory to its changeset. */
  readonly takeBatch: (batch: SimulationBatch) => void;
  /** Adds what simulations of a shop used. */
  readonly addUses: (shopId: string, uses: Uint8Array) => void;
  readonly noteKeyUse: (uses: ReadonlyMap<string, number>) => void;
  /** The thread failed: the process must answer what it can, stop, and recover at its next start. */
  readonly onFatal: (cause: Error) => void;
}

/** A replica that does not come up; the message is one line for a person. */
export class ReplicaStartError extends Error {
  override readonly name = 'ReplicaStartError';
}

const WORKER_FILE = fileURLToPath(new URL('./replica-worker.js', import.meta.url));

export class ReplicaThread implements Holder {
  /** Resolves when it serves; rejects with `ReplicaStartError`. */
  readonly started: Promise<void>;
  /** Resolves when the thread is gone. */
  readonly ended: Promise<void>;
  readonly #ports: OwnerPorts;
  readonly #worker: Worker;
  readonly #forwarded: ForwardedRequests;
  readonly #questions = new Map<number, (value: unknown) => void>();
  #lastQuestion = 0;
  #isStarting = true;
  #isClosing = false;
  #start: { readonly resolve: () => void; readonly reject: (error: Error) => void };

  /** `workerFile` is another program for the thread, for tests. */
  constructor(settings: ReplicaSettings, ports: OwnerPorts, workerFile: string = WORKER_FILE) {
    this.#ports = ports;
    this.#forwarded = new ForwardedRequests(ports.receive, (message, transfer) =>
      this.#post(message, transfer),
    );
    this.#start = { resolve: () => {}, reject: () => {} };
    this.started = new Promise((resolve, reject) => {
      this.#start = { resolve, reject };
    });
    const worker = new Worker(workerFile, { workerData: settings });
    this.#worker = worker;
    this.ended = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#fail(new Error('a thread that serves the port ended'));
        resolve();
      });
    });
    worker.on('message', (message: ToOwner) => this.#receive(message));
    worker.on('error', (error) => this.#fail(error));
  }

  /** The answer to a question; never when the thread ends before. */
  ask<Q extends Question>(question: Q): Promise<Replies[Q['kind']]> {
    return new Promise((resolve) => {
      const number = ++this.#lastQuestion;
      // Sound: a replica replies to a question with what belongs to its kind.
      this.#questions.set(number, resolve as (value: unknown) => void);
      this.#post({ kind: 'ask', number, question });
    });
  }

  gone(shopId: string, slot: number): void {
    this.#post({ kind: 'gone', shopId, slot });
  }

  /** Closes its connections and ends the thread. */
  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#post({ kind: 'close' });
  }

  #post(message: ToReplica, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #fail(cause: Error): void {
    if (this.#isStarting) this.#start.reject(new ReplicaStartError(cause.message, { cause }));
    else if (!this.#isClosing) this.#ports.onFatal(cause);
  }

  #receive(message: ToOwner): void {
    const { logger, published, noteKeyUse } = this.#ports;
    switch (message.kind) {
      case 'request':
      case 'part':
      case 'over':
        this.#forwarded.take(message);
        break;
      case 'borrow':
        void this.#lend(message.shopId);
        break;
      case 'release':
        published.release(message.shopId, message.slot, this);
        break;
      case 'used':
        this.#ports.addUses(message.shopId, message.uses);
        break;
      case 'simulated':
        void this.#take(message.batch);
        break;
      case 'heavy':
        void this.#answerHeavy(message);
        break;
      case 'keyUse':
        noteKeyUse(message.uses);
        break;
      case 'line':
        logger[message.level](message.event, message.fields);
        break;
      case 'reply':
        this.#questions.get(message.number)?.(message.value);
        this.#questions.delete(message.number);
        break;
      case 'listening':
        this.#isStarting = false;
        this.#start.resolve();
        break;
      case 'failed':
        this.#fail(message.error);
        break;
    }
  }

  async #lend(shopId: string): Promise<void> {
    const { shops, published } = this.#ports;
    try {
      await shops.load(shopId);
    } catch {
      // Whoever asks for this shop is forwarded, and told what is wrong.
    }
    this.#post({ kind: 'lent', shopId, loan: published.lend(shopId, this) });
  }

  async #answerHeavy({
    number,
    shopId,
    question,
  }: Extract<ToOwner, { readonly kind: 'heavy' }>): Promise<void> {
    const { shops, heavy } = this.#ports;
    let answer: HeavyAnswer | null = null;
    try {
      answer = await heavy.answerUnread(shops.loaded(shopId) ?? (await shops.load(shopId)), question);
    } catch {
      // The replica has a copy of the shop, which will do.
    }
    this.#post({ kind: 'heavyAnswer', number, answer: answer === null ? null : ownedAnswer(answer) });
  }

  async #take(batch: SimulationBatch): Promise<void> {
    const { shops, takeBatch } = this.#ports;
    try {
      if (shops.loaded(batch.shopId) === undefined) await shops.load(batch.shopId);
      takeBatch(batch);
    } catch {
      // The shop cannot be loaded: nobody can ask for its results either.
    }
    this.#post({ kind: 'taken', requests: batch.texts.length, bytes: bytesOfTexts(batch.texts) });
  }
}

/** The answer with bytes of its own: nobody tells here when the far end has sent them. */
function ownedAnswer({ release, ...answer }: HeavyAnswer): HeavyAnswer {
  if (release === undefined || !answer.outcome.ok) return answer;
  const outcome = success(new Uint8Array(answer.outcome.value));
  release();
  return { ...answer, outcome };
}
