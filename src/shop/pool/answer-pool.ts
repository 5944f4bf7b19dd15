/**
 * The pool of worker threads, which answers questions: all that may take longer than the cart of a checkout. A question is
 * answered from the shop as of the newest record that readers see when it is asked, so it sees every write that was
 * acknowledged before.
 *
 * Promises: a question is answered once, or refused: with RATE_LIMITED when too many are open, with UNAVAILABLE when its
 * thread is lost or later than the deadline. The event loop answers none in its place. A question rejects only for a bug
 * or a damaged log.
 *
 * Bounds: `threads` threads, each with one question; `openMax` open questions, half of them of one shop, with bodies of
 * `textMax` characters.
 */
import type { Piscina } from 'piscina';
import type { Metrics, PoolReading } from '../../base/metrics/metrics.ts';
import { settledWithin } from '../../base/pace/settled-within.ts';
import type { Logger } from '../../base/runtime/logger.ts';
import { programPath } from '../../base/runtime/package-files.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import { ATTRIBUTES, type Span } from '../../base/tracing/span.ts';
import {
  type Failure,
  type FailureCode,
  isFault,
  type Outcome,
  rateLimited,
  success,
  unavailable,
} from '../../engine/domain/failure.ts';
import { DamagedLogError } from '../../store/log/event-log.ts';
import type { Origin } from '../reader/shop-access.ts';
import type { ShopReader } from '../reader/shop-reader.ts';
import type { Uses } from '../reader/simulation-watch.ts';
import { VERSION_CACHE_LIMITS } from '../reader/version-cache.ts';
import type { AskedQuestion, Question, ThreadAnswer, ThreadSettings } from './question.ts';

export interface PoolLimits {
  /** Open questions of all shops. */
  readonly openMax: number;
  /** Characters of their bodies; a longer body is accepted when no question is open. */
  readonly textMax: number;
  /** From the question to its answer. */
  readonly deadlineMs: number;
  /** A thread ends after this time without a question, except the last: a client waits while one starts and compiles. */
  readonly idleMs: number;
}

/** Those of the service; tests have smaller ones. */
export const POOL_LIMITS: PoolLimits = {
  openMax: 128,
  textMax: 64 * 1024 * 1024,
  deadlineMs: 30_000,
  idleMs: 600_000,
};

/** What a thread keeps. */
export const THREAD_LIMITS = { shopsKeptMax: 32, ...VERSION_CACHE_LIMITS } as const;

export interface PoolPorts {
  readonly thread: ThreadSettings;
  readonly threads: number;
  readonly limits: PoolLimits;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Metrics;
  /** Compiled file that exports `answer`; the service's own when absent. */
  readonly threadFile?: string;
}

export type AskedShop = Pick<ShopReader, 'shopId' | 'sequenceNumber' | 'state'>;

export interface Answered {
  /** Bytes of JSON text. */
  readonly outcome: Outcome<Uint8Array>;
  /** The version that was current when the question was asked. */
  readonly versionId: string;
  /** Indexes of the carts of a simulation that were answered. */
  readonly answered: readonly number[];
  /** What live simulations used, for `UseWatch.add`. */
  readonly uses: Uses | null;
}

/** The part of the pool that routes use. */
export type PoolAccess = Pick<AnswerPool, 'ask'>;

/** Why a question is given up: its deadline has passed; nobody waits for it. */
const LATE = 'late';
const LEFT = 'left';

interface OpenQuestion {
  readonly shopId: string;
  /** Characters of the body. */
  readonly text: number;
  readonly origin: Origin;
  readonly abort: AbortController;
}

/** How long a stop waits for a thread that loads, which takes a third of a second of CPU time at a low priority. */
const LOADING_MS_MAX = 2_000;

/** The library. The server loads it before it listens, so that the first question does not wait for it. */
export const loadThreadLibrary = async () => (await import('piscina')).Piscina;

export class AnswerPool {
  readonly #ports: PoolPorts;
  /** In the order in which they were asked, which is that in which threads get them. */
  readonly #open = new Set<OpenQuestion>();
  #threads: Piscina | null = null;
  /** Resolves with the threads once one has loaded; null before the first question. */
  #loading: Promise<Piscina> | null = null;
  #isClosed = false;

  constructor(ports: PoolPorts) {
    this.#ports = ports;
  }

  /**
   * `origin` is the request that asks. `leaving` receives a function to call when nobody waits for the answer any more. A
   * question that still waits for a thread is then dropped; a thread that works on one goes on, because a new thread costs
   * more than most answers.
   */
  async ask(
    { shopId, sequenceNumber, state }: AskedShop,
    question: Question,
    origin: Origin,
    leaving: (leave: () => void) => void = () => {},
  ): Promise<Answered> {
    const made = (outcome: Outcome<Uint8Array>): Answered => ({
      ...{ outcome, versionId: state.version.id },
      ...{ answered: [], uses: null },
    });
    const { values } = this.#ports.metrics;
    const text = 'text' in question ? question.text.length : 0;
    if (!this.#hasRoom(shopId, text)) {
      values.pool_refused++;
      return made(BUSY);
    }
    values.pool_questions++;
    const open = { shopId, text, origin, abort: new AbortController() };
    this.#open.add(open);
    leaving(() => this.#leave(open));
    const attributes = { [ATTRIBUTES.shopId]: shopId, [ATTRIBUTES.question]: question.kind };
    const span = origin.span?.begin('pool task', attributes);
    const answer = await this.#answerTo({ ...question, shopId, sequenceNumber }, open);
    if (span !== undefined) endSpan(span, answer);
    this.#open.delete(open);
    switch (answer.kind) {
      case 'answered':
        return { ...answer, outcome: success(answer.body), versionId: state.version.id };
      case 'damaged':
        throw new DamagedLogError(shopId, answer.sequenceNumber, answer.what);
      case 'thrown':
        throw answer.error;
      case 'refused':
        return made(answer.failure);
    }
  }

  /** Never rejects. */
  async #answerTo(question: AskedQuestion, { origin, abort }: OpenQuestion): Promise<ThreadAnswer> {
    const { metrics, logger, limits } = this.#ports;
    const { signal } = abort;
    const deadline = setTimeout(() => abort.abort(LATE), limits.deadlineMs).unref();
    try {
      const threads = await this.#loaded();
      return await threads.run(question, { signal });
    } catch (error) {
      if (signal.reason === LEFT || this.#isClosed) return { kind: 'refused', failure: LOST };
      metrics.values.pool_unanswered++;
      if (signal.reason === LATE) return { kind: 'refused', failure: late(limits.deadlineMs) };
      const { kind } = question;
      logger.warn('pool.question_lost', { ...origin.logFields(LOST), kind, error: asError(error) });
      return { kind: 'refused', failure: LOST };
    } finally {
      clearTimeout(deadline);
    }
  }

  #hasRoom(shopId: string, text: number): boolean {
    const { openMax, textMax } = this.#ports.limits;
    const open = [...this.#open];
    const ofShop = open.filter((one) => one.shopId === shopId).length;
    const length = open.reduce((sum, one) => sum + one.text, text);
    return open.length < openMax && ofShop < openMax / 2 && (open.length === 0 || length <= textMax);
  }

  #leave(left: OpenQuestion): void {
    const begun = this.#open.size - this.waiting;
    if ([...this.#open].indexOf(left) >= begun) left.abort.abort(LEFT);
  }

  /** Makes a thread, so that the first question does not wait for it. If that fails, the first question tries again. */
  async prepare(): Promise<void> {
    await this.#loaded().catch(() => {});
  }

  #loaded(): Promise<Piscina> {
    if (this.#isClosed) return Promise.reject(new Error('the pool is closed'));
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = null;
      throw error;
    });
    return this.#loading;
  }

  async #load(): Promise<Piscina> {
    const { thread, threads: maxThreads, limits, threadFile } = this.#ports;
    const Threads = await loadThreadLibrary();
    const threads = new Threads({
      filename: threadFile ?? programPath('thread-entry.js'),
      name: 'answer',
      workerData: thread,
      minThreads: 1,
      maxThreads,
      idleTimeout: limits.idleMs,
      stricterFIFO: true,
      // Threads wait for questions in their event loop. With the default, `Atomics.wait`, their event loop would not turn,
      // and timers would pile up in memory: for each read of a version 8 timers of the LMDB binding, 1.5 KB.
      atomics: 'disabled',
    });
    // A thread ended without a question: most likely no thread can start.
    threads.on('error', (error: unknown) => this.#fail(threads, error));
    this.#threads = threads;
    // The library gives questions to its first thread while that still loads, and would end it then at a deadline.
    await threads.run(null);
    return threads;
  }

  /** Refuses all open questions; the next one makes new threads. */
  #fail(threads: Piscina, cause: unknown): void {
    if (this.#threads !== threads) return;
    this.#threads = null;
    this.#loading = null;
    for (const { abort } of this.#open) abort.abort(cause);
    void threads.destroy();
  }

  /** Refuses all open questions, and those to come: the process stops. */
  refuse(): void {
    this.#isClosed = true;
    for (const { abort } of this.#open) abort.abort(LEFT);
  }

  /** Ends the threads. Open questions are refused. */
  async close(): Promise<void> {
    this.refuse();
    // Node aborts the process when a thread is ended while it links modules.
    const loaded = this.#loading?.then((threads) => threads.run(null));
    await settledWithin(LOADING_MS_MAX, Promise.allSettled([loaded]));
    await this.#threads?.destroy();
    this.#threads = null;
  }

  /** Number of questions that wait for a thread. */
  get waiting(): number {
    return this.#threads?.queueSize ?? this.#open.size;
  }

  /** Number of threads. */
  get threads(): number {
    return this.#threads?.threads.length ?? 0;
  }

  /** For `/metrics`. */
  reading(): PoolReading {
    return { waiting: this.waiting, times: this.#threads?.histogram ?? null };
  }
}

function endSpan(span: Span, answer: ThreadAnswer): void {
  if (answer.kind === 'answered') span.end({}, null);
  else if (answer.kind === 'refused') {
    const { failure } = answer;
    span.end({ [ATTRIBUTES.errorCode]: failure.code }, isFault(failure) ? failure.code : null);
  } else {
    const code: FailureCode = 'INTERNAL_ERROR';
    span.end({ [ATTRIBUTES.errorCode]: code }, code);
  }
}

const BUSY = rateLimited('too many requests of this kind are under way: try again in a moment');

const late = (deadlineMs: number): Failure =>
  unavailable(`this request was not done within ${deadlineMs} ms: ask for less, or try again`);

const LOST = unavailable('this request was interrupted before its answer was made: try again in a moment');
