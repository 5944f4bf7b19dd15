/** Messages between the processes of a server. All go through the launcher. */
import type { Uses } from '../coverage/shop-coverage.ts';
import type { ShadowReport } from '../shadow/shadow-tally.ts';
import type { RecentSimulation } from '../shadow/watched-shop.ts';
import type { ProcessMetrics } from './other-metrics.ts';

/** Which process of a server this is. */
export interface ProcessPlace {
  /** From 0. The first process stores what the others count, and does the maintenance. */
  readonly index: number;
  readonly count: number;
  /** The port to listen on; null for the first process of the server, which chooses it. */
  readonly port: number | null;
  /** Number of restarts of processes so far. */
  readonly restarts: number;
}

/** Questions of one process to another, and their answers, by kind. */
interface Exchanges {
  /**
   * The shop has records up to this number; `Infinity` for a deleted shop. Once it has answered, a process shows
   * these records and refuses the keys that they revoke (`mayRevoke`). The answer is true when this process should
   * append to the shop next.
   */
  readonly written: Exchange<
    { readonly shopId: string; readonly sequenceNumber: number; readonly mayRevoke: boolean },
    boolean
  >;
  /** The text of `/metrics`. */
  readonly metricsText: Exchange<object, string>;
  readonly metrics: Exchange<object, ProcessMetrics>;
  /** The simulations that the process keeps for a replay of this shop. */
  readonly recent: Exchange<OfShop, readonly RecentSimulation[]>;
  /** Asks the process to send its coverage counts of the shop to the first process. */
  readonly collect: Exchange<OfShop, void>;
  /** True while a write of the shop waits or is being stored. */
  readonly busy: Exchange<OfShop, boolean>;
  readonly used: Exchange<OfShop & { readonly uses: Uses }, void>;
  /** The text that the log stores. */
  readonly coverage: Exchange<OfShop, string | null>;
  readonly shadowed: Exchange<{ readonly report: ShadowReport }, void>;
  /** The text that the log stores. */
  readonly shadow: Exchange<OfShop & { readonly stagingId: string }, string | null>;
}

interface Exchange<Asked, Reply> {
  readonly asked: Asked;
  readonly reply: Reply;
}

interface OfShop {
  readonly shopId: string;
}

export type Kind = keyof Exchanges;
export type QuestionOf<K extends Kind> = { readonly kind: K } & Exchanges[K]['asked'];
export type Question = { [K in Kind]: QuestionOf<K> }[Kind];
export type Reply<K extends Kind> = Exchanges[K]['reply'];

export type Handlers = {
  readonly [K in Kind]: (question: QuestionOf<K>) => Reply<K> | Promise<Reply<K>>;
};

export type ToLauncher =
  /** The process has read nothing from the log yet. From now on it answers questions. */
  | { readonly kind: 'joined' }
  | { readonly kind: 'listening'; readonly port: number }
  | {
      readonly kind: 'ask';
      readonly number: number;
      readonly to: 'all' | 'first';
      /** A process that does not answer in time is killed, so that it cannot serve stale answers. */
      readonly mustAnswer: boolean;
      readonly question: Question;
    }
  | { readonly kind: 'answer'; readonly ticket: number; readonly value: unknown };

export type ToProcess =
  | { readonly kind: 'place'; readonly place: ProcessPlace }
  /** All processes listen. */
  | { readonly kind: 'complete' }
  | { readonly kind: 'restarted'; readonly restarts: number }
  /** The other processes have exited. */
  | { readonly kind: 'alone' }
  | { readonly kind: 'question'; readonly ticket: number; readonly question: Question }
  /** One value for each process that was asked; null when it exited or was too busy. */
  | { readonly kind: 'answers'; readonly number: number; readonly values: readonly unknown[] };
