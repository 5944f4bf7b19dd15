/** What the front end may ask about the changesets that live simulations are shown to. */
import type { Outcome } from '../domain/failure.ts';
import type { ShadowResults } from '../domain/shadow.ts';
import type { PlacedConfig, ShopState } from '../domain/shop-event.ts';
import { ShadowTally } from './shadow-tally.ts';

export interface ShadowAccess {
  /** The results of the active changeset; CONFLICT without one. */
  results(state: ShopState): Outcome<ShadowResults>;
  /**
   * Shows the shop's last live simulations to the active changeset; its results hold them when this
   * resolves. CONFLICT without a changeset, RATE_LIMITED while another replay of the shop runs.
   */
  replay(shopId: string): Promise<Outcome<null>>;
}

/** The results of a changeset that was entered this moment on `config`. */
export const emptyResults = (config: PlacedConfig): ShadowResults =>
  new ShadowTally('', '').view(config, config);
