/** What a check and a copy of a log share: the report of damage, and the chain of the records of one shop. */

import { asError } from '../../base/runtime/thrown-error.ts';
import type { ApiKey } from '../../engine/domain/api-key.ts';
import { parseShopImage } from '../../engine/domain/shop-event.ts';
import type { RecordHead, StoredCheckpoint, StoredRecord } from './authority.ts';
import { decodeCheckpoint } from './checkpoint-codec.ts';
import { DamagedLogError, type LogRecord } from './event-log.ts';
import { decodeRecord, hashRecord, NO_PREVIOUS_HASH } from './record-codec.ts';

/** Maximum number of findings in a report; nobody reads more. */
export const DEFECTS_MAX = 1000;

export interface LogDefect {
  /** `?` when unknown because of the damage. */
  readonly shopId: string;
  /** 0 when the defect is not in one record. */
  readonly sequenceNumber: number;
  readonly what: string;
}

export const defectText = ({ shopId, sequenceNumber, what }: LogDefect): string =>
  `shop ${shopId}, record ${sequenceNumber}: ${what}`;

export interface LogReport {
  readonly shops: number;
  readonly records: number;
  readonly checkpoints: number;
  /** Entries of all indexes. */
  readonly indexEntries: number;
  /** Empty when the log is undamaged. */
  readonly defects: readonly LogDefect[];
}

const NOT_NEXT = 'it does not follow the record before it';
const WRONG_CHECKPOINT = 'checkpoint: its hash is not that of its record';

/** The defect of something that cannot be read, without the shop and the number, which the caller adds. */
export const damageOf = (error: unknown): string =>
  error instanceof DamagedLogError ? error.what : asError(error).message;

/** Follows the records of a shop in order and reports each that is damaged, missing or in a wrong place. */
export class RecordChain {
  readonly shopId: string;
  readonly #report: (sequenceNumber: number, what: string) => void;
  /** Live keys by id. */
  readonly keys = new Map<string, ApiKey>();
  /** Number of a record with a checkpoint -> hash of that record according to the checkpoint. */
  readonly checkpointHashes = new Map<number, Buffer>();
  /** The last record so far; the next one must follow it. */
  last: RecordHead = { sequenceNumber: 0, hash: NO_PREVIOUS_HASH };

  constructor(shopId: string, report: (sequenceNumber: number, what: string) => void) {
    this.shopId = shopId;
    this.#report = report;
  }

  /** Continues after this record, whose hash its checkpoint holds. */
  continueAfter(sequenceNumber: number): void {
    const hash = sequenceNumber === 0 ? NO_PREVIOUS_HASH : this.checkpointHashes.get(sequenceNumber);
    if (hash === undefined)
      this.#report(sequenceNumber, 'the checkpoint that the log begins with is missing');
    this.last = { sequenceNumber, hash: hash ?? NO_PREVIOUS_HASH };
  }

  /** Returns a later record; null when it is damaged. */
  follow({ sequenceNumber, stored }: StoredRecord): LogRecord | null {
    const before = this.last;
    const next = before.sequenceNumber + 1;
    for (let missing = next; missing < Math.min(sequenceNumber, next + DEFECTS_MAX); missing++)
      this.#report(missing, 'it is missing');
    const hash = hashRecord(stored);
    this.last = { sequenceNumber, hash };
    if (this.checkpointHashes.get(sequenceNumber)?.equals(hash) === false)
      this.#report(sequenceNumber, WRONG_CHECKPOINT);
    return this.checked(sequenceNumber, () => {
      const { record, previousHash } = decodeRecord(stored, this.shopId, sequenceNumber);
      const mayFollow =
        sequenceNumber > next || (sequenceNumber === next && previousHash.equals(before.hash));
      if (!mayFollow) this.#report(sequenceNumber, NOT_NEXT);
      const { event } = record;
      if (event.kind === 'keyCreated') this.keys.set(event.key.id, event.key);
      else if (event.kind === 'keyRevoked') this.keys.delete(event.keyId);
      return record;
    });
  }

  /** Compares the last record with the head of the shop. */
  endAt(head: RecordHead): void {
    const { sequenceNumber, hash } = this.last;
    for (const at of this.checkpointHashes.keys())
      if (at > sequenceNumber) this.#report(at, WRONG_CHECKPOINT);
    if (head.sequenceNumber > sequenceNumber)
      this.#report(head.sequenceNumber, `it is missing, like all records after ${sequenceNumber}`);
    else if (head.sequenceNumber < sequenceNumber)
      this.#report(sequenceNumber, `it is after the last record, ${head.sequenceNumber}`);
    else if (!head.hash.equals(hash))
      this.#report(sequenceNumber, 'it is not the record that was written last');
  }

  /** Returns the result of `check`; reports what it throws and returns null then. */
  checked<T>(sequenceNumber: number, check: () => T): T | null {
    try {
      return check();
    } catch (error) {
      this.#report(sequenceNumber, damageOf(error));
      return null;
    }
  }
}

/** Notes the hash in a checkpoint, and from the one at the beginning of a trimmed log the keys of then. */
export function followCheckpoint(
  chain: RecordChain,
  { sequenceNumber, stored }: StoredCheckpoint,
  removedUpTo: number,
): void {
  chain.checked(sequenceNumber, () => {
    const { recordHash, image } = decodeCheckpoint(stored, chain.shopId, sequenceNumber);
    // A copy, because the hash is a view into the checkpoint.
    chain.checkpointHashes.set(sequenceNumber, Buffer.from(recordHash));
    if (sequenceNumber !== removedUpTo) return;
    for (const key of parseShopImage(image).keys) chain.keys.set(key.id, key);
  });
}
