/**
 * What a replica and the owner of the shops tell each other, in order and without loss. Bodies change hands
 * without being copied, or lie in shared memory.
 */
import type { PlanTable } from '../domain/plan.ts';
import type { HttpSettings } from '../http/dependencies.ts';
import type { RequestHead } from '../http/request-head.ts';
import type { FinishedAnswer } from '../http/response-port.ts';
import type { MetricsSnapshot } from '../metrics/metrics.ts';
import type { LogFields, LogLevel } from '../runtime/logger.ts';
import type { SimulationBatch } from '../shadow/live-shadow.ts';
import type { RecentSimulation } from '../shadow/recent-simulations.ts';
import type { HeavyAnswer, Question as HeavyQuestion } from '../worker/heavy-work.ts';
import type { Loan } from './published-shops.ts';

export interface ReplicaLimits {
  readonly keysCachedMax: number;
  /** Shops of which it keeps a copy. */
  readonly shopsMax: number;
  /** Work that takes longer is left to worker threads. */
  readonly heavyMicroseconds: number;
  /** Its share of what may be kept for replays, and of what may wait for a changeset. */
  readonly replayBytesMax: number;
  readonly shadowQueueMax: number;
  readonly shadowQueueBytesMax: number;
}

/** What a replica is given when it starts. */
export interface ReplicaSettings extends ReplicaLimits {
  /** 1 for the first thread beside the owner. */
  readonly thread: number;
  readonly board: SharedArrayBuffer;
  readonly dataFolder: string;
  readonly secretKey: string | null;
  readonly plans: PlanTable;
  readonly logLevel: LogLevel;
  /** With the port that the owner listens on. */
  readonly http: HttpSettings;
}

export type LineLevel = Exclude<LogLevel, 'silent'>;

/** A question that is answered under its number. */
export type Question =
  | { readonly kind: 'metrics' }
  | { readonly kind: 'recent'; readonly shopId: string }
  /** Stops accepting; answered when nothing is in flight. */
  | { readonly kind: 'drain' };

export type ToOwner =
  | { readonly kind: 'listening' }
  | { readonly kind: 'failed'; readonly error: Error; readonly isStarting: boolean }
  | { readonly kind: 'line'; readonly level: LineLevel; readonly event: string; readonly fields: LogFields }
  /** A request begins, with the first part of its body. */
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly head: RequestHead;
      readonly part: ArrayBuffer;
      readonly isLast: boolean;
    }
  | { readonly kind: 'part'; readonly id: number; readonly part: ArrayBuffer; readonly isLast: boolean }
  /** The client left, or has all of a kept answer. */
  | { readonly kind: 'over'; readonly id: number }
  | { readonly kind: 'borrow'; readonly shopId: string }
  | { readonly kind: 'release'; readonly shopId: string; readonly slot: number }
  | { readonly kind: 'keyUse'; readonly uses: ReadonlyMap<string, number> }
  | { readonly kind: 'simulated'; readonly batch: SimulationBatch }
  | { readonly kind: 'used'; readonly shopId: string; readonly uses: Uint8Array }
  | {
      readonly kind: 'heavy';
      readonly number: number;
      readonly shopId: string;
      readonly question: HeavyQuestion;
    }
  | { readonly kind: 'reply'; readonly number: number; readonly value: unknown };

export type ToReplica =
  /** null: the connection is to be closed. */
  | { readonly kind: 'answer'; readonly id: number; readonly answer: FinishedAnswer | null }
  /** null: the shop cannot be lent. */
  | { readonly kind: 'lent'; readonly shopId: string; readonly loan: Loan | null }
  | { readonly kind: 'gone'; readonly shopId: string; readonly slot: number }
  /** A batch is off the way. */
  | { readonly kind: 'taken'; readonly requests: number; readonly bytes: number }
  | { readonly kind: 'ask'; readonly number: number; readonly question: Question }
  /** null: it could not be had done. */
  | { readonly kind: 'heavyAnswer'; readonly number: number; readonly answer: HeavyAnswer | null }
  | { readonly kind: 'close' };

export interface Replies {
  readonly metrics: MetricsSnapshot;
  readonly recent: readonly RecentSimulation[];
  readonly drain: null;
}
