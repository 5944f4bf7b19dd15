/** What the front end needs from the rest of the process; tests replace it. */

import type { Metrics } from '../../base/metrics/metrics.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import type { Logger } from '../../base/runtime/logger.ts';
import type { SecretBox } from '../../base/secrets/secret-box.ts';
import type { PlanTable } from '../../engine/domain/plan.ts';
import type { CoverageAccess } from '../../shop/coverage/live-coverage.ts';
import type { PoolAccess } from '../../shop/pool/answer-pool.ts';
import type { KeyRing, ShopDirectory } from '../../shop/reader/shop-access.ts';
import type { ShadowAccess } from '../../shop/shadow/live-shadow.ts';
import type { Freshness } from '../../store/cluster/lease.ts';

/**
 * `starting`: the key of a first start does not work yet, or a thread is not ready. `outdated`: the node has no lease, so
 * answers are marked with their age or refused. `failed`: the process is about to end after an error of the log or a bug.
 */
export type ProcessPhase = 'starting' | 'ready' | 'outdated' | 'failed';

export interface HttpDependencies {
  readonly keys: KeyRing;
  readonly shops: ShopDirectory;
  readonly plans: PlanTable;
  readonly shadow: ShadowAccess;
  readonly coverage: CoverageAccess;
  readonly pool: PoolAccess;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
  /** A new seed of ids for a command. */
  readonly newSeed: () => string;
  /** Opens the sealed secrets with which shop systems sign their callbacks. */
  readonly secrets: Pick<SecretBox, 'open'>;
  readonly metrics: Metrics;
  /** The body of `/metrics`. */
  readonly metricsText: () => Promise<string>;
  /** How current an answer about this shop is now; absent without a database. */
  readonly freshness?: (shopId: string) => Freshness;
  /**
   * Brings a shop in memory up to the state of the database; absent without one. Rejects with
   * `AuthorityUnavailableError`.
   */
  readonly catchUp?: (shopId: string) => Promise<void>;
  /**
   * Before a write: null while the shop shows every write that was acknowledged by now, otherwise a promise that resolves when
   * it does; absent without a database. Rejects with `AuthorityUnavailableError`.
   */
  readonly upToDate?: (shopId: string) => Promise<void> | null;
  /** Receives each error of a request about this shop, which may mean a damaged history; absent without a second copy. */
  readonly onDamaged?: (shopId: string, cause: unknown) => void;
  /** How many requests of a plan's `rate` this process lets through; absent without a database. */
  readonly planShare?: (rate: number) => number;
  /** The phase that `/readyz` answers, except `draining`, which only the server knows. */
  readonly phase: () => ProcessPhase;
}

export interface HttpLimits {
  /** Bytes of the body of `POST /api/config` with a key that may write, unless the setting for all bodies allows more. */
  readonly configBodyBytesMax: number;
  /** Deadline of a checkout's callback. */
  readonly carrierBudgetMs: number;
  /** A request that takes this long is logged, with the time of each phase. */
  readonly slowRequestMs: number;
}

/** Those of the service; tests have others. */
export const HTTP_LIMITS: HttpLimits = {
  configBodyBytesMax: 16 * 1024 * 1024,
  carrierBudgetMs: 50,
  slowRequestMs: 250,
};

/** The settings of the front end, whose meanings, bounds and defaults the rows of `settings.ts` have, and its limits. */
export interface HttpSettings extends HttpLimits {
  readonly host: string;
  readonly port: number;
  readonly bodyBytesMax: number;
  readonly itemsMax: number;
  readonly console: 'on' | 'off';
  /** With `debug` every request is logged. */
  readonly logLevel: string;
}
