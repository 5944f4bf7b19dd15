/** What the processes of one server say to each other, through the one that started them. */
import type { Uses } from '../coverage/uses.ts';
import type { RecentSimulation } from '../shadow/recent-simulations.ts';
import type { ShadowReport } from '../shadow/shadow-keeper.ts';
import type { ToldMetrics } from './other-metrics.ts';

/** Which process of a server this is. */
export interface ProcessPlace {
  /** From 0; the first one keeps what the others count, and does the upkeep. */
  readonly index: number;
  readonly count: number;
  /** The port that the others listen on; null for the first one that ever listens. */
  readonly port: number | null;
  /** Processes of the server that died and were started again so far. */
  readonly restarts: number;
}

export type Question =
  /**
   * The shop has records up to this number; `Infinity` for a shop that was deleted. From the answer on the process shows
   * them, and takes no key that they revoked (`mayRevoke`).
   */
  | Written
  /** The text of `/metrics`. */
  | { readonly kind: 'metricsText' }
  | { readonly kind: 'metrics' }
  /** What the process keeps for a replay of this shop. */
  | { readonly kind: 'recent'; readonly shopId: string }
  /** Hands what simulations of the shop used to the first process. */
  | { readonly kind: 'collect'; readonly shopId: string }
  /** Whether a write of the shop waits or is being stored. */
  | { readonly kind: 'busy'; readonly shopId: string }
  | { readonly kind: 'used'; readonly shopId: string; readonly uses: Uses }
  | { readonly kind: 'coverage'; readonly shopId: string }
  | { readonly kind: 'shadowed'; readonly report: ShadowReport }
  | { readonly kind: 'shadow'; readonly shopId: string; readonly stagingId: string };

export interface Written {
  readonly kind: 'written';
  readonly shopId: string;
  readonly sequenceNumber: number;
  readonly mayRevoke: boolean;
}

export interface Replies {
  /** Whether the process is to append to the shop next. */
  readonly written: boolean;
  readonly metricsText: string;
  readonly metrics: ToldMetrics;
  readonly recent: readonly RecentSimulation[];
  readonly collect: null;
  readonly busy: boolean;
  readonly used: null;
  /** As the log keeps it. */
  readonly coverage: string | null;
  readonly shadowed: null;
  /** As the log keeps it. */
  readonly shadow: string | null;
}

export type Handlers = {
  readonly [K in Question['kind']]: (
    question: Extract<Question, { readonly kind: K }>,
  ) => Replies[K] | Promise<Replies[K]>;
};

export type ToLauncher =
  /** Nothing was read yet, and from here on questions are answered. */
  | { readonly kind: 'joined' }
  | { readonly kind: 'listening'; readonly port: number }
  | {
      readonly kind: 'ask';
      readonly number: number;
      readonly to: 'all' | 'first';
      /** A process that does not answer in time is ended: then it answers nobody any more. */
      readonly mustAnswer: boolean;
      readonly question: Question;
    }
  | { readonly kind: 'answer'; readonly ticket: number; readonly value: unknown };

export type ToProcess =
  | { readonly kind: 'place'; readonly place: ProcessPlace }
  /** Every process listens. */
  | { readonly kind: 'complete' }
  | { readonly kind: 'restarted'; readonly restarts: number }
  /** The others have ended. */
  | { readonly kind: 'alone' }
  | { readonly kind: 'question'; readonly ticket: number; readonly question: Question }
  /** Null for a process that ended, or was too busy. */
  | { readonly kind: 'answers'; readonly number: number; readonly values: readonly unknown[] };
