/**
 * A worker: reads the log of the data folder itself, keeps shops compiled and answers one task at a time.
 * It holds nothing that anybody else needs, so it may be killed at any moment.
 */
import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { type LmdbEventLog, openLmdbEventLog } from '../log/lmdb-event-log.ts';
import { closeObjectPrototype } from '../runtime/process-guard.ts';
import { BackgroundPace } from './background-pace.ts';
import { CompiledShelf } from './compiled-shelf.ts';
import type { PoolTask, ResultOf, WorkerSettings } from './pool-task.ts';
import { evaluateShadowBatch } from './shadow-batch.ts';

/** The least urgent that the system knows. */
const BACKGROUND_PRIORITY = 19;

// Of this thread: each has its own.
closeObjectPrototype();

const { dataFolder, shopsKeptMax, isBackground } = workerData as WorkerSettings;

// Only Linux takes this for the calling thread alone; elsewhere it would slow the answers as well.
if (isBackground && process.platform === 'linux') setPriority(0, BACKGROUND_PRIORITY);

const pace = isBackground ? new BackgroundPace() : null;
let log: LmdbEventLog | undefined;
let shelf: CompiledShelf | undefined;

/** Opened with the first task: loading this file has no effect that could happen twice. */
function openShelf(): CompiledShelf {
  log ??= openLmdbEventLog({ path: dataFolder });
  shelf ??= new CompiledShelf(log, shopsKeptMax);
  return shelf;
}

/** The name under which the pool calls it. What the library gets also names the buffers to hand over. */
export function runTask(task: PoolTask): object {
  pace?.rest();
  const result = resultOf(task);
  pace?.worked();
  return move({ [transferableSymbol]: [result.samples.buffer], [valueSymbol]: result });
}

function resultOf(task: PoolTask): ResultOf<PoolTask> {
  const { shopId, sequenceNumber } = task;
  const { live, staged } = openShelf().shopAt(shopId, sequenceNumber);
  if (staged === null) throw new RangeError(`shop ${shopId} has no changeset at record ${sequenceNumber}`);
  return evaluateShadowBatch(live, staged, task);
}
