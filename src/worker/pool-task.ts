/**
 * What goes to a worker and what comes back. Requests travel as JSON text, because copying a text costs the
 * event loop a tenth of copying the object; configurations do not travel at all: a task names the record
 * of the shop's log as of which it is meant, and the worker reads the rest itself.
 */

import type { SharedBytes } from '../bytes/shared-bytes.ts';
import type { Failure } from '../domain/failure.ts';
import type { PlanTable } from '../domain/plan.ts';
import type { ShadowBatch, ShadowBatchResult } from '../shadow/shadow-batch.ts';
import type { SimulationSource } from '../shop/compiled-configs.ts';
import type { AnswerForm } from '../wire/answer.ts';
import type { TaskStart } from './task-start.ts';

/** What every task about one shop names: the worker reads the rest from the log. */
interface ShopTask<K extends string> {
  readonly kind: K;
  readonly shopId: string;
  /** The record as of which the shop is meant. */
  readonly sequenceNumber: number;
}

/** A request for an answer, as the text that came in. */
interface AskTask<K extends string> extends ShopTask<K> {
  /** JSON text of the body. */
  readonly text: string;
  /** False for a body that nobody has looked at yet: the worker refuses what the front end would. */
  readonly isChecked: boolean;
}

interface SimulationTask<K extends string> extends AskTask<K> {
  /** Live, the changeset, or an earlier version, each as of the record. */
  readonly source: SimulationSource;
  /** The clock of time conditions, ms since the epoch. */
  readonly nowMs: number;
  readonly form: AnswerForm;
  /** A field that is not known is refused, if the body was not checked yet. */
  readonly isStrict: boolean;
  /** The simulation is watched: what may be kept of its request is wanted too. */
  readonly isWatched: boolean;
}

export type SimulateTask = SimulationTask<'simulate'>;
/** `text` is a body of requests that was checked, but for the requests themselves. */
export type SimulateBatchTask = SimulationTask<'simulateBatch'>;

/** `text` is the body of `/api/config`, which was checked. */
export interface PreviewTask extends ShopTask<'preview'> {
  /** Of a long one the bytes, which both threads read where they lie. */
  readonly text: string | SharedBytes;
  /** ISO time of the decision. */
  readonly now: string;
  /** From which ids are made that no answer shows. */
  readonly seed: string;
}

export interface ReadVersionTask extends ShopTask<'readVersion'> {
  readonly versionId: string;
}

export interface CompareTask extends ShopTask<'compare'> {
  readonly versionA: string;
  readonly versionB: string;
}

export interface LintTask extends ShopTask<'lint'> {
  readonly view: 'live' | 'staged';
}

/** The answer to a client: the bytes of its JSON text, a refusal, or nothing because the body is no such request. */
export type PoolAnswer =
  | {
      readonly kind: 'answered';
      readonly body: Uint8Array;
      /** The body lies in the area that came with the task. */
      readonly isInArea: boolean;
      /** Added by the pool to a body in an area: to be called once nobody reads it any more. */
      readonly release?: () => void;
      /**
       * Of a simulation that was asked to: what may be kept of its request, as JSON text; of a batch one line for each
       * that was answered. Bytes, because they change hands: the engine puts the texts of a message of more than 100 kB where only a full collection finds them.
       */
      readonly kept?: Uint8Array<ArrayBuffer>;
    }
  /** `isOfBody`: the body is none that the shop would have been asked about. */
  | { readonly kind: 'refused'; readonly failure: Failure; readonly isOfBody: boolean }
  | { readonly kind: 'unread' };

/** Every kind of task with its result; a new kind is one more row here and one more in the table of the worker. */
export interface PoolTasks {
  readonly shadowBatch: { readonly task: ShadowBatch; readonly result: ShadowBatchResult };
  readonly simulate: { readonly task: SimulateTask; readonly result: PoolAnswer };
  readonly simulateBatch: { readonly task: SimulateBatchTask; readonly result: PoolAnswer };
  readonly preview: { readonly task: PreviewTask; readonly result: PoolAnswer };
  readonly readVersion: { readonly task: ReadVersionTask; readonly result: PoolAnswer };
  readonly compare: { readonly task: CompareTask; readonly result: PoolAnswer };
  readonly lint: { readonly task: LintTask; readonly result: PoolAnswer };
}

export type TaskKind = keyof PoolTasks;
export type PoolTask = PoolTasks[TaskKind]['task'];
/** A task as it is handed to a thread. */
export type HandedTask = PoolTask & {
  /** Where a large answer may be left. */
  readonly area: SharedArrayBuffer | null;
  readonly start: TaskStart;
};
export type ResultOf<T extends PoolTask> = PoolTasks[T['kind']]['result'];

/** What a worker is given when it starts. */
export interface WorkerSettings {
  /** Folder of the log. */
  readonly dataFolder: string;
  /** Shops that a worker keeps compiled. */
  readonly shopsKeptMax: number;
  /** Approximate bytes of earlier versions that a worker keeps. */
  readonly versionCacheBytesMax: number;
  /** Runs only when nothing else wants the processor, where the system can tell threads apart. */
  readonly isBackground: boolean;
  /** Items of one simulate request. */
  readonly itemsMax: number;
  readonly plans: PlanTable;
}
