/** How processes that answer from one log add up their results of changesets: one of them keeps all results. */
import type { ShadowBatchResult } from './shadow-batch.ts';

/** Results of simulations that one process answered while a changeset was active. */
export interface ShadowReport {
  readonly shopId: string;
  readonly stagingId: string;
  /** The last record that the answers include. */
  readonly sequenceNumber: number;
  readonly isReplay: boolean;
  /** Null when all of these simulations were dropped. */
  readonly result: ShadowBatchResult | null;
  readonly dropped: number;
}

/** The process that keeps the results. No call rejects; reports made while that process is down are lost. */
export interface ShadowKeeper {
  /** Resolves when the results include the report. */
  add(report: ShadowReport): Promise<void>;
  /** The results in their stored form; null when there are none or the process is down. */
  results(shopId: string, stagingId: string): Promise<string | null>;
}
