/**
 * A worker: reads the log in the data folder itself, keeps compiled shops and answers one task at a time. It holds no
 * data that other threads need, so after loading it may be terminated at any moment.
 */

import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { type AnswerText, lengthOf } from '../bytes/answer-text.ts';
import { foldUses, RecordMarks } from '../coverage/shop-coverage.ts';
import { type SimulateBatchFrame, type SimulateRequest, simulateRequestSchema } from '../domain/cart.ts';
import type { Failure, Outcome } from '../domain/failure.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../log/lmdb/lmdb-event-log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { BackgroundPace, ShortPauses } from '../pace/thread-pace.ts';
import { WorkSlices } from '../pace/work-slices.ts';
import { finishSteps, NEVER } from '../pace/work-steps.ts';
import { systemClock } from '../runtime/clock.ts';
import { closeObjectPrototype } from '../runtime/process-guard.ts';
import { keptRequest, personalFieldsRead } from '../shadow/kept-request.ts';
import { evaluateShadowBatch } from '../shadow/shadow-batch.ts';
import type { ShopReader } from '../shop/shop-reader.ts';
import { answerBatch, readBatch } from '../shop/simulation-batch.ts';
import { NO_WATCH } from '../shop/simulation-watch.ts';
import { VersionCache } from '../shop/version-cache.ts';
import { compileSchema, type SchemaCheck } from '../wire/schema-check.ts';
import { findUnknownField, toldUnknown } from '../wire/unknown-field.ts';
import { AnswerAreas } from './answer-areas.ts';
import {
  answerQuestion,
  type HandedTask,
  type PoolAnswer,
  type PoolTask,
  type ReadTask,
  type ResultOf,
  type SimulateBatchTask,
  type SimulateTask,
  type WorkerSettings,
} from './pool-task.ts';
import { ShopReaders } from './shop-readers.ts';

// Each thread has its own `Object.prototype`.
closeObjectPrototype();

const settings = workerData as WorkerSettings;

const pace = settings.isBackground ? new BackgroundPace() : null;

let runner: TaskRunner | undefined;

/** Opens the log with the first task, so that loading this file has no side effects. Throws when it cannot be opened. */
export function openTaskRunner(): TaskRunner {
  runner ??= new TaskRunner();
  return runner;
}

/** Runs a task. The returned value also names the buffers to transfer. */
export function runTask(task: HandedTask): object {
  pace?.rest();
  const result = openTaskRunner().resultOf(task);
  pace?.worked();
  const buffers = Object.values(result).flatMap((value) =>
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
  return move({ [transferableSymbol]: buffers, [valueSymbol]: result });
}

/** `encode` allocates a new buffer each time, as a transfer needs. */
const UTF8 = new TextEncoder();

const UNREAD = { kind: 'unread' } as const;

type MadeAnswer = Exclude<PoolAnswer, typeof UNREAD>;

/** The log and the compiled shops of this thread; does the tasks, with a shop as of the record in the task. */
class TaskRunner {
  readonly #log: LmdbEventLog;
  readonly #readers: ShopReaders;
  /** Yields the core to other threads; called between the parts of large answers and batches. */
  readonly #pause: () => void;
  readonly #checkRequest: SchemaCheck<SimulateRequest>;
  readonly #marks = new RecordMarks();
  readonly #areas = new AnswerAreas();

  constructor() {
    const { dataFolder, itemsMax, plans, shopsKeptMax, isBackground } = settings;
    this.#log = openLmdbEventLog({ path: dataFolder, arePagesChecked: true });
    // A thread in the background need not yield the core: it has the lowest priority.
    this.#pause = isBackground ? () => {} : new ShortPauses().pause;
    this.#checkRequest = compileSchema(simulateRequestSchema(itemsMax));
    const ports = {
      log: this.#log,
      versionCache: new VersionCache(settings),
      clock: systemClock,
      metrics: createMetrics(),
      plans,
      limits: { itemsMax },
      slices: new WorkSlices(),
      watch: NO_WATCH,
      pause: this.#pause,
    };
    this.#readers = new ShopReaders(ports, shopsKeptMax);
  }

  resultOf({ start: _, ...task }: HandedTask): object {
    try {
      return this.#resultOf(this.#readers.at(task.shopId, task.sequenceNumber), task);
    } finally {
      // Ends the read transaction now, instead of in a later turn of the event loop.
      this.#log.endReads();
    }
  }

  /** Throws for a batch of the shadow at a record without a changeset. */
  #resultOf(shop: ShopReader, task: PoolTask): ResultOf<PoolTask> {
    switch (task.kind) {
      case 'shadowBatch': {
        const [live, staged] = [shop.compiled('live'), shop.compiled('staged')];
        if (!live.ok || !staged.ok) {
          throw new RangeError(`shop ${task.shopId} has no changeset at record ${task.sequenceNumber}`);
        }
        return evaluateShadowBatch(live.value, staged.value, task, this.#pause);
      }
      case 'simulate':
        return this.#simulate(shop, task);
      case 'simulateBatch':
        return this.#simulateBatch(shop, task);
      default:
        return this.#read(shop, task);
    }
  }

  #simulate(shop: ShopReader, task: SimulateTask): PoolAnswer {
    const { isChecked, isStrict } = task;
    const body = readJson(task.text);
    if (body === undefined) return UNREAD;
    if (isChecked) return this.#simulateChecked(shop, task, body as SimulateRequest);
    const unknownFields = toldUnknown(body);
    if (!this.#checkRequest.check(body)) {
      return { ...refused(this.#checkRequest.failure(body, 1)), isOfBody: true, unknownFields };
    }
    const unknown = isStrict ? findUnknownField(body) : null;
    return {
      ...(unknown === null ? this.#simulateChecked(shop, task, body) : refused(unknown)),
      unknownFields,
    };
  }

  #simulateChecked(shop: ShopReader, task: SimulateTask, request: SimulateRequest): MadeAnswer {
    this.#pause();
    return this.#simulated(shop, task, shop.simulate(request, task.nowMs, task), [request]);
  }

  #simulateBatch(shop: ShopReader, task: SimulateBatchTask): PoolAnswer {
    const body = readJson(task.text);
    if (body === undefined) return UNREAD;
    const requests = readBatch((body as SimulateBatchFrame).requests, this.#checkRequest, task.isStrict);
    const answered: SimulateRequest[] = [];
    const made = answerBatch(requests, (request) => {
      this.#pause();
      const answer = shop.simulate(request, task.nowMs, task);
      if (answer.ok) answered.push(request);
      return answer;
    });
    return this.#simulated(shop, task, made, answered);
  }

  /** The answer and, if the simulations are watched, the part of their requests that may be kept. */
  #simulated(
    { state: { config, staging }, useCounter }: ShopReader,
    { isWatched, nowMs }: SimulateTask | SimulateBatchTask,
    made: Outcome<AnswerText>,
    requests: readonly SimulateRequest[],
  ): MadeAnswer {
    this.#pause();
    if (!made.ok) return refused(made);
    const answer = { kind: 'answered', body: this.#written(made.value) } as const;
    if (!isWatched) return answer;
    // The watch finds the same fields in this state.
    const fields = personalFieldsRead(config, staging?.config ?? config);
    const kept = requests.map((request) => JSON.stringify(keptRequest(request, fields)));
    const uses = finishSteps(foldUses(useCounter.take(), this.#marks, nowMs, NEVER));
    return { ...answer, kept: UTF8.encode(kept.join('\n')), uses: UTF8.encode(JSON.stringify(uses)) };
  }

  #written(text: AnswerText): Uint8Array {
    const body = this.#areas.roomFor(lengthOf(text));
    let at = 0;
    for (const part of text) {
      at += body.latin1Write(part, at, part.length);
      this.#pause();
    }
    return body;
  }

  /** The answer to a question about the shop itself: JSON text with any characters. */
  #read(shop: ShopReader, task: ReadTask): PoolAnswer {
    const outcome = answerQuestion(shop, task);
    if (!outcome.ok) return refused(outcome);
    const text = JSON.stringify(outcome.value);
    const body = this.#areas.roomFor(Buffer.byteLength(text));
    body.write(text);
    return { kind: 'answered', body };
  }
}

/** undefined when the text is not valid JSON: the front end then refuses it and names the position of the error. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const refused = (failure: Failure): Extract<PoolAnswer, { readonly kind: 'refused' }> => ({
  kind: 'refused',
  failure,
  isOfBody: false,
});
