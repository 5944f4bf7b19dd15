/**
 * Profiles: a shop and the carts that are sent to it. All carts of a profile differ, because a server that
 * sees one body again and again is measured with caches and branch predictions no real one has.
 */
import type { CompileSettings } from '../../src/engine/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../src/engine/domain/cart.ts';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';

export interface Profile {
  readonly name: string;
  /** One line: what of the shop a cart meets. */
  readonly description: string;
  readonly settings: CompileSettings;
  readonly config: ShopConfig;
  readonly requests: readonly SimulateRequest[];
}

/** Different carts per profile. */
export const REQUESTS_PER_PROFILE = 500;

export const SETTINGS: CompileSettings = { currency: 'USD', timezone: 'America/New_York' };

/** The clock of every measurement in process: a Thursday, 10:30 in New York. */
export const NOW_MS = Date.UTC(2026, 10, 19, 15, 30);

export const bodiesOf = (profile: Profile): readonly string[] =>
  profile.requests.map((request) => JSON.stringify(request));
