/** What the processes of one server say to each other, through the one that started them. */
import type { Uses } from '../coverage/shop-coverage.ts';
import type { RecentSimulation } from '../shadow/recent-simulations.ts';
import type { ShadowReport } from '../shadow/shadow-tally.ts';
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

/** What one process asks another, and what it is answered, by kind. */
interface Exchanges {
  /**
   * The shop has records up to this number; `Infinity` for a shop that was deleted. From the answer on the process shows
   * them, and takes no key that they revoked (`mayRevoke`). The answer: whether it is to append to the shop next.
   */
  readonly written: Exchange<
    { readonly shopId: string; readonly sequenceNumber: number; readonly mayRevoke: boolean },
    boolean
  >;
  /** The text of `/metrics`. */
  readonly metricsText: Exchange<object, string>;
  readonly metrics: Exchange<object, ToldMetrics>;
  /** What the process keeps for a replay of this shop. */
  readonly recent: Exchange<OfShop, readonly RecentSimulation[]>;
  /** Hands what simulations of the shop used to the first process. */
  readonly collect: Exchange<OfShop, void>;
  /** Whether a write of the shop waits or is being stored. */
  readonly busy: Exchange<OfShop, boolean>;
  readonly used: Exchange<OfShop & { readonly uses: Uses }, void>;
  /** As the log keeps it. */
  readonly coverage: Exchange<OfShop, string | null>;
  readonly shadowed: Exchange<{ readonly report: ShadowReport }, void>;
  /** As the log keeps it. */
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
