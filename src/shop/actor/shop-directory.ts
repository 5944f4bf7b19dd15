/**
 * Shop directory: manages which shops are in memory. A shop is recovered from the log on first use; concurrent requests
 * share one recovery. When the number of shops exceeds the bound, idle shops are evicted.
 *
 * Eviction takes the least recently used shop (second chance). The bound is exceeded only while every shop in memory
 * has a waiting write.
 */

import type { NewKey, NewShop } from '../../engine/change/command.ts';
import { decide } from '../../engine/change/decide.ts';
import type { ApiKey } from '../../engine/domain/api-key.ts';
import { ITEMS_MAX_DEFAULT } from '../../engine/domain/cart.ts';
import {
  conflict,
  DISK_FULL,
  type Failure,
  failure,
  type Outcome,
  success,
} from '../../engine/domain/failure.ts';
import type { ShopState } from '../../engine/domain/shop-event.ts';
import { DamagedLogError, type StoredAnswer } from '../../store/log/event-log.ts';
import { UNREACHABLE } from '../reader/other-nodes.ts';
import { type RecoveredShop, recoverShop } from '../reader/recovery.ts';
import type { ShopDirectory } from '../reader/shop-access.ts';
import { VERSION_CACHE_LIMITS, VersionCache, type VersionCacheLimits } from '../reader/version-cache.ts';
import { outcomeOf } from './append-outcome.ts';
import { type ActorLimits, type ActorPorts, ShopActor } from './shop-actor.ts';

export interface DirectoryLimits extends ActorLimits, VersionCacheLimits {
  /** Shops in memory; idle ones are evicted to make room. */
  readonly shopsLoadedMax: number;
}

/** Those of the service, which has a setting for the items of a cart; tests have smaller ones. */
export const DIRECTORY_LIMITS: DirectoryLimits = {
  mailboxLengthMax: 1_024,
  groupWritesMax: 256,
  groupBytesMax: 8 * 1024 * 1024,
  shopsLoadedMax: 1_000,
  checkpointRecords: 250,
  checkpointBytes: 64 * 1024,
  itemsMax: ITEMS_MAX_DEFAULT,
  ...VERSION_CACHE_LIMITS,
};

/** What keeps the shops in memory up to date with what other nodes write. */
interface ShopFollowing {
  /** The shop is about to be read from the log, which is up to date when the promise resolves. */
  load(shopId: string): Promise<void>;
  /** After `load`, records of the shop are damaged: replaces them, and logs the damage. */
  loadAnew(shopId: string, damage: Error): Promise<void>;
  /** The shop left memory, or could not be loaded. */
  unload(shopId: string): void;
}

export interface DirectoryPorts extends Omit<ActorPorts, 'versionCache'> {
  readonly limits: DirectoryLimits;
  /** Left out where no other node writes. */
  readonly following?: ShopFollowing;
}

export class UnknownShopError extends Error {
  override readonly name = 'UnknownShopError';

  constructor(shopId: string) {
    super(`there is no shop ${shopId}`);
  }
}

/** What is stored together with a new shop. */
interface FirstRecords {
  readonly key?: NewKey | null;
  /** Makes the answer to keep for a repeated request. */
  readonly answer?: (state: ShopState, key: ApiKey | null) => StoredAnswer | null;
}

/** The message of a defect of the first key names the path within the key. */
const inKey = (defect: Failure): Failure => ({ ...defect, message: `/key${defect.message}` });

interface Entry {
  readonly actor: ShopActor;
  /** True when the shop was used since the last eviction scan. */
  wasUsed: boolean;
}

export class LiveShopDirectory implements ShopDirectory {
  readonly #ports: DirectoryPorts & ActorPorts;
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Map<string, Promise<ShopActor>>();

  constructor(ports: DirectoryPorts) {
    this.#ports = {
      ...ports,
      versionCache: new VersionCache(ports.limits),
    };
  }

  loaded(shopId: string): ShopActor | undefined {
    const entry = this.#entries.get(shopId);
    if (entry === undefined) return undefined;
    entry.wasUsed = true;
    return entry.actor;
  }

  /** The shop if it is in memory; the call does not count as a use. */
  peek(shopId: string): ShopActor | undefined {
    return this.#entries.get(shopId)?.actor;
  }

  /** Rejects with `DamagedLogError` or `UnknownShopError`. */
  async load(shopId: string): Promise<ShopActor> {
    return this.loaded(shopId) ?? this.#loading.get(shopId) ?? this.#load(shopId);
  }

  async #load(shopId: string): Promise<ShopActor> {
    const loading = this.#recover(shopId);
    this.#loading.set(shopId, loading);
    try {
      return await loading;
    } finally {
      this.#loading.delete(shopId);
    }
  }

  /**
   * Creates a shop with one default group (contract section 2), and its first key in the same append. CONFLICT when the id is
   * taken; INTERNAL_ERROR, after a call of `onFatal`, when the log failed.
   */
  async createShop(
    settings: NewShop,
    { key = null, answer }: FirstRecords = {},
  ): Promise<Outcome<ShopActor>> {
    const { log, clock, ids, plans, onFatal } = this.#ports;
    const atMs = clock.nowMs();
    const context = () => ({
      ...{ now: new Date(atMs).toISOString(), seed: ids.next() },
      ...{ keyId: null, batchId: null, plans, findVersion: () => null },
    });
    const made = decide(null, { kind: 'createShop', settings }, context());
    if (!made.ok) return made;
    const keyed = key === null ? made : decide(made.value.state, { kind: 'createKey', ...key }, context());
    if (!keyed.ok) return keyed.code === 'VALIDATION_ERROR' ? inKey(keyed) : keyed;
    const { state, result: last } = keyed.value;
    const shopId = state.settings.id;
    const events = key === null ? made.value.events : [...made.value.events, ...keyed.value.events];
    const stored = answer?.(state, last.kind === 'key' ? last.key : null) ?? null;
    const records = events.map((event, index) => ({
      ...{ atMs, event },
      ...(stored !== null && index === events.length - 1 && { answer: stored }),
    }));
    const result = await outcomeOf(() => log.append(shopId, 0, records));
    if (result.kind === 'staleWriter') return conflict(`there is a shop ${shopId} already, or was one`);
    if (result.kind === 'unreachable') return UNREACHABLE;
    if (result.kind === 'diskFull') return DISK_FULL;
    if (result.kind !== 'appended') {
      if (result.kind !== 'rejected') onFatal(result.cause);
      return failure('INTERNAL_ERROR', 'the shop could not be stored');
    }
    const shop = await this.load(shopId);
    await result.seenEverywhere;
    return success(shop);
  }

  /** The state of a shop, which is read without bringing it into memory where that is possible; null for no such shop. */
  async glance(shopId: string): Promise<ShopState | null> {
    const known = this.peek(shopId);
    if (known !== undefined) return known.state;
    try {
      if (this.#ports.following !== undefined) return (await this.load(shopId)).state;
      return recoverShop(this.#ports.log, shopId)?.state ?? null;
    } catch (error) {
      if (error instanceof UnknownShopError) return null;
      throw error;
    }
  }

  /** Another node wrote to this shop, or it was deleted: the change is visible when the promise resolves. */
  async refresh(shopId: string): Promise<void> {
    const actor = await this.#actorAfterLoad(shopId);
    if (this.#ports.log.lastSequenceNumber(shopId) > 0) await actor?.refresh();
    else await this.drop(shopId);
  }

  /** A load in progress may have read the log before a write that the caller knows. */
  async #actorAfterLoad(shopId: string): Promise<ShopActor | undefined> {
    await this.#loading.get(shopId)?.catch(() => undefined);
    return this.peek(shopId);
  }

  /** The shop was deleted, or its records cannot be used: evicts the shop when its waiting writes are answered. */
  async drop(shopId: string): Promise<void> {
    const actor = await this.#actorAfterLoad(shopId);
    while (actor?.isBusy) await actor.idle();
    if (actor === undefined || this.peek(shopId) !== actor) return;
    this.#entries.delete(shopId);
    actor.retire(() => this.load(shopId));
    const { metrics, logger, following } = this.#ports;
    following?.unload(shopId);
    metrics.values.shops_loaded = this.#entries.size;
    logger.info('shop.deleted', { shopId });
  }

  /** Resolves when all loads have ended, all waiting writes are answered and all checkpoints are written. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#loading.values());
    await Promise.all([...this.#entries.values()].map(({ actor }) => actor.idle()));
  }

  async #recover(shopId: string): Promise<ShopActor> {
    // Not in the tick of the request, so that concurrent requests find the load in progress.
    await Promise.resolve();
    const { clock, logger, metrics } = this.#ports;
    const startMs = clock.monotonicMs();
    const recovered = await this.#read(shopId);
    const actor = new ShopActor(this.#ports, recovered);
    this.#makeRoom();
    this.#entries.set(shopId, { actor, wasUsed: true });
    metrics.values.shops_recovered++;
    metrics.values.shops_loaded = this.#entries.size;
    const tookMs = clock.monotonicMs() - startMs;
    metrics.durations.shop_recover.observe(tookMs);
    const recoverMs = Math.round(tookMs);
    const { sequenceNumber, tail } = recovered;
    logger.info('shop.recovered', { shopId, sequenceNumber, tailRecords: tail.records, recoverMs });
    return actor;
  }

  async #read(shopId: string): Promise<RecoveredShop> {
    const { following } = this.#ports;
    try {
      await following?.load(shopId);
      const recovered = await this.#readOrReplace(shopId);
      if (recovered === null) throw new UnknownShopError(shopId);
      return recovered;
    } catch (error) {
      following?.unload(shopId);
      throw error;
    }
  }

  async #readOrReplace(shopId: string): Promise<RecoveredShop | null> {
    const { log, following } = this.#ports;
    try {
      return recoverShop(log, shopId);
    } catch (error) {
      if (following === undefined || !(error instanceof DamagedLogError)) throw error;
      await following.loadAnew(shopId, error);
      return recoverShop(log, shopId);
    }
  }

  /** Evicts until one more shop fits. Scans at most twice: the first scan may only clear marks. */
  #makeRoom(): void {
    const { limits, metrics, logger } = this.#ports;
    for (let left = 2 * this.#entries.size; left > 0 && this.#entries.size >= limits.shopsLoadedMax; left--) {
      const oldest = this.#entries.entries().next();
      if (oldest.done === true) return;
      const [shopId, entry] = oldest.value;
      this.#entries.delete(shopId);
      if (entry.wasUsed || entry.actor.isBusy) {
        entry.wasUsed = false;
        this.#entries.set(shopId, entry);
        continue;
      }
      entry.actor.retire(() => this.load(shopId));
      this.#ports.following?.unload(shopId);
      metrics.values.shops_evicted++;
      logger.debug('shop.evicted', { shopId });
    }
  }
}
