/**
 * Pool of worker threads for work that would block the event loop. No thread exists, and the library is not loaded,
 * before the first task or `prepare`. Idle threads end after a while and free their memory, except for `threadsKept`
 * threads.
 *
 * Promises: a task is answered with its result or with one `PoolError`, at the latest at its deadline, even if the
 * worker dies. A worker that misses a deadline is terminated; a worker that is still loading continues without the
 * task. The pool does not retry tasks: the caller decides whether to retry a lost task.
 *
 * Bounds: `queueMax` tasks wait, and each thread runs one task.
 */

import type { Piscina } from 'piscina';
import type { PoolMeter, TaskOutcome } from '../metrics/metrics.ts';
import { settledWithin } from '../pace/settled-within.ts';
import { programPath } from '../runtime/package-files.ts';
import {
  giveUp,
  type HandedTask,
  notBegun,
  type PoolAnswer,
  type PoolTask,
  type ResultOf,
  type TaskKind,
  type TaskStart,
  type WorkerSettings,
} from './pool-task.ts';

export interface WorkerPoolOptions extends WorkerSettings {
  /** The kinds of task of this pool; tasks are counted by kind. */
  readonly kinds: readonly TaskKind[];
  readonly threads: number;
  /** How many tasks may wait for a thread. */
  readonly queueMax: number;
  /** The time limit from the start of `run` to the answer. */
  readonly deadlineMs: number;
  /** A thread ends after this time without a task. */
  readonly idleMs: number;
  /** How many threads, once created, stay even when they are idle; none when absent. */
  readonly threadsKept?: number;
  /** Counts waiting and running tasks and their outcomes. */
  readonly meter: PoolMeter;
  /** Shared memory for large answers; when absent, they are transferred. */
  readonly areas?: AnswerAreas;
  /** Compiled file that exports `runTask`; the service's own when absent. */
  readonly workerFile?: string;
}

/** `full` and `closed`: the task never began; `deadline` and `lost`: it may have begun. */
type PoolErrorReason = 'full' | 'closed' | 'deadline' | 'lost';

export class PoolError extends Error {
  override readonly name = 'PoolError';
  readonly reason: PoolErrorReason;

  constructor(reason: PoolErrorReason, cause?: unknown) {
    super(`the task was not done: ${reason}`, { cause });
    this.reason = reason;
  }
}

const OUTCOMES: Readonly<Record<PoolErrorReason, TaskOutcome>> = {
  full: 'refused',
  closed: 'refused',
  deadline: 'late',
  lost: 'failed',
};

/** Pause before threads are started again after a failed start: each attempt costs as much as a start. */
const RESTART_MS = 1_000;

/** How long a close waits for threads that load: loading takes a third of a second of CPU time, at a low priority. */
const LOADING_MS_MAX = 2_000;

const ignore = (): void => {};

interface WaitingTask {
  readonly task: PoolTask;
  /** Time of the call of `run`. */
  readonly sinceMs: number;
  readonly deadlineMs: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: PoolError) => void;
}

interface RunningTask extends WaitingTask {
  readonly abort: AbortController;
  readonly start: TaskStart;
}

/**
 * The library for worker threads. The server calls this before it listens: loading takes 5 ms, which would otherwise
 * delay all other requests at the first task. It starts no thread.
 */
export const loadThreadLibrary = async () => (await import('piscina')).Piscina;

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #waiting: WaitingTask[] = [];
  readonly #running = new Set<RunningTask>();
  /** Tasks that threads hold and have not answered, including tasks that were given up. */
  readonly #handed = new Map<TaskStart, Promise<void>>();
  #threads: Piscina | null = null;
  #starting: Promise<void> | null = null;
  /** No thread is created before this time of the monotonic clock. */
  #startMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    options.meter.attach(options.kinds, () => this.#waiting.length);
  }

  /** Number of unanswered tasks. */
  get size(): number {
    return this.#waiting.length + this.#running.size;
  }

  /** Number of current threads. */
  get threads(): number {
    return this.#threads?.threads.length ?? 0;
  }

  /** Rejects only with `PoolError`; at once when the queue is full or the pool is closed. */
  run<T extends PoolTask>(task: T): Promise<ResultOf<T>> {
    const nowMs = performance.now();
    if (this.#isClosed) return this.#refuse(task, 'closed');
    if (this.#waiting.length >= this.#options.queueMax) return this.#refuse(task, 'full');
    if (nowMs < this.#startMs) return this.#refuse(task, 'lost');
    return new Promise((resolve, reject) => {
      const deadlineMs = nowMs + this.#options.deadlineMs;
      const { meter } = this.#options;
      this.#waiting.push({
        task,
        sinceMs: nowMs,
        deadlineMs,
        resolve: (result) => {
          meter.count(task.kind, 'ok');
          // Type-safe: the worker answers a task with the result of its kind.
          resolve(result as ResultOf<T>);
        },
        reject: (error) => {
          meter.count(task.kind, OUTCOMES[error.reason]);
          reject(error);
        },
      });
      this.#watchDeadlines();
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
    await this.#note(start, this.#threads.run({ area: null, start }).then(ignore, ignore));
  }

  /** Answers the remaining tasks with `closed` and terminates the threads. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#rejectAll(new PoolError('closed'));
    await this.#starting;
    await this.#untilLoaded();
    const threads = this.#threads;
    this.#threads = null;
    await threads?.destroy();
  }

  #refuse({ kind }: PoolTask, reason: PoolErrorReason): Promise<never> {
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
      const waiting = this.#waiting.shift();
      if (waiting === undefined) return;
      this.#hand(this.#threads, waiting);
    }
  }

  #startOnce(): Promise<void> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #start(): Promise<void> {
    const { threads: maxThreads, threadsKept: minThreads = 0, idleMs, workerFile } = this.#options;
    const { dataFolder, shopsKeptMax, versionCacheBytesMax, isBackground, itemsMax, plans } = this.#options;
    const workerData: WorkerSettings = {
      dataFolder,
      shopsKeptMax,
      versionCacheBytesMax,
      isBackground,
      itemsMax,
      plans,
    };
    try {
      const Threads = await loadThreadLibrary();
      if (this.#isClosed) return;
      const threads = new Threads({
        filename: workerFile ?? programPath('worker-entry.js'),
        name: 'runTask',
        workerData,
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

  #hand(threads: Piscina, waiting: WaitingTask): void {
    const { meter, areas } = this.#options;
    const running = { ...waiting, abort: new AbortController(), start: notBegun() };
    const handedMs = performance.now();
    meter.wait.observe(handedMs - waiting.sinceMs);
    this.#running.add(running);
    const isOurs = (): boolean => this.#running.delete(running);
    const area = areas?.take() ?? null;
    const task: HandedTask = { ...running.task, area, start: running.start };
    const done = threads.run(task, { signal: running.abort.signal }).then(
      (result: unknown) => {
        meter.run.observe(performance.now() - handedMs);
        const release = (): void => {
          if (area !== null) areas?.giveBack(area);
        };
        const isInArea = (result as Partial<Extract<PoolAnswer, { kind: 'answered' }>>).isInArea === true;
        const isAwaited = isOurs();
        if (!isInArea || !isAwaited) release();
        if (isAwaited) running.resolve(isInArea ? { ...(result as object), release } : result);
        this.#next();
      },
      (error: unknown) => {
        // The thread may still be running and write to the area.
        if (area !== null) areas?.abandon(area);
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

  /** One timer for all tasks: all have the same time limit, so the oldest expires first. */
  #watchDeadlines(): void {
    if (this.#timer !== null) return;
    let dueMs = this.#waiting[0]?.deadlineMs ?? Number.POSITIVE_INFINITY;
    for (const { deadlineMs } of this.#running) dueMs = Math.min(dueMs, deadlineMs);
    if (dueMs === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#endOverdue(), Math.max(1, dueMs - performance.now()));
    this.#timer.unref();
  }

  #endOverdue(): void {
    this.#timer = null;
    const nowMs = performance.now();
    for (const running of this.#running) {
      if (running.deadlineMs > nowMs) continue;
      this.#running.delete(running);
      running.reject(new PoolError('deadline'));
      // Terminates the thread, which would otherwise delay the next task. A thread that is still loading does not begin
      // the task.
      if (!giveUp(running.start)) running.abort.abort();
    }
    while (this.#waiting[0] !== undefined && this.#waiting[0].deadlineMs <= nowMs) {
      this.#waiting.shift()?.reject(new PoolError('deadline'));
    }
    this.#next();
    this.#watchDeadlines();
  }
}

/** Larger than almost every answer; a larger answer is transferred. */
const AREA_BYTES = 16 * 1024 * 1024;
/** A thread can fill an area while the others are being sent; slow clients may hold all of them. */
const AREAS_MAX = 4;

/**
 * Shared memory in which worker threads store the bytes of large answers. The event loop sends an answer from its area
 * and then releases the area for the next answer.
 *
 * Why not a transferred buffer: V8 counts it as heap of the event loop. With answers of 4 MB, V8 collected the whole
 * heap every fifteen answers, with pauses of 25 ms and more. Shared memory does not count, and its pages are already
 * mapped when it is reused.
 *
 * Bounds: `AREAS_MAX` areas of `AREA_BYTES`; only pages that were written take memory. When no area is free, the buffer
 * of the answer is transferred.
 */
export class AnswerAreas {
  readonly #bytes: number;
  readonly #free: SharedArrayBuffer[] = [];
  readonly #inUse = new Set<SharedArrayBuffer>();

  constructor(bytes = AREA_BYTES) {
    this.#bytes = bytes;
  }

  /** The area that was released last, whose pages are most likely in the CPU cache; null when all areas are in use. */
  take(): SharedArrayBuffer | null {
    if (this.#inUse.size === AREAS_MAX) return null;
    const area = this.#free.pop() ?? new SharedArrayBuffer(this.#bytes);
    this.#inUse.add(area);
    return area;
  }

  /** Releases an area that is no longer read or written. */
  giveBack(area: SharedArrayBuffer): void {
    if (this.#inUse.delete(area)) this.#free.push(area);
  }

  /** Removes an area that a thread may still write to: it is not used again. */
  abandon(area: SharedArrayBuffer): void {
    this.#inUse.delete(area);
  }
}
