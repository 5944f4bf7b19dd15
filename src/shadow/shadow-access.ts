/** What the front end may ask about the shadow results of changesets. */
import type { Outcome } from '../domain/failure.ts';
import type { PlacedConfig, ShopState } from '../domain/shop-event.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import type { EditShadowResults, ShadowResults } from '../wire/shadow-results.ts';
import { ShadowTally } from './shadow-tally.ts';

/** As of the moment of the call. */
export type ResultsInSteps = (shouldYield: ShouldYield) => WorkSteps<ShadowResults>;

export interface ShadowAccess {
  /** What makes the results of the active changeset; CONFLICT without one. */
  results(state: ShopState): Outcome<ResultsInSteps>;
  /** The results since the last staged write of the active changeset; CONFLICT without one. */
  resultsSinceEdit(state: ShopState): Promise<Outcome<EditShadowResults>>;
  /**
   * Shows the shop's last live simulations to the active changeset; its results hold them when this
   * resolves. CONFLICT without a changeset, RATE_LIMITED while another replay of the shop runs.
   */
  replay(shopId: string): Promise<Outcome<null>>;
}

/** The empty results of a changeset that was just entered on `config`. Its cost does not grow with the configuration. */
export const emptyResults = (config: PlacedConfig): ShadowResults =>
  finishSteps(new ShadowTally('', '').viewSteps(config, config, NEVER));
