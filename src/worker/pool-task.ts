/**
 * Messages to a worker and back. Requests are sent as JSON text, because copying text costs the event loop a tenth of
 * copying the object. Configurations are not sent: a task names a record of the shop's log, and the worker reads the
 * state as of that record itself.
 */
import { type Failure, type Outcome, success } from '../domain/failure.ts';
import type { LintReport } from '../domain/finding.ts';
import type { PlanTable } from '../domain/plan.ts';
import { asksFor, type GateCriterion, type PromotionGate } from '../domain/promotion-gate.ts';
import type { Sweeping } from '../explain/price-curve.ts';
import type { Measured } from '../shadow/judge-gate.ts';
import type { KeptCart } from '../shadow/replay-carts.ts';
import type { BisectedCart } from '../shop/bisect.ts';
import type { ShopAccess } from '../shop/shop-access.ts';
import type { Uses } from '../shop/simulation-watch.ts';
import { type SimulationSource, VERSION_CACHE_LIMITS } from '../shop/version-cache.ts';
import type { Work } from '../shop/work-estimate.ts';
import type { AnswerForm } from '../wire/answer.ts';
import type { CheckResults } from '../wire/check-results.ts';
import { versionDetailView } from '../wire/record-view.ts';
import type { ConfigAction } from '../wire/write-bodies.ts';

/** A request, as the text that the client sent. */
interface Simulation {
  readonly text: string;
  /** False for a body that has not been checked: the worker then refuses what the front end would refuse. */
  readonly isChecked: boolean;
  /** Live, the changeset, or an earlier version, each as of the record. */
  readonly source: SimulationSource;
  /** The clock of time conditions, ms since the epoch. */
  readonly nowMs: number;
  readonly form: AnswerForm;
  /** Refuse unknown fields, if the body was not checked yet. */
  readonly isStrict: boolean;
  /** The simulation is counted nowhere. */
  readonly isTest: boolean;
}

/** The tasks that read the shop and need nothing else. A new one needs a case in `answerQuestion`. */
interface Reads {
  preview: {
    /** The checked body of `/api/config`; a long one is in shared memory, so that it is not copied. */
    readonly text: string;
    /** ISO time of the decision. */
    readonly now: string;
    /** Seed of ids that only the explanation of a cart shows. */
    readonly seed: string;
  };
  readVersion: { readonly versionId: string };
  compare: {
    readonly versionA: string;
    readonly versionB: string;
    /** The clock of probe carts, in ms since the epoch; null when their rates are not compared. */
    readonly effectsAtMs: number | null;
  };
  /** Findings about past dates depend on the time, in ms since the epoch. */
  lint: { readonly view: 'live' | 'staged'; readonly nowMs: number };
  runChecks: {
    readonly source: SimulationSource;
    readonly ids: readonly string[] | undefined;
    /** The clock of checks that name no time, ms since the epoch. */
    readonly nowMs: number;
  };
  sweep: { readonly source: SimulationSource; readonly sweeping: Sweeping };
  /** Ids of the first and the last version; the oldest version when `from` is null. */
  bisect: { readonly cart: BisectedCart; readonly from: string | null; readonly to: string };
}

/** All tasks that answer a client. The body of a batch was checked; the requests in it were not. */
interface Answers extends Reads {
  simulate: Simulation;
  simulateBatch: Simulation;
  /** Compares kept carts with the changeset; the answer is a `ReplayResult`. */
  replay: { readonly carts: readonly KeptCart[] };
}

/** A task about one shop: the worker reads the rest from the log. */
type TaskOf<K extends keyof Answers> = {
  [E in K]: Answers[E] & {
    readonly kind: E;
    readonly shopId: string;
    /** The record up to which the worker reads the shop. */
    readonly sequenceNumber: number;
  };
}[K];

export type SimulateTask = TaskOf<'simulate'>;
export type SimulateBatchTask = TaskOf<'simulateBatch'>;
export type ReplayTask = TaskOf<'replay'>;
export type ReadTask = TaskOf<keyof Reads>;
export type AnswerTask = TaskOf<keyof Answers>;

type Asked<T> = T extends AnswerTask ? Omit<T, 'shopId' | 'sequenceNumber'> : never;
/** A task without the fields that identify the shop. */
export type Question = Asked<AnswerTask>;
export type ReadQuestion = Asked<ReadTask>;

/** The answer to a question that only reads the shop, the same on the event loop and in a worker thread. */
export function answerQuestion(shop: Omit<ShopAccess, 'write'>, question: ReadQuestion): Outcome<unknown> {
  switch (question.kind) {
    case 'preview':
      return shop.preview(JSON.parse(question.text) as ConfigAction, question);
    case 'readVersion': {
      const found = shop.history.read(question.versionId);
      return found.ok ? success(versionDetailView(found.value, shop.state.keys)) : found;
    }
    case 'compare':
      return shop.compare(question.versionA, question.versionB, question.effectsAtMs);
    case 'lint':
      return shop.lint(question.view, question.nowMs);
    case 'runChecks':
      return shop.runChecks(question.source, question.ids, question.nowMs);
    case 'sweep':
      return shop.sweep(question.source, question.sweeping);
    case 'bisect':
      return shop.bisect(question.cart, question.from, question.to);
  }
}

/** Answers a question, whose cost is estimated from `work`. */
export type Ask = <T>(work: Work, question: ReadQuestion) => Outcome<T> | Promise<Outcome<T>>;

/**
 * Asks what the criteria of a gate need to know of a changeset with these checks (contract section 10.2). All
 * questions are asked in this turn of the event loop, so they read the same state.
 */
export async function askForGate(
  gate: PromotionGate,
  { length: checks }: readonly unknown[],
  nowMs: number,
  ask: Ask,
): Promise<Outcome<Omit<Measured, 'results'>>> {
  const of = <T>(criterion: GateCriterion, work: Work, question: ReadQuestion) =>
    asksFor(gate, criterion) ? ask<T>(work, question) : success(null);
  const lint = (view: 'live' | 'staged') =>
    of<LintReport>('noNewLintErrors', { kind: 'lint' }, { kind: 'lint', view, nowMs });
  const kind = 'runChecks';
  const source = 'staged';
  const [ran, live, staged] = await Promise.all([
    of<CheckResults>('checksPass', { kind, source, checks }, { kind, source, ids: undefined, nowMs }),
    lint('live'),
    lint('staged'),
  ]);
  if (!ran.ok) return ran;
  if (!live.ok) return live;
  if (!staged.ok) return staged;
  const isLinted = live.value !== null && staged.value !== null;
  return success({ checks: ran.value, lint: isLinted ? { live: live.value, staged: staged.value } : null });
}

/**
 * The answer to a client: the bytes of its JSON text, a refusal, or nothing because the body is not a valid request.
 */
export type PoolAnswer =
  | {
      readonly kind: 'answered';
      /** Of a large answer in shared memory: see `releaseOf`. */
      readonly body: Uint8Array;
      /** For a simulation whose body was not checked: the value of `X-Unknown-Fields`. */
      readonly unknownFields?: string;
      /** What live simulations used, for `UseWatch.add`. */
      readonly uses?: Uses;
    }
  /** `isOfBody`: the body itself is invalid, so the refusal does not depend on the shop. */
  | {
      readonly kind: 'refused';
      readonly failure: Failure;
      readonly isOfBody: boolean;
      readonly unknownFields?: string;
    }
  | { readonly kind: 'unread' };

export type TaskKind = AnswerTask['kind'];

/** A task as a thread receives it. */
export type HandedTask = AnswerTask & {
  readonly start: TaskStart;
};

/** The settings that a worker receives at its start. */
export interface WorkerSettings {
  readonly dataFolder: string;
  /** Shops that a thread keeps compiled. */
  readonly shopsKeptMax: number;
  /** Approximate size limit of the cache of earlier versions in a worker. */
  readonly versionCacheBytesMax: number;
  readonly itemsMax: number;
  readonly plans: PlanTable;
}

/** Those of the service; tests have smaller ones. */
export const WORKER_LIMITS = { shopsKeptMax: 32, ...VERSION_CACHE_LIMITS } as const;

const BEGUN = 1;
const GIVEN_UP = 2;

/**
 * A flag in shared memory: whether a thread has begun a task. A thread may be terminated while it works, but not while
 * it loads its code or opens the log, because native code that runs in a terminated thread aborts the whole process.
 */
export type TaskStart = Int32Array<SharedArrayBuffer>;

export const notBegun = (): TaskStart => new Int32Array(new SharedArrayBuffer(4));

/** The thread calls this when it may be terminated; false when the task was given up. */
export const begin = (start: TaskStart): boolean => Atomics.compareExchange(start, 0, 0, BEGUN) === 0;

/** The caller gives up the task; false when the thread has begun it and must be terminated to stop it. */
export const giveUp = (start: TaskStart): boolean => Atomics.compareExchange(start, 0, 0, GIVEN_UP) !== BEGUN;
