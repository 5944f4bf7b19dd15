/** One process of a simulated run: the real directory, actors and key ring on the simulated disk and clock. */
import { createHash } from 'node:crypto';
import { createMetrics } from '../../src/base/metrics/metrics.ts';
import { createIdSource } from '../../src/base/runtime/id-source.ts';
import { silentLogger } from '../../src/base/runtime/logger.ts';
import type { PlanTable } from '../../src/engine/domain/plan.ts';
import { LiveKeyRing } from '../../src/shop/actor/key-ring.ts';
import type { ShopActor } from '../../src/shop/actor/shop-actor.ts';
import { type DirectoryLimits, LiveShopDirectory } from '../../src/shop/actor/shop-directory.ts';
import { NO_WATCH } from '../../src/shop/reader/simulation-watch.ts';
import { UNLIMITED } from '../support/unlimited-plan.ts';
import type { SeededRandom } from './seeded-random.ts';
import { type DiskTroubles, type SimulatedDisk, SimulatedLog } from './simulated-disk.ts';
import type { TaskQueue } from './task-queue.ts';

export interface SimulatedClock {
  ms: number;
  nowMs(): number;
  monotonicMs(): number;
}

const PLANS: PlanTable = {
  open: { ...UNLIMITED, groups: 12, keys: 6 },
};

export interface ProcessParts {
  readonly disk: SimulatedDisk;
  readonly queue: TaskQueue;
  readonly random: SeededRandom;
  readonly clock: SimulatedClock;
  readonly troubles: DiskTroubles;
  readonly limits: DirectoryLimits & { readonly keysCachedMax: number };
}

export class SimulatedProcess {
  readonly name: string;
  readonly limits: ProcessParts['limits'];
  readonly log: SimulatedLog;
  readonly keys: LiveKeyRing;
  readonly directory: LiveShopDirectory;
  /** The last actor of each shop. */
  readonly served = new Map<string, ShopActor>();
  /** The failure of the log after which the process will end. */
  fatal: Error | null = null;
  isDead = false;

  constructor(name: string, parts: ProcessParts) {
    const { disk, queue, random, clock, troubles, limits } = parts;
    this.name = name;
    this.limits = limits;
    this.log = new SimulatedLog(disk, queue, random, troubles, this);
    this.keys = new LiveKeyRing({
      log: this.log,
      clock,
      logger: silentLogger,
      keysCachedMax: limits.keysCachedMax,
    });
    this.directory = new LiveShopDirectory({
      log: this.log,
      clock,
      ids: createIdSource(clock, (count) => random.bytes(count)),
      logger: silentLogger,
      metrics: createMetrics(),
      plans: PLANS,
      limits,
      watch: NO_WATCH,
      onKeyRevoked: (keyId) => this.keys.forget(keyId),
      onFatal: (cause) => {
        this.fatal ??= cause;
      },
    });
  }

  async actorOf(shopId: string): Promise<ShopActor> {
    const actor = this.directory.loaded(shopId) ?? (await this.directory.load(shopId));
    this.served.set(shopId, actor);
    return actor;
  }
}

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
