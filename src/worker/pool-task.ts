/**
 * Messages to a worker and back. Requests are sent as JSON text, because copying text costs the event loop a tenth of
 * copying the object. Configurations are not sent: a task names a record of the shop's log, and the worker reads the
 * state as of that record itself.
 */

import type { SharedBytes } from '../bytes/shared-bytes.ts';
import type { Failure } from '../domain/failure.ts';
import type { PlanTable } from '../domain/plan.ts';
import type { Sweeping } from '../explain/price-curve.ts';
import type { ShadowBatch, ShadowBatchResult } from '../shadow/shadow-batch.ts';
import type { BisectedCart } from '../shop/bisect.ts';
import type { SimulationSource } from '../shop/compiled-configs.ts';
import type { AnswerForm } from '../wire/answer.ts';
import type { TaskStart } from './task-start.ts';

/** The fields of every task about one shop: the worker reads the rest from the log. */
interface ShopTask<K extends string> {
  readonly kind: K;
  readonly shopId: string;
  /** The record up to which the worker reads the shop. */
  readonly sequenceNumber: number;
}

/** A request, as the text that the client sent. */
interface AskTask<K extends string> extends ShopTask<K> {
  /** JSON text of the body. */
  readonly text: string;
  /** False for a body that has not been checked: the worker then refuses what the front end would refuse. */
  readonly isChecked: boolean;
}

interface SimulationTask<K extends string> extends AskTask<K> {
  /** Live, the changeset, or an earlier version, each as of the record. */
  readonly source: SimulationSource;
  /** The clock of time conditions, ms since the epoch. */
  readonly nowMs: number;
  readonly form: AnswerForm;
  /** Refuse unknown fields, if the body was not checked yet. */
  readonly isStrict: boolean;
  /** The simulation is watched, so the answer also needs the part of its request that may be kept. */
  readonly isWatched: boolean;
}

export type SimulateTask = SimulationTask<'simulate'>;
/** `text` is the body of a batch. The body was checked; the requests in it were not. */
export type SimulateBatchTask = SimulationTask<'simulateBatch'>;

/** `text` is the checked body of `/api/config`. */
interface PreviewTask extends ShopTask<'preview'> {
  /** For a long body its bytes in shared memory, which both threads read without a copy. */
  readonly text: string | SharedBytes;
  /** ISO time of the decision. */
  readonly now: string;
  /** Seed of ids that no answer shows. */
  readonly seed: string;
}

interface ReadVersionTask extends ShopTask<'readVersion'> {
  readonly versionId: string;
}

interface CompareTask extends ShopTask<'compare'> {
  readonly versionA: string;
  readonly versionB: string;
}

interface LintTask extends ShopTask<'lint'> {
  readonly view: 'live' | 'staged';
  /** Ms since the epoch: findings on what is past. */
  readonly nowMs: number;
}

interface RunChecksTask extends ShopTask<'runChecks'> {
  readonly source: SimulationSource;
  readonly ids: readonly string[] | undefined;
  /** The clock of checks that name no time, ms since the epoch. */
  readonly nowMs: number;
}

interface SweepTask extends ShopTask<'sweep'> {
  readonly source: SimulationSource;
  readonly sweeping: Sweeping;
}

interface BisectTask extends ShopTask<'bisect'> {
  readonly cart: BisectedCart;
  /** Ids of the first and the last version; the oldest version when `from` is null. */
  readonly from: string | null;
  readonly to: string;
}

/**
 * The answer to a client: the bytes of its JSON text, a refusal, or nothing because the body is not a valid request.
 */
export type PoolAnswer =
  | {
      readonly kind: 'answered';
      readonly body: Uint8Array;
      /** The body is in the shared memory that was sent with the task. */
      readonly isInArea: boolean;
      /** The pool adds this to a body in shared memory: call it once, when the body is no longer read. */
      readonly release?: () => void;
      /**
       * For a watched simulation: the part of its request that may be kept, as JSON text; for a batch one line for each
       * answered request. Bytes, because they can be transferred: V8 stores the texts of a message of more than 100 kB
       * where only a full collection frees them.
       */
      readonly kept?: Uint8Array<ArrayBuffer>;
      /** For a watched simulation: its uses, for `UseWatch.add`. */
      readonly uses?: Uint8Array<ArrayBuffer>;
    }
  /** `isOfBody`: the body itself is invalid, so the refusal does not depend on the shop. */
  | { readonly kind: 'refused'; readonly failure: Failure; readonly isOfBody: boolean }
  | { readonly kind: 'unread' };

/** Every task that reads the shop and needs nothing else. A new kind needs a case in `answer-tasks.ts`. */
export type ReadTask =
  | PreviewTask
  | ReadVersionTask
  | CompareTask
  | LintTask
  | RunChecksTask
  | SweepTask
  | BisectTask;

/** Every task that answers a client. */
export type AnswerTask = SimulateTask | SimulateBatchTask | ReadTask;

export type PoolTask = ShadowBatch | AnswerTask;
export type TaskKind = PoolTask['kind'];
export type ResultOf<T extends PoolTask> = T extends ShadowBatch ? ShadowBatchResult : PoolAnswer;

/** A task as a thread receives it. */
export type HandedTask = PoolTask & {
  /** Shared memory for a large answer; null when there is none. */
  readonly area: SharedArrayBuffer | null;
  readonly start: TaskStart;
};
/** The settings that a worker receives at its start. */
export interface WorkerSettings {
  /** The data folder with the log. */
  readonly dataFolder: string;
  /** How many compiled shops a worker keeps. */
  readonly shopsKeptMax: number;
  /** Approximate size limit of the cache of earlier versions in a worker. */
  readonly versionCacheBytesMax: number;
  /** The thread runs at the lowest priority, on systems with priorities per thread. */
  readonly isBackground: boolean;
  /** The maximum number of items in a simulate request. */
  readonly itemsMax: number;
  readonly plans: PlanTable;
}
