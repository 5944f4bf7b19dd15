/**
 * What the front end and the commands may ask of a shop: the types between them and the actors. All
 * refusals are values; a rejected promise means a damaged log or a bug.
 */

import type { Command, CommandResult } from '../change/command.ts';
import type { Outcome } from '../domain/failure.ts';
import type { Permission } from '../domain/permission.ts';
import type { ShopSettings } from '../domain/shop.ts';
import type { ShopState } from '../domain/shop-event.ts';
import type { ShopHistory } from './shop-history.ts';
import type { ShopReader } from './shop-reader.ts';

/** A client's promise that a repeated request is the same request (contract section 1). */
export interface Idempotency {
  /** At most 255 characters. */
  readonly key: string;
  /** Digest of verb, path and body. */
  readonly requestDigest: string;
  /** For an answer that holds a secret: makes the text that is stored instead. */
  readonly seal?: (body: string) => string;
  /** Reads a stored text again; null when this caller cannot. */
  readonly open?: (stored: string) => string | null;
}

export interface WriteRequest {
  readonly command: Command;
  /** The key that asks; null on the command line. */
  readonly keyId: string | null;
  readonly batchId: string | null;
  /** The version that must be current, or the write is refused with CONFLICT. */
  readonly ifMatch: string | null;
  readonly idempotency: Idempotency | null;
  /**
   * Makes the answer from the result and the state that the write leads to. Called before the append, because the
   * answer is kept with the write.
   */
  readonly render: (
    result: CommandResult,
    state: ShopState,
  ) => { readonly status: number; readonly body: string };
}

export interface WriteAnswer {
  readonly status: number;
  readonly body: string;
  /** The version that is current after the write. */
  readonly versionId: string;
  /** True when this is the answer of an earlier, equal request. */
  readonly replayed: boolean;
}

type Reads =
  | 'shopId'
  | 'state'
  | 'sequenceNumber'
  | 'prepare'
  | 'simulate'
  | 'simulatedElsewhere'
  | 'preview'
  | 'lint'
  | 'staging'
  | 'costOf';

/** A shop as routes and commands see it: a reader, and the mailbox for its writes. */
export interface ShopAccess extends Pick<ShopReader, Reads> {
  readonly history: Pick<ShopHistory, 'idOf' | 'list' | 'read' | 'compare' | 'oldest'>;
  /** Resolves once the write is on disk or refused; RATE_LIMITED at once when the mailbox is full. */
  write(request: WriteRequest): Promise<Outcome<WriteAnswer>>;
}

export interface ShopDirectory {
  /** The shop if it is in memory: the path of almost every request. */
  loaded(shopId: string): ShopAccess | undefined;
  /** The shop, recovered from the log when it is not in memory. Rejects with `DamagedLogError`. */
  load(shopId: string): Promise<ShopAccess>;
}

export interface KeyGrant {
  readonly shopId: string;
  readonly keyId: string;
  readonly permission: Permission;
  /** The secret as it was presented. */
  readonly secret: string;
}

export interface KeyRing {
  /**
   * Who an `Authorization` header speaks for: `Bearer <key>` in any case, or the bare key. null when it
   * is missing, malformed, unknown or revoked. Cached by header text, so that the digest is not paid on
   * each request; a revoked key leaves the cache before its revocation is acknowledged.
   */
  find(authorization: string): KeyGrant | null;
  /** When the key was last used, or null. */
  lastUsedAtMs(keyId: string): number | null;
}

export type NewShop = Omit<ShopSettings, 'id'> & { readonly id?: string };
