/**
 * Key ring: maps an `Authorization` header to the key in it (contract section 2). Valid headers are cached, so a
 * request usually costs one look-up. Unknown headers are not cached: a new key works at once, and a flood of wrong keys
 * uses no memory. Each wrong key costs one SHA-256 and one read of the log.
 *
 * Timing reveals nothing about a key: cached headers are found by a hash of the whole text with a seed of this process.
 * The log is searched only by SHA-256, and the presented and stored digests are compared in constant time.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/runtime/clock.ts';
import type { Logger } from '../../base/runtime/logger.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import { secretDigest } from '../../base/secrets/key-secret.ts';
import type { KeyLookup } from '../../store/cluster/key-lookup.ts';
import { DiskFullError, type EventLog, type KeyHolder } from '../../store/log/event-log.ts';
import type { KeyGrant, KeyRing } from '../reader/shop-access.ts';

/** Longer headers are rejected: a scheme and a key of 128 characters fit. */
const AUTHORIZATION_LENGTH_MAX = 256;
const AUTHORIZATION = /^(?:bearer +)?([\x21-\x7e]+)$/i;

interface KeyRingPorts {
  readonly log: Pick<EventLog, 'findKey' | 'writeKeyUse' | 'readKeyUse' | 'refreshKeyUse'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Logger;
  /** `KEYS_CACHED_MAX` when absent. */
  readonly keysCachedMax?: number;
  /** Set when a database holds the keys of all nodes. */
  readonly lookup?: KeyLookup;
  /** True where the keys of this shop in the log are current; without it, everywhere. The others are looked up. */
  readonly hasKeysOf?: (shopId: string) => boolean;
}

/** When a key was last used; all headers with this key share one object. */
interface KeyUse {
  atMs: number;
  writtenMs: number;
}

interface CachedKey {
  readonly grant: KeyGrant;
  readonly use: KeyUse;
}

/** Headers in the cache. */
const KEYS_CACHED_MAX = 10_000;

export class LiveKeyRing implements KeyRing {
  readonly #ports: KeyRingPorts;
  readonly #byHeader: LRUCache<string, CachedKey>;
  #uses = new Map<string, KeyUse>();

  constructor(ports: KeyRingPorts) {
    this.#ports = ports;
    this.#byHeader = new LRUCache({ max: ports.keysCachedMax ?? KEYS_CACHED_MAX });
  }

  find(authorization: string): KeyGrant | null {
    const entry = this.#byHeader.get(authorization) ?? this.#admit(authorization);
    if (entry === null) return null;
    entry.use.atMs = this.#ports.clock.nowMs();
    return entry.grant;
  }

  ask(authorization: string): Promise<KeyGrant | null> | null {
    const { lookup } = this.#ports;
    const secret = secretIn(authorization);
    if (lookup === undefined || secret === null) return null;
    const digest = secretDigest(secret);
    if (lookup.isMiss(digest)) return null;
    return lookup.ask(digest).then((holder) => {
      if (holder === null) return null;
      const { grant, use } = this.#keep(authorization, secret, holder);
      use.atMs = this.#ports.clock.nowMs();
      return grant;
    });
  }

  refreshUses(keyIds: readonly string[]): Promise<void> | null {
    return this.#ports.log.refreshKeyUse?.(keyIds) ?? null;
  }

  lastUsedAtMs(keyId: string): number | null {
    const here = this.#uses.get(keyId)?.atMs ?? null;
    const written = this.#ports.log.readKeyUse(keyId);
    return here === null || written === null ? (here ?? written) : Math.max(here, written);
  }

  /** Forgets a revoked key: from now on it is not found. */
  forget(keyId: string): void {
    this.#ports.lookup?.changed(null);
    this.#forgetWhere((grant) => grant.keyId === keyId);
  }

  forgetAll(): void {
    this.#ports.lookup?.changed(null);
    this.#byHeader.clear();
  }

  /** Another node wrote to this shop, or it was deleted: cached data about its keys may be out of date. */
  forgetShop(shopId: string): void {
    this.#ports.lookup?.changed(shopId);
    this.#forgetWhere((grant) => grant.shopId === shopId);
  }

  /** Writes when keys were last used. Best effort: a failure is logged, and the next flush retries. */
  async flush(): Promise<void> {
    const uses = new Map<string, number>();
    for (const [keyId, use] of this.#uses) if (use.atMs > use.writtenMs) uses.set(keyId, use.atMs);
    if (uses.size === 0) return;
    try {
      await this.#ports.log.writeKeyUse(uses);
    } catch (error) {
      if (!(error instanceof DiskFullError))
        this.#ports.logger.warn('key-use.failed', { error: asError(error) });
      return;
    }
    for (const [keyId, atMs] of uses) {
      const use = this.#uses.get(keyId);
      if (use !== undefined) use.writtenMs = atMs;
    }
    // Drop uses that are in the log and that no cached header refers to.
    const cached = new Set([...this.#byHeader.values()].map((entry) => entry.use));
    for (const [keyId, use] of this.#uses) {
      if (!cached.has(use) && use.atMs === use.writtenMs) this.#uses.delete(keyId);
    }
  }

  #admit(authorization: string): CachedKey | null {
    const { log, hasKeysOf } = this.#ports;
    const secret = secretIn(authorization);
    if (secret === null) return null;
    const holder = log.findKey(secretDigest(secret));
    if (holder === null || hasKeysOf?.(holder.shopId) === false) return null;
    return this.#keep(authorization, secret, holder);
  }

  #keep(authorization: string, secret: string, { shopId, keyId, permission }: KeyHolder): CachedKey {
    const use = this.#uses.get(keyId) ?? { atMs: 0, writtenMs: 0 };
    this.#uses.set(keyId, use);
    const entry = { grant: { shopId, keyId, permission, secret }, use };
    this.#byHeader.set(authorization, entry);
    return entry;
  }

  #forgetWhere(matches: (grant: KeyGrant) => boolean): void {
    for (const [authorization, { grant }] of this.#byHeader) {
      if (matches(grant)) this.#byHeader.delete(authorization);
    }
  }
}

/** The secret in an `Authorization` header; null when it holds none. */
function secretIn(authorization: string): string | null {
  if (authorization.length > AUTHORIZATION_LENGTH_MAX) return null;
  return AUTHORIZATION.exec(authorization)?.[1] ?? null;
}
