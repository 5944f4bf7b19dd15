/**
 * A worker: reads the log in the data folder itself, keeps compiled shops and answers one task at a time. It holds no
 * data that other threads need, so after loading it may be terminated at any moment.
 */

import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { type AnswerText, lengthOf } from '../bytes/answer-text.ts';
import { RecordMarks, ShopCoverage } from '../coverage/shop-coverage.ts';
import { type SimulateBatchFrame, type SimulateRequest, simulateRequestSchema } from '../domain/cart.ts';
import { type Failure, type Outcome, success } from '../domain/failure.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../log/lmdb/lmdb-event-log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { ShortPauses } from '../pace/thread-pace.ts';
import { systemClock } from '../runtime/clock.ts';
import { closeObjectPrototype } from '../runtime/process-guard.ts';
import { type ReplayResult, replayCarts } from '../shadow/replay-carts.ts';
import type { ShopReader } from '../shop/shop-reader.ts';
import { answerBatch, readBatch } from '../shop/simulation-batch.ts';
import { NO_WATCH } from '../shop/simulation-watch.ts';
import { VersionCache } from '../shop/version-cache.ts';
import { compileSchema, type SchemaCheck } from '../wire/schema-check.ts';
import { findUnknownField, toldUnknown } from '../wire/unknown-field.ts';
import { AnswerAreas } from './answer-areas.ts';
import {
  type AnswerTask,
  answerQuestion,
  type HandedTask,
  type PoolAnswer,
  type ReplayTask,
  type SimulateBatchTask,
  type SimulateTask,
  type WorkerSettings,
} from './pool-task.ts';
import { ShopReaders } from './shop-readers.ts';

// Each thread has its own `Object.prototype`.
closeObjectPrototype();

const settings = workerData as WorkerSettings;

let runner: TaskRunner | undefined;

/** Opens the log with the first task, so that loading this file has no side effects. Throws when it cannot be opened. */
export function openTaskRunner(): TaskRunner {
  runner ??= new TaskRunner();
  return runner;
}

/** Runs a task. The returned value also names the buffers to transfer. */
export function runTask(task: HandedTask): object {
  const result = openTaskRunner().resultOf(task);
  const buffers = Object.values(result).flatMap((value) =>
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
  return move({ [transferableSymbol]: buffers, [valueSymbol]: result });
}

const UNREAD = { kind: 'unread' } as const;

type MadeAnswer = Exclude<PoolAnswer, typeof UNREAD>;

/** The log and the compiled shops of this thread; does the tasks, with a shop as of the record in the task. */
class TaskRunner {
  readonly #log: LmdbEventLog;
  readonly #readers: ShopReaders;
  /** Yields the core to other threads; called between the parts of large answers and batches. */
  readonly #pause = new ShortPauses().pause;
  readonly #checkRequest: SchemaCheck<SimulateRequest>;
  readonly #marks = new RecordMarks();
  readonly #areas = new AnswerAreas();

  constructor() {
    const { dataFolder, itemsMax, plans, shopsKeptMax } = settings;
    this.#log = openLmdbEventLog({ path: dataFolder, check: 'never' });
    this.#checkRequest = compileSchema(simulateRequestSchema(itemsMax));
    const ports = {
      log: this.#log,
      versionCache: new VersionCache(settings),
      clock: systemClock,
      metrics: createMetrics(),
      plans,
      limits: { itemsMax },
      watch: NO_WATCH,
      pause: this.#pause,
    };
    this.#readers = new ShopReaders(ports, shopsKeptMax);
  }

  resultOf({ start: _, ...task }: HandedTask): PoolAnswer {
    try {
      return this.#resultOf(this.#readers.at(task.shopId, task.sequenceNumber), task);
    } finally {
      // Ends the read transaction now, instead of in a later turn of the event loop.
      this.#log.endReads();
    }
  }

  #resultOf(shop: ShopReader, task: AnswerTask): PoolAnswer {
    switch (task.kind) {
      case 'simulate':
        return this.#simulate(shop, task);
      case 'simulateBatch':
        return this.#simulateBatch(shop, task);
      case 'replay':
        return this.#jsonOf(this.#replay(shop, task));
      default:
        return this.#jsonOf(answerQuestion(shop, task));
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
    return this.#simulated(shop, shop.simulate(request, task.nowMs, task));
  }

  #simulateBatch(shop: ShopReader, task: SimulateBatchTask): PoolAnswer {
    const body = readJson(task.text);
    if (body === undefined) return UNREAD;
    const requests = readBatch((body as SimulateBatchFrame).requests, this.#checkRequest, task.isStrict);
    const made = answerBatch(requests, (request) => {
      this.#pause();
      return shop.simulate(request, task.nowMs, task);
    });
    return this.#simulated(shop, made);
  }

  /** The answer and, of live simulations, what they used. */
  #simulated({ useCounter }: ShopReader, made: Outcome<AnswerText>): MadeAnswer {
    this.#pause();
    if (!made.ok) return refused(made);
    const answer = { kind: 'answered', body: this.#written(made.value) } as const;
    if (!useCounter.isUsed) return answer;
    const used = new ShopCoverage('', this.#marks);
    used.collect(useCounter.take(), systemClock.nowMs());
    return { ...answer, uses: used.uses() };
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

  /** CONFLICT without a changeset. */
  #replay(shop: ShopReader, { carts }: ReplayTask): Outcome<ReplayResult> {
    const [live, staged] = [shop.compiled('live'), shop.compiled('staged')];
    if (!live.ok) return live;
    return staged.ok ? success(replayCarts(live.value, staged.value, carts, this.#pause)) : staged;
  }

  /** JSON text with any characters. */
  #jsonOf(outcome: Outcome<unknown>): PoolAnswer {
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
