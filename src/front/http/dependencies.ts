/** What the front end needs from the rest of the process; tests replace it. */

import type { Metrics } from '../../base/metrics/metrics.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import type { Logger } from '../../base/runtime/logger.ts';
import type { SecretBox } from '../../base/secrets/secret-box.ts';
import type { Tracer } from '../../base/tracing/span.ts';
import type { NewKey, NewShop } from '../../engine/change/command.ts';
import type { ApiKey } from '../../engine/domain/api-key.ts';
import type { Outcome } from '../../engine/domain/failure.ts';
import type { PlanTable } from '../../engine/domain/plan.ts';
import type { ShopState } from '../../engine/domain/shop-event.ts';
import type { OperatorStatus } from '../../engine/wire/operator.ts';
import type { CoverageAccess } from '../../shop/coverage/live-coverage.ts';
import type { PoolAccess } from '../../shop/pool/answer-pool.ts';
import type { Idempotency, KeyRing, ShopDirectory } from '../../shop/reader/shop-access.ts';
import type { ShadowAccess } from '../../shop/shadow/live-shadow.ts';
import type { Freshness } from '../../store/cluster/lease.ts';
import type { LogReport } from '../../store/log/verification.ts';
import type { StreamedBody } from './output.ts';

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
  /** Seals and opens the secrets with which shop systems sign their callbacks. */
  readonly secrets: SecretBox;
  readonly metrics: Metrics;
  /** Absent where the operator has registered no provider of spans. */
  readonly tracer?: Tracer;
  /** The body of `/metrics`. */
  readonly metricsText: () => Promise<string>;
  /** How current an answer about this shop is now; absent without a database. */
  readonly freshness?: (shopId: string) => Freshness;
  /**
   * Before a write: null while the shop shows every write that was acknowledged by now, otherwise a promise that resolves when
   * it does; absent without a database. Rejects with `AuthorityUnavailableError`.
   */
  readonly upToDate?: (shopId: string) => Promise<void> | null;
  /** Receives each error of a request about this shop, which may mean a damaged history; absent without a second copy. */
  readonly onDamaged?: (shopId: string, cause: unknown) => void;
  readonly operators: OperatorAccess;
  /** How many requests of a plan's `rate` this process lets through; absent without a database. */
  readonly planShare?: (rate: number) => number;
  /** The phase that `/readyz` answers, except `draining`, which only the server knows. */
  readonly phase: () => ProcessPhase;
}

/** A new shop, and what is stored with it in the same step. */
export interface NewShopRequest {
  readonly settings: NewShop;
  /** Null for a shop without a key. */
  readonly key: NewKey | null;
  readonly idempotency: Idempotency | null;
  /** Makes the body of the answer. */
  readonly render: (state: ShopState, key: ApiKey | null) => string;
}

/** What operators do besides the routes of a shop. */
export interface OperatorAccess {
  /** Ids of the shops after this id, in order, at most `most`. */
  shopIdsAfter(shopId: string, most: number): Promise<readonly string[]>;
  /** The state of a shop, which need not be in memory for it; null when there is no such shop. */
  stateOf(shopId: string): Promise<ShopState | null>;
  /** The body of the answer, or that of an earlier, equal request. */
  createShop(request: NewShopRequest): Promise<Outcome<string>>;
  /** NOT_FOUND for a shop that never was; CONFLICT while a write of it waits. */
  deleteShop(shopId: string): Promise<Outcome<null>>;
  status(): Promise<OperatorStatus>;
  /** Reads every record of the log. CONFLICT while that, or a backup, is under way. */
  verify(): Promise<Outcome<LogReport>>;
  /** A whole copy of the log. */
  backup(): Promise<Outcome<StreamedBody>>;
}

interface HttpLimits {
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
  /** The key of operators; null when their routes are closed on the port. */
  readonly operatorKey: string | null;
  /** With `debug` every request is logged. */
  readonly logLevel: string;
}
