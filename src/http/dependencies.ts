/** What the front end needs from the rest of the process. Tests hand in their own. */

import type { Freshness } from '../cluster/lease.ts';
import type { CoverageAccess } from '../coverage/live-coverage.ts';
import type { PlanTable } from '../domain/plan.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { ShadowAccess } from '../shadow/live-shadow.ts';
import type { KeyRing, ShopDirectory } from '../shop/shop-access.ts';
import type { HeavyAccess } from '../worker/heavy-work.ts';

/**
 * `starting`: a key of a first start does not work yet, or a thread does not serve yet. `outdated`: answers are marked
 * with their age, because the database cannot be reached. `failed`: the process is about to end, because the log failed
 * or a bug came to light.
 */
export type ProcessPhase = 'starting' | 'ready' | 'outdated' | 'failed';

export interface HttpDependencies {
  readonly keys: KeyRing;
  readonly shops: ShopDirectory;
  readonly plans: PlanTable;
  readonly shadow: ShadowAccess;
  readonly coverage: CoverageAccess;
  readonly heavy: HeavyAccess;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
  /** A new seed of ids, as commands take it. */
  readonly newSeed: () => string;
  /** Opens the sealed secrets that shop systems sign their callbacks with. */
  readonly secrets: Pick<SecretBox, 'open'>;
  readonly metrics: Metrics;
  /** The body of `/metrics`. */
  readonly metricsText: () => Promise<string>;
  /** What an answer of a shop may say that is made now; left out where each is current. */
  readonly freshness?: (shopId: string) => Freshness;
  /**
   * Brings a shop in memory up to what the database has; left out where this process has all of it. Rejects with
   * `AuthorityUnavailableError`.
   */
  readonly catchUp?: (shopId: string) => Promise<void>;
  /** Told of what a request about this shop threw, which may say that its history is damaged; left out without a second copy. */
  readonly onDamaged?: (shopId: string, cause: unknown) => void;
  /** How many of a plan's `rate` in `windowMs` this process lets through; left out where it is alone. */
  readonly planShare?: (rate: number, windowMs: number) => number;
  /** The phase that `/readyz` answers. The server itself knows when it drains. */
  readonly phase: () => ProcessPhase;
}

/** The settings of these names: their rows in `settings.ts` say what each means, its bounds and its default. */
export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  readonly bodyBytesMax: number;
  readonly configBodyBytesMax: number;
  readonly itemsMax: number;
  readonly console: 'on' | 'off';
  readonly carrierBudgetMs: number;
  readonly overloadMs: number;
  readonly slowRequestMs: number;
  /** With `debug` every request leaves a line. */
  readonly logLevel: string;
}
