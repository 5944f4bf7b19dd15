/**
 * What goes to a worker and what comes back. Requests travel as JSON text, because copying a text costs the
 * event loop a tenth of copying the object; configurations do not travel at all: a task names the record
 * of the shop's log as of which it is meant, and the worker reads the rest itself.
 */
import type { MethodShift } from './method-shift.ts';

/** Live simulations to evaluate against the live configuration and the changeset, both as of one record. */
export interface ShadowBatch {
  readonly kind: 'shadowBatch';
  readonly shopId: string;
  /** The record as of which simulations were answered; a changeset is active there. */
  readonly sequenceNumber: number;
  /** Request bodies that were answered, as JSON texts. */
  readonly texts: readonly string[];
  /** The clock of each request, ms since the epoch. */
  readonly times: readonly number[];
  /** True when the simulations are older than the changeset or are shown to it again. */
  readonly isReplay: boolean;
}

/** A zone and a product group of the changeset that one cart touched. */
export type SeenPair = readonly [zoneId: string, groupId: string];

/** What a batch adds to the results of its changeset. */
export interface ShadowFindings {
  readonly evaluated: number;
  readonly identical: number;
  readonly different: number;
  /** Each once. */
  readonly pairs: readonly SeenPair[];
  /** Method id -> how its price moved. */
  readonly methods: Readonly<Record<string, MethodShift>>;
}

export interface ShadowBatchResult {
  /** `ShadowFindings` as JSON text. */
  readonly findings: string;
  /** How many simulations differ. */
  readonly sampleCount: number;
  /**
   * Their samples, oldest first, as JSON texts with a line feed between them. Bytes, because they change hands
   * without being copied, and most are replaced by newer ones unread.
   */
  readonly samples: Uint8Array<ArrayBuffer>;
}

/** A configuration to look for defects in. The result is the report as JSON text. */
export interface LintTask {
  readonly kind: 'lint';
  readonly shopId: string;
  readonly sequenceNumber: number;
  /** A changeset is active there, if it is `staged`. */
  readonly view: 'live' | 'staged';
  /** What execute would replace in it: `ConfigData` as JSON text, and the seed of new ids; null for nothing. */
  readonly replacement: { readonly data: string; readonly seed: string } | null;
}

/** Every kind of task; a new kind is one more member here and one more case in the worker. */
export type PoolTask = ShadowBatch | LintTask;

export type ResultOf<T extends PoolTask> = T extends ShadowBatch
  ? ShadowBatchResult
  : T extends LintTask
    ? string
    : never;

/** What a worker is given when it starts. */
export interface WorkerSettings {
  /** Folder of the log. */
  readonly dataFolder: string;
  /** Shops that a worker keeps compiled. */
  readonly shopsKeptMax: number;
  /** Runs only when nothing else wants the processor, where the system can tell threads apart. */
  readonly isBackground: boolean;
}
