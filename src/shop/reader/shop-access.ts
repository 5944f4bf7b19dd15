/**
 * The interface between the front end and the actors: what it may ask of a shop. All refusals are values; a rejected
 * promise means a damaged log or a bug.
 */

import type { LogFields } from '../../base/runtime/logger.ts';
import type { Span } from '../../base/tracing/span.ts';
import type { Command, CommandResult } from '../../engine/change/command.ts';
import type { Failure, Outcome } from '../../engine/domain/failure.ts';
import type { Permission } from '../../engine/domain/permission.ts';
import type { ShopState } from '../../engine/domain/shop-event.ts';
import type { ShopHistory } from './shop-history.ts';
import type { ShopReader } from './shop-reader.ts';

/** The client promises that requests with this key are the same request (contract section 1). */
export interface Idempotency {
  /** At most 255 characters. */
  readonly key: string;
  /** Digest of verb, path and body. */
  readonly requestDigest: string;
  /** For an answer that holds a secret: returns the text that is stored instead. */
  readonly seal?: (body: string) => string;
  /** Decodes a stored text; null when this caller cannot. */
  readonly open?: (stored: string) => string | null;
}

/** The request of a client that something is done for. */
export interface Origin {
  /** Null without a provider of spans. */
  readonly span: Span | null;
  /**
   * What every log line about the request says: who sent it, what to, and what it is answered; `answer` is the one that it
   * gets after the line.
   */
  logFields(answer?: Failure | Pick<WriteAnswer, 'status'>): LogFields;
}

export interface WriteRequest {
  readonly command: Command;
  /** Absent on the command line. */
  readonly origin?: Origin;
  /** The key of the request; null for an operator, who has none. */
  readonly keyId: string | null;
  readonly batchId: string | null;
  /** The version, or the tag of the changeset, that must be current; otherwise the write is refused with CONFLICT. Null for no check. */
  readonly ifMatch: string | null;
  readonly idempotency: Idempotency | null;
  /**
   * Makes the answer from the result and the next state. Called before the append, because the answer is stored with
   * the write.
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
  /** True when this is the stored answer of an earlier, equal request. */
  readonly replayed: boolean;
}

/** What the event loop asks a reader itself. */
type Asked =
  | 'shopId'
  | 'sequenceNumber'
  | 'state'
  | 'placed'
  | 'simulate'
  | 'simulatedElsewhere'
  | 'staging'
  | 'audit';

/** A shop as routes see it: what answers carts, and a mailbox for writes. Everything else is a question to the pool. */
export interface ShopAccess extends Pick<ShopReader, Asked> {
  readonly history: Pick<ShopHistory, 'idOf' | 'list' | 'oldest'>;
  /** Resolves when the write is on disk or refused; RATE_LIMITED at once when the mailbox is full. */
  write(request: WriteRequest): Promise<Outcome<WriteAnswer>>;
}

export interface ShopDirectory {
  /** The shop if it is in memory, else undefined. Almost every request takes this path. */
  loaded(shopId: string): ShopAccess | undefined;
  /** The shop; recovers it from the log when it is not in memory. Rejects with `DamagedLogError`. */
  load(shopId: string): Promise<ShopAccess>;
}

/** On whose behalf a request is made: by a key of the shop, or by an operator. */
export interface KeyGrant {
  readonly shopId: string;
  /** Null for an operator. */
  readonly keyId: string | null;
  readonly permission: Permission;
  /** The secret in the form in which the client presented it; stored answers with secrets are sealed with it. */
  readonly secret: string;
}

export interface KeyRing {
  /**
   * The key that an `Authorization` header holds: `Bearer <key>` in any case, or the bare key. Returns null when the
   * header is missing, malformed or unknown, or when the key is revoked. Cached by header text to avoid a digest on
   * each request; a revoked key is evicted before its revocation is acknowledged.
   */
  find(authorization: string): KeyGrant | null;
  /**
   * Asks elsewhere for a key that `find` does not know; null when there is nothing to ask. Rejects with
   * `AuthorityUnavailableError`.
   */
  ask?(authorization: string): Promise<KeyGrant | null> | null;
  /**
   * Reads when other nodes saw these keys used, for `lastUsedAtMs`; null where there are none. Rejects with
   * `AuthorityUnavailableError`.
   */
  refreshUses?(keyIds: readonly string[]): Promise<void> | null;
  /** When the key was last used; null when no use is known. */
  lastUsedAtMs(keyId: string): number | null;
}
