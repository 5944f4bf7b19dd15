/**
 * A worker: reads the log in the data folder itself, keeps compiled shops and answers one task at a time. It holds no
 * data that other threads need, so after loading it may be terminated at any moment.
 */
import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { type LmdbEventLog, openLmdbEventLog } from '../log/lmdb/lmdb-event-log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { BackgroundPace, ShortPauses } from '../pace/thread-pace.ts';
import { WorkSlices } from '../pace/work-slices.ts';
import { systemClock } from '../runtime/clock.ts';
import { closeObjectPrototype } from '../runtime/process-guard.ts';
import { VersionCache } from '../shop/compiled-configs.ts';
import { NO_WATCH } from '../shop/simulation-watch.ts';
import { Tasks } from './answer-tasks.ts';
import type { HandedTask, WorkerSettings } from './pool-task.ts';
import { ShopReaders } from './shop-readers.ts';

// Each thread has its own `Object.prototype`.
closeObjectPrototype();

const settings = workerData as WorkerSettings;

const pace = settings.isBackground ? new BackgroundPace() : null;

/** The resources that tasks use. They are opened with the first task, so that loading this file has no side effects. */
interface Desk {
  readonly log: LmdbEventLog;
  readonly readers: ShopReaders;
  readonly tasks: Tasks;
}

let desk: Desk | undefined;

/** Idempotent. Throws when the log cannot be opened. */
export function openDesk(): Desk {
  if (desk !== undefined) return desk;
  const { dataFolder, itemsMax, plans, shopsKeptMax } = settings;
  const log = openLmdbEventLog({ path: dataFolder, arePagesChecked: true });
  // A thread in the background need not yield the core: it has the lowest priority.
  const { pause } = settings.isBackground ? { pause: () => {} } : new ShortPauses();
  const ports = {
    log,
    versionCache: new VersionCache(settings),
    clock: systemClock,
    metrics: createMetrics(),
    plans,
    limits: { itemsMax },
    slices: new WorkSlices(),
    watch: NO_WATCH,
    pause,
  };
  desk = { log, readers: new ShopReaders(ports, shopsKeptMax), tasks: new Tasks(itemsMax, pause) };
  return desk;
}

function resultOf({ area, start: _, ...task }: HandedTask): object {
  const { log, readers, tasks } = openDesk();
  try {
    return tasks.resultOf(readers.at(task.shopId, task.sequenceNumber), task, area);
  } finally {
    // Ends the read transaction now, instead of in a later turn of the event loop.
    log.endReads();
  }
}

/** Runs a task. The returned value also names the buffers to transfer. */
export function runTask(task: HandedTask): object {
  pace?.rest();
  const result = resultOf(task);
  pace?.worked();
  const buffers = Object.values(result).flatMap((value) =>
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
  return move({ [transferableSymbol]: buffers, [valueSymbol]: result });
}
