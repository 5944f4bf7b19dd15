/**
 * Key ring: maps an `Authorization` header to the key in it (contract section 2). Valid headers are cached, so a
 * request usually costs one look-up. Unknown headers are not cached: a new key works at once, and a flood of wrong keys
 * uses no memory. Each wrong key costs one SHA-256 and one read of the log.
 *
 * Timing reveals nothing about a key: cached headers are found by a hash of the whole text with a seed of this process.
 * The log is searched only by SHA-256, and the presented and stored digests are compared in constant time.
 */
import { LRUCache } from 'lru-cache';
import type { Authority } from '../log/authority.ts';
import { DiskFullError, type EventLog, type KeyHolder } from '../log/event-log.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { asError } from '../runtime/thrown-error.ts';
import { secretDigest } from '../secrets/key-secret.ts';
import type { KeyGrant, KeyRing } from '../shop/shop-access.ts';

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

interface Entry {
  readonly grant: KeyGrant;
  readonly use: KeyUse;
}

/** Headers in the cache. */
const KEYS_CACHED_MAX = 10_000;
/** Digests in one query to the authority. */
const ASKED_MAX = 1_000;
const MISS_MS = 10_000;
const MISSES_MAX = 10_000;

interface KeyQuery {
  readonly digest: Buffer;
  readonly answer: (holder: KeyHolder | null) => void;
  readonly failed: (error: unknown) => void;
}

export class LiveKeyRing implements KeyRing {
  readonly #ports: KeyRingPorts;
  readonly #byHeader: LRUCache<string, Entry>;
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

  /** A command or another node wrote to this shop: cached data about its keys may be out of date. */
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
    const held = new Set([...this.#byHeader.values()].map((entry) => entry.use));
    for (const [keyId, use] of this.#uses) {
      if (!held.has(use) && use.atMs === use.writtenMs) this.#uses.delete(keyId);
    }
  }

  #admit(authorization: string): Entry | null {
    const { log, hasKeysOf } = this.#ports;
    const secret = secretIn(authorization);
    if (secret === null) return null;
    const holder = log.findKey(secretDigest(secret));
    if (holder === null || hasKeysOf?.(holder.shopId) === false) return null;
    return this.#keep(authorization, secret, holder);
  }

  #keep(authorization: string, secret: string, { shopId, keyId, permission }: KeyHolder): Entry {
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

/**
 * Looks up keys that this node does not know, at the authority: those that are asked for during a query are sent
 * together with the next one. Digests that belong to no key are remembered for `MISS_MS`, so that a flood of wrong keys costs
 * the authority a bounded number of queries; a change that may have made a key forgets them.
 */
export class KeyLookup {
  readonly #authority: Pick<Authority, 'keys'>;
  readonly #nowMs: () => number;
  #waiting: KeyQuery[] = [];
  #isAsking = false;
  /** Digest in hexadecimal -> until when it is known to belong to no key. */
  readonly #misses = new Map<string, number>();
  /** Shops whose keys may have changed since the query under way was sent, or null for any shop. */
  readonly #changed = new Set<string | null>();

  constructor(authority: Pick<Authority, 'keys'>, monotonicMs: () => number) {
    this.#authority = authority;
    this.#nowMs = monotonicMs;
  }

  /** True for a digest that was found to belong to no key. */
  isMiss(digest: Buffer): boolean {
    if (this.#misses.size === 0) return false;
    return (this.#misses.get(digest.toString('hex')) ?? Number.NEGATIVE_INFINITY) > this.#nowMs();
  }

  /** The holder as of a moment after the call. Rejects with `AuthorityUnavailableError`. */
  ask(digest: Buffer): Promise<KeyHolder | null> {
    return new Promise((answer, failed) => {
      this.#waiting.push({ digest, answer, failed });
      if (!this.#isAsking) void this.#run();
    });
  }

  /**
   * Keys of this shop (null: of any shop) may have been made or revoked. Forgets the misses, and repeats the query under
   * way for those keys.
   */
  changed(shopId: string | null): void {
    this.#misses.clear();
    if (this.#isAsking) this.#changed.add(shopId);
  }

  async #run(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, ASKED_MAX);
      this.#changed.clear();
      try {
        this.#answer(asked, await this.#authority.keys(asked.map(({ digest }) => digest)));
      } catch (error) {
        for (const { failed } of asked) failed(error);
      }
    }
    this.#isAsking = false;
  }

  #answer(asked: readonly KeyQuery[], holders: readonly (KeyHolder | null)[]): void {
    for (const [index, question] of asked.entries()) {
      const holder = holders[index] ?? null;
      if (holder !== null && (this.#changed.has(null) || this.#changed.has(holder.shopId))) {
        this.#waiting.push(question);
        continue;
      }
      if (holder === null && this.#changed.size === 0) {
        if (this.#misses.size >= MISSES_MAX) this.#misses.clear();
        this.#misses.set(question.digest.toString('hex'), this.#nowMs() + MISS_MS);
      }
      question.answer(holder);
    }
  }
}
