/**
 * Index of API keys. Two tables: digest of the secret -> holder, and key id -> digest. A holder is valid only while the
 * second table contains its digest. A revocation removes that entry by the key's id alone, so it always takes effect.
 */
import { timingSafeEqual } from 'node:crypto';
import { isId } from '../../domain/id-pattern.ts';
import { DamagedLogError, type KeyHolder, type NewRecord } from '../event-log.ts';
import { HASH_BYTES } from '../record-codec.ts';
import { sealDigest, sealHolder, unsealDigest, unsealHolder } from './index-entry.ts';
import { keyIdKey } from './log-keys.ts';
import type { Change, LogTables } from './log-tables.ts';

/** Returns the holder of the key with this digest, or null. Throws `DamagedLogError`. */
export function findKeyHolder(tables: LogTables, secretSha256: Uint8Array): KeyHolder | null {
  if (secretSha256.length !== HASH_BYTES) return null;
  const digest = Buffer.from(secretSha256);
  const entry = tables.fresh(tables.apiKeys).get(digest);
  if (entry === undefined) return null;
  const holder = unsealHolder(digest, entry);
  if (holder === null) throw new DamagedLogError('?', 0, 'an entry of the table of API keys is damaged');
  const idKey = keyIdKey(holder.shopId, holder.keyId);
  const idEntry = tables.keyIds.get(idKey);
  if (idEntry === undefined) return null;
  const current = unsealDigest(idKey, idEntry);
  if (current === null)
    throw new DamagedLogError(holder.shopId, 0, `the entry of ${holder.keyId} is damaged`);
  return timingSafeEqual(current, digest) ? holder : null;
}

/** Collects the changes of the index for the events of one append. */
export class KeyIndexChanges {
  readonly #tables: LogTables;
  readonly #shopId: string;
  /** Keys made by earlier events of the same append: key id -> digest. */
  readonly #made = new Map<string, Buffer>();

  constructor(tables: LogTables, shopId: string) {
    this.#tables = tables;
    this.#shopId = shopId;
  }

  /** Reads the tables as of the start of the append; the append takes effect only if they are unchanged then. */
  addTo(changes: Change[], { event }: NewRecord): void {
    const { apiKeys, keyIds } = this.#tables;
    if (event.kind === 'keyCreated') {
      const { id, permission, secretSha256 } = event.key;
      const digest = Buffer.from(secretSha256, 'hex');
      if (digest.length !== HASH_BYTES || !isId(id)) throw new RangeError('a key without a digest or an id');
      this.#made.set(id, digest);
      const idKey = keyIdKey(this.#shopId, id);
      const holder = { shopId: this.#shopId, keyId: id, permission };
      changes.push({ table: apiKeys, key: digest, value: sealHolder(digest, holder) });
      changes.push({ table: keyIds, key: idKey, value: sealDigest(idKey, digest) });
    } else if (event.kind === 'keyRevoked') {
      changes.push({ table: keyIds, key: keyIdKey(this.#shopId, event.keyId), value: null });
      const digest = this.#digestToRemove(event.keyId);
      if (digest !== null) changes.push({ table: apiKeys, key: digest, value: null });
    }
  }

  /** Digest of the revoked key; null when a later key has the same secret. */
  #digestToRemove(keyId: string): Buffer | null {
    const made = this.#made.get(keyId);
    if (made !== undefined) {
      const isShared = [...this.#made].some(([id, digest]) => id !== keyId && digest.equals(made));
      return isShared ? null : made;
    }
    const { apiKeys, keyIds } = this.#tables;
    const idKey = keyIdKey(this.#shopId, keyId);
    const idEntry = this.#tables.fresh(keyIds).get(idKey);
    const digest = idEntry === undefined ? null : unsealDigest(idKey, idEntry);
    if (digest === null || [...this.#made.values()].some((other) => other.equals(digest))) return null;
    const entry = apiKeys.get(digest);
    const holder = entry === undefined ? null : unsealHolder(digest, entry);
    return holder?.shopId === this.#shopId && holder.keyId === keyId ? digest : null;
  }
}
