/**
 * Pool of worker threads for work that would hold up the event loop. No thread exists, and the library is not
 * loaded, until the first task or `prepare`; idle threads end after a while and give their memory back, but for
 * `threadsKept` of them.
 *
 * Promises: a task is answered with its result or with one `PoolError`, at the latest when its deadline has
 * passed, whatever becomes of the worker; a worker that overran a deadline is ended, one that still loads goes
 * on without the task. Tasks are not tried again here: the caller knows whether a lost one is worth it.
 *
 * Bounds: `queueMax` tasks wait, one runs per thread.
 */
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import type { PoolMeter, TaskOutcome } from '../metrics/pool-meter.ts';
import type { AnswerAreas } from './answer-areas.ts';
import type { HandedTask, PoolAnswer, PoolTask, ResultOf, TaskKind, WorkerSettings } from './pool-task.ts';
import { giveUp, notBegun, type TaskStart } from './task-start.ts';

export interface WorkerPoolOptions extends WorkerSettings {
  /** Kinds of task that it is given; they are counted by kind. */
  readonly kinds: readonly TaskKind[];
  readonly threads: number;
  /** Tasks that may wait for a thread. */
  readonly queueMax: number;
  /** From the hand-over of a task to its answer. */
  readonly deadlineMs: number;
  /** Threads end after this long without a task. */
  readonly idleMs: number;
  /** So many threads, once made, stay however long they are idle; none when absent. */
  readonly threadsKept?: number;
  /** Where waiting, running and their ends are counted. */
  readonly meter: PoolMeter;
  /** Where large answers are left; without, they change hands. */
  readonly areas?: AnswerAreas;
  /** Compiled file that exports `runTask`; the service's own when absent. */
  readonly workerFile?: string;
}

/** `full` and `closed`: the task was never begun; `deadline` and `lost`: it may have been. */
export type PoolErrorReason = 'full' | 'closed' | 'deadline' | 'lost';

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

/** Threads that could not start are not tried again sooner: each attempt costs as much as a start. */
const RESTART_MS = 1_000;

/** A third of a second of processor time, at a low priority. */
const LOADING_MS_MAX = 2_000;

const ignore = (): void => {};

const WORKER_FILE = fileURLToPath(new URL('./worker-entry.js', import.meta.url));

interface WaitingTask {
  readonly task: PoolTask;
  /** When it was handed over. */
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
 * The library of the threads. Whoever is about to serve asks for it first: to load it takes 5 ms, for which the first
 * task would hold up everybody else. No thread starts by it.
 */
export const loadThreadLibrary = async () => (await import('piscina')).Piscina;

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #waiting: WaitingTask[] = [];
  readonly #running = new Set<RunningTask>();
  /** What threads have not answered, whether anybody waits for it or not. */
  readonly #handed = new Map<TaskStart, Promise<void>>();
  #threads: Piscina | null = null;
  #starting: Promise<void> | null = null;
  /** Before this moment of the monotonic clock no threads are made. */
  #startMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    options.meter.attach(options.kinds, () => this.#waiting.length);
  }

  /** Tasks that are not answered yet. */
  get size(): number {
    return this.#waiting.length + this.#running.size;
  }

  /** Threads that exist now. */
  get threads(): number {
    return this.#threads?.threads.length ?? 0;
  }

  /** Rejects only with `PoolError`; at once when the queue is full or the pool closed. */
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
          // Sound: the worker answers a task with the result of its kind.
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
   * Has a thread made and its code loaded, so that the first task does not wait for that. Resolves when it is ready, or
   * cannot be: the first task will find out.
   */
  async prepare(): Promise<void> {
    if (this.#threads === null && !this.#isClosed) await this.#startOnce();
    if (this.#threads === null || this.#isClosed) return;
    const start = notBegun();
    // A task that nobody waits for: the thread loads, and does not begin it.
    giveUp(start);
    await this.#note(start, this.#threads.run({ area: null, start }).then(ignore, ignore));
  }

  /** Answers what is left with `closed` and ends the threads. */
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
        filename: workerFile ?? WORKER_FILE,
        name: 'runTask',
        workerData,
        minThreads,
        maxThreads,
        idleTimeout: idleMs,
        recordTiming: false,
        // A thread waits for tasks in its event loop. Stopped instead, as by default, it has no turn of it, and what waits
        // for one stays in memory: of a version read 8 timers of LMDB's binding, 1.5 KB. An answer comes as soon.
        atomics: 'disabled',
      });
      // A thread that ended without a task in hand: most likely none can start.
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
        // Its thread may not have ended yet, and write on.
        if (area !== null) areas?.abandon(area);
        if (isOurs()) running.reject(new PoolError('lost', error));
        this.#next();
      },
    );
    void this.#note(running.start, done);
  }

  /** Notes what a thread was handed, until it has answered. `done` never rejects. */
  #note(start: TaskStart, done: Promise<void>): Promise<void> {
    this.#handed.set(start, done);
    return done.finally(() => this.#handed.delete(start));
  }

  /** Waits, not for ever, for threads that load and must not be ended meanwhile; what they were to do is given up. */
  async #untilLoaded(): Promise<void> {
    const loading = [...this.#handed].flatMap(([start, done]) => (giveUp(start) ? [done] : []));
    if (loading.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, LOADING_MS_MAX);
    });
    await Promise.race([Promise.all(loading), late]);
    clearTimeout(timer);
  }

  /** Gives up what they were to do. The next task starts others, after a pause. */
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

  /** One timer for all tasks: they have the same time, so the oldest is due first. */
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
      // Ends the thread: what it is busy with would hold up the next task. One that still loads does not begin it.
      if (!giveUp(running.start)) running.abort.abort();
    }
    while (this.#waiting[0] !== undefined && this.#waiting[0].deadlineMs <= nowMs) {
      this.#waiting.shift()?.reject(new PoolError('deadline'));
    }
    this.#next();
    this.#watchDeadlines();
  }
}
