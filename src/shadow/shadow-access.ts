/** The shadow as others see it: the routes, and the processes that answer from one log. */
import type { Outcome } from '../domain/failure.ts';
import type { PlacedConfig, ShopState } from '../domain/shop-event.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import type { EditShadowResults, ShadowResults } from '../wire/shadow-results.ts';
import type { ShadowBatchResult } from './shadow-batch.ts';
import { ShadowTally } from './shadow-tally.ts';

/** Makes the results as of the call. */
export type ResultsInSteps = (shouldYield: ShouldYield) => WorkSteps<ShadowResults>;

export interface ShadowAccess {
  /** Returns a function that makes the results of the active changeset; CONFLICT without one. */
  results(state: ShopState, elsewhere: readonly string[]): Outcome<ResultsInSteps>;
  /**
   * What other nodes found of the active changeset, at most a second old, for `results`; null without other nodes or a
   * changeset. RATE_LIMITED while it cannot be read.
   */
  elsewhere(state: ShopState): Promise<Outcome<readonly string[]>> | null;
  /** The results since the last staged write of the active changeset; CONFLICT without one. */
  resultsSinceEdit(state: ShopState): Promise<Outcome<EditShadowResults>>;
  /**
   * Evaluates the shop's recent live simulations against the active changeset; resolves when the results include them.
   * CONFLICT without a changeset, RATE_LIMITED while another replay of the shop runs.
   */
  replay(shopId: string): Promise<Outcome<null>>;
}

/** The empty results of a new changeset on `config`. The cost does not depend on the size of the configuration. */
export const emptyResults = (config: PlacedConfig): ShadowResults =>
  finishSteps(new ShadowTally('', '').viewSteps(config, config, NEVER));

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

/** Of several processes, the one that keeps the results of all. No call rejects; reports made while that process is down are lost. */
export interface ShadowKeeper {
  /** Resolves when the results include the report. */
  add(report: ShadowReport): Promise<void>;
  /** The results in their stored form; null when there are none or the process is down. */
  results(shopId: string, stagingId: string): Promise<string | null>;
}
