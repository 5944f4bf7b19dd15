/**
 * Pool of worker threads for work that would block the event loop. No thread exists, and the library is not loaded,
 * before the first task or `prepare`. Idle threads end after a while and free their memory, except for `threadsKept`
 * threads.
 *
 * Promises: a task is answered with its result or with one `PoolError`, at the latest at its deadline, even if the
 * worker dies. A worker that misses a deadline is terminated; a worker that is still loading continues without the
 * task. The pool does not retry tasks: the caller decides whether to retry a lost task.
 *
 * Bounds: each thread runs one task. The caller, `HeavyWork`, bounds how many tasks wait.
 */

import type { Piscina } from 'piscina';
import type { PoolMeter, TaskOutcome } from '../metrics/metrics.ts';
import { settledWithin } from '../pace/settled-within.ts';
import { programPath } from '../runtime/package-files.ts';
import { releaseOf } from './answer-areas.ts';
import {
  type AnswerTask,
  giveUp,
  type HandedTask,
  notBegun,
  type PoolAnswer,
  type TaskKind,
  type TaskStart,
  type WorkerSettings,
} from './pool-task.ts';

export interface WorkerPoolOptions {
  readonly worker: WorkerSettings;
  /** The kinds of task of this pool; tasks are counted by kind. */
  readonly kinds: readonly TaskKind[];
  readonly threads: number;
  /** The time limit from the start of `run` to the answer. */
  readonly deadlineMs: number;
  /** A thread ends after this time without a task. */
  readonly idleMs: number;
  /** How many threads, once created, stay even when they are idle; none when absent. */
  readonly threadsKept?: number;
  readonly meter: PoolMeter;
  /** Compiled file that exports `runTask`; the service's own when absent. */
  readonly workerFile?: string;
}

/** `closed`: the task never began; `deadline` and `lost`: it may have begun. */
type PoolErrorReason = 'closed' | 'deadline' | 'lost';

export class PoolError extends Error {
  override readonly name = 'PoolError';
  readonly reason: PoolErrorReason;

  constructor(reason: PoolErrorReason, cause?: unknown) {
    super(`the task was not done: ${reason}`, { cause });
    this.reason = reason;
  }
}

const OUTCOMES: Readonly<Record<PoolErrorReason, TaskOutcome>> = {
  closed: 'refused',
  deadline: 'late',
  lost: 'failed',
};

/** Pause before threads are started again after a failed start: each attempt costs as much as a start. */
const RESTART_MS = 1_000;

/** How long a close waits for threads that load: loading takes a third of a second of CPU time, at a low priority. */
const LOADING_MS_MAX = 2_000;

const ignore = (): void => {};

/** A task that is not answered. */
interface OpenTask {
  readonly task: AnswerTask;
  /** Time of the call of `run`. */
  readonly sinceMs: number;
  readonly abort: AbortController;
  readonly start: TaskStart;
  readonly resolve: (result: PoolAnswer) => void;
  readonly reject: (error: PoolError) => void;
}

/**
 * The library for worker threads. The server calls this before it listens: loading takes 5 ms, which would otherwise
 * delay all other requests at the first task. It starts no thread.
 */
export const loadThreadLibrary = async () => (await import('piscina')).Piscina;

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #waiting: OpenTask[] = [];
  readonly #running = new Set<OpenTask>();
  /** Tasks that threads hold and have not answered, including tasks that were given up. */
  readonly #handed = new Map<TaskStart, Promise<void>>();
  #threads: Piscina | null = null;
  #starting: Promise<void> | null = null;
  /** No thread is created before this time of the monotonic clock. */
  #startMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    options.meter.attach(options.kinds, () => this.#waiting.length);
  }

  get size(): number {
    return this.#waiting.length + this.#running.size;
  }

  get threads(): number {
    return this.#threads?.threads.length ?? 0;
  }

  /** Rejects only with `PoolError`; at once when the pool is closed. */
  run(task: AnswerTask): Promise<PoolAnswer> {
    const nowMs = performance.now();
    if (this.#isClosed) return this.#refuse(task, 'closed');
    if (nowMs < this.#startMs) return this.#refuse(task, 'lost');
    return new Promise((resolve, reject) => {
      const { meter, deadlineMs } = this.#options;
      const open: OpenTask = {
        task,
        sinceMs: nowMs,
        abort: new AbortController(),
        start: notBegun(),
        resolve: (result) => {
          clearTimeout(deadline);
          meter.count(task.kind, 'ok');
          resolve(result);
        },
        reject: (error) => {
          clearTimeout(deadline);
          meter.count(task.kind, OUTCOMES[error.reason]);
          reject(error);
        },
      };
      const deadline = setTimeout(() => this.#endLate(open), deadlineMs).unref();
      this.#waiting.push(open);
      this.#next();
    });
  }

  /**
   * Starts a thread and loads its code, so that the first task does not wait for this. Resolves when the thread is
   * ready or failed to start; in that case the first task reports the failure.
   */
  async prepare(): Promise<void> {
    if (this.#threads === null && !this.#isClosed) await this.#startOnce();
    if (this.#threads === null || this.#isClosed) return;
    const start = notBegun();
    // The task is given up at once: the thread loads its code, and does not begin the task.
    giveUp(start);
    await this.#note(start, this.#threads.run({ start }).then(ignore, ignore));
  }

  /** Answers the remaining tasks with `closed` and terminates the threads. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rejectAll(new PoolError('closed'));
    await this.#starting;
    await this.#untilLoaded();
    const threads = this.#threads;
    this.#threads = null;
    await threads?.destroy();
  }

  #refuse({ kind }: AnswerTask, reason: PoolErrorReason): Promise<never> {
    this.#options.meter.count(kind, OUTCOMES[reason]);
    return Promise.reject(new PoolError(reason));
  }

  #next(): void {
    if (this.#waiting.length === 0 || this.#isClosed) return;
    if (this.#threads === null) {
      void this.#startOnce();
      return;
    }
    while (this.#running.size < this.#options.threads) {
      const open = this.#waiting.shift();
      if (open === undefined) return;
      this.#hand(this.#threads, open);
    }
  }

  #startOnce(): Promise<void> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #start(): Promise<void> {
    const { threads: maxThreads, threadsKept: minThreads = 0, idleMs, workerFile, worker } = this.#options;
    try {
      const Threads = await loadThreadLibrary();
      if (this.#isClosed) return;
      const threads = new Threads({
        filename: workerFile ?? programPath('worker-entry.js'),
        name: 'runTask',
        workerData: worker,
        minThreads,
        maxThreads,
        idleTimeout: idleMs,
        recordTiming: false,
        // Threads wait for tasks in their event loop. With the default, `Atomics.wait`, their event loop would not
        // turn, and timers would pile up in memory: for each read of a version 8 timers of the LMDB binding, 1.5 KB.
        // Answers are equally fast.
        atomics: 'disabled',
      });
      // A thread ended without a task: most likely no thread can start.
      threads.on('error', (error: unknown) => this.#endThreads(threads, error));
      this.#threads = threads;
      this.#next();
    } catch (error) {
      this.#startMs = performance.now() + RESTART_MS;
      this.#rejectAll(new PoolError('lost', error));
    }
  }

  #hand(threads: Piscina, running: OpenTask): void {
    const { meter } = this.#options;
    const handedMs = performance.now();
    meter.wait.observe(handedMs - running.sinceMs);
    this.#running.add(running);
    const isOurs = (): boolean => this.#running.delete(running);
    const task: HandedTask = { ...running.task, start: running.start };
    const done = threads.run(task, { signal: running.abort.signal }).then(
      (answer: PoolAnswer) => {
        meter.run.observe(performance.now() - handedMs);
        if (isOurs()) running.resolve(answer);
        else if (answer.kind === 'answered') releaseOf(answer.body)?.();
        this.#next();
      },
      (error: unknown) => {
        if (isOurs()) running.reject(new PoolError('lost', error));
        this.#next();
      },
    );
    void this.#note(running.start, done);
  }

  /** Records the task of a thread until the thread has answered. `done` never rejects. */
  #note(start: TaskStart, done: Promise<void>): Promise<void> {
    this.#handed.set(start, done);
    return done.finally(() => this.#handed.delete(start));
  }

  /** Waits, for a limited time, for threads that are loading and must not be terminated yet. Gives up their tasks. */
  async #untilLoaded(): Promise<void> {
    const loading = [...this.#handed].flatMap(([start, done]) => (giveUp(start) ? [done] : []));
    await settledWithin(LOADING_MS_MAX, Promise.all(loading));
  }

  /** Terminates the threads and gives up their tasks. The next task starts new threads, after a pause. */
  #endThreads(threads: Piscina, cause: unknown): void {
    if (this.#threads !== threads) return;
    this.#threads = null;
    this.#startMs = performance.now() + RESTART_MS;
    this.#rejectAll(new PoolError('lost', cause));
    void threads.destroy();
  }

  #rejectAll(error: PoolError): void {
    const tasks = [...this.#running, ...this.#waiting.splice(0)];
    this.#running.clear();
    for (const { reject } of tasks) reject(error);
  }

  /** The deadline of the task has passed. */
  #endLate(late: OpenTask): void {
    if (this.#running.delete(late)) {
      // Terminates the thread, which would otherwise delay the next task. A thread that is still loading does not begin
      // the task.
      if (!giveUp(late.start)) late.abort.abort();
    } else this.#waiting.splice(this.#waiting.indexOf(late), 1);
    late.reject(new PoolError('deadline'));
    this.#next();
  }
}
