/**
 * A worker: reads the log of the data folder itself, keeps shops compiled and answers one task at a time.
 * It holds nothing that anybody else needs, so it may be ended at any moment once it is loaded.
 */
import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { type LmdbEventLog, openLmdbEventLog } from '../log/lmdb/lmdb-event-log.ts';
import { BackgroundPace } from '../pace/background-pace.ts';
import { closeObjectPrototype } from '../runtime/process-guard.ts';
import { evaluateShadowBatch } from '../shadow/shadow-batch.ts';
import { VersionCache } from '../shop/version-cache.ts';
import { AnswerTasks } from './answer-tasks.ts';
import { CompiledShelf } from './compiled-shelf.ts';
import type { HandedTask, PoolTask, PoolTasks, TaskKind, WorkerSettings } from './pool-task.ts';

// Of this thread: each has its own.
closeObjectPrototype();

const settings = workerData as WorkerSettings;

const pace = settings.isBackground ? new BackgroundPace() : null;

/** What tasks work with; opened with the first one, so that loading this file has no effect that could happen twice. */
interface Desk {
  readonly log: LmdbEventLog;
  readonly shelf: CompiledShelf;
  readonly answers: AnswerTasks;
}

let desk: Desk | undefined;

/** Idempotent. Throws when the log cannot be opened. */
export function openDesk(): Desk {
  if (desk !== undefined) return desk;
  const log = openLmdbEventLog({ path: settings.dataFolder, arePagesChecked: true });
  const shelf = new CompiledShelf(log, settings.shopsKeptMax);
  const history = { log, versionCache: new VersionCache(settings) };
  desk = { log, shelf, answers: new AnswerTasks(shelf, history, settings) };
  return desk;
}

/** How each kind of task is done. */
const TASKS: {
  readonly [K in TaskKind]: (
    task: PoolTasks[K]['task'],
    desk: Desk,
    area: SharedArrayBuffer | null,
  ) => PoolTasks[K]['result'];
} = {
  shadowBatch: (task, { shelf }) => {
    const { shopId, sequenceNumber } = task;
    const { live, staged } = shelf.shopAt(shopId, sequenceNumber);
    if (staged === null) throw new RangeError(`shop ${shopId} has no changeset at record ${sequenceNumber}`);
    return evaluateShadowBatch(live, staged, task);
  },
  simulate: (task, { answers }, area) => answers.simulate(task, area),
  simulateBatch: (task, { answers }, area) => answers.simulateBatch(task, area),
  preview: (task, { answers }, area) => answers.preview(task, area),
  readVersion: (task, { answers }, area) => answers.readVersion(task, area),
  compare: (task, { answers }, area) => answers.compare(task, area),
  lint: (task, { answers }, area) => answers.lint(task, area),
};

/** What was read is let go of with the task, and not when the event loop comes to it. */
function doneWith<T>(log: LmdbEventLog, task: () => T): T {
  try {
    return task();
  } finally {
    log.endReads();
  }
}

/** Does one task. What the library gets also names the buffers to hand over. */
export function runTask({ area, start: _, ...task }: HandedTask): object {
  pace?.rest();
  // Sound: each row of the table takes the tasks of its own kind.
  const run = TASKS[task.kind] as (task: PoolTask, desk: Desk, area: SharedArrayBuffer | null) => object;
  const open = openDesk();
  const result = doneWith(open.log, () => run(task, open, area));
  pace?.worked();
  const buffers = Object.values(result).flatMap((value) =>
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
  return move({ [transferableSymbol]: buffers, [valueSymbol]: result });
}
