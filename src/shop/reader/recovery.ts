/**
 * Loads a shop from the log: the newest usable checkpoint and the records after it. Live, recovered and earlier states
 * cannot differ, because only `applyEvent` makes them. Nothing else runs meanwhile: checkpoints bound the records behind them
 * by the size of the shop.
 */
import { jsonLength } from '../../base/bytes/json-length.ts';
import { applyEvent } from '../../engine/change/apply.ts';
import { readImage } from '../../engine/change/state-image.ts';
import type { ShopEvent, ShopState } from '../../engine/domain/shop-event.ts';
import type { EventLog } from '../../store/log/event-log.ts';

export type ReadableLog = Pick<EventLog, 'read' | 'latestCheckpoint' | 'removedUpTo'>;

/** A shop after a record. */
export interface ShopAt<S = ShopState> {
  readonly state: S;
  /** Number of the last record that is in `state`. */
  readonly sequenceNumber: number;
}

/** The records since the last checkpoint. */
interface Tail {
  readonly records: number;
  readonly bytes: number;
}

/** A shop that is loaded into memory. */
export interface RecoveredShop extends ShopAt {
  readonly tail: Tail;
  /** Characters of the checkpoint image; 0 without a checkpoint. */
  readonly imageLength: number;
}

/** The counted size of one record is capped here: a record of this size makes a checkpoint due by itself. */
const RECORD_BYTES_COUNTED_MAX = 16 * 1024 * 1024;

/** The shop as of a record (default: the last); null when it has no records up to there. Throws `DamagedLogError`. */
export function recoverShop(log: ReadableLog, shopId: string, upTo?: number): RecoveredShop | null {
  const { imageLength, ...image } = newestImage(log, shopId, upTo);
  const { state, ...rest } = followShop(log, shopId, image, upTo);
  return state === null ? null : { state, ...rest, imageLength };
}

/**
 * The shop with every record after `from`, up to `upTo` if given; calls `onEvent` with each event. Reads all records
 * before it returns, so that a damaged record leaves no partial result. Throws `DamagedLogError`.
 */
export function followShop<S extends ShopState | null>(
  log: ReadableLog,
  shopId: string,
  from: ShopAt<S>,
  upTo?: number,
  onEvent: (event: ShopEvent) => void = () => {},
): ShopAt<ShopState | S> & Pick<RecoveredShop, 'tail'> {
  const tail = { records: 0, bytes: 0 };
  let { state, sequenceNumber }: ShopAt<ShopState | S> = from;
  for (const record of log.read(shopId, sequenceNumber, upTo)) {
    tail.records++;
    tail.bytes += jsonLength(record.event, RECORD_BYTES_COUNTED_MAX);
    state = applyEvent(state, record.event);
    sequenceNumber = record.sequenceNumber;
    onEvent(record.event);
  }
  return { state, sequenceNumber, tail };
}

/**
 * The shop as of record `upTo`, without a count of its tail. `known` is the shop after an earlier record; then only the records
 * after it are read.
 */
export function readShop(log: ReadableLog, shopId: string, upTo: number, known?: ShopAt): ShopAt | null {
  if (known === undefined) return recoverShop(log, shopId, upTo);
  const { state, sequenceNumber } = followShop(log, shopId, known, upTo);
  return { state, sequenceNumber };
}

function newestImage(
  log: ReadableLog,
  shopId: string,
  upTo: number | undefined,
): ShopAt<ShopState | null> & Pick<RecoveredShop, 'imageLength'> {
  let checkpoint = log.latestCheckpoint(shopId, upTo);
  while (checkpoint !== null) {
    const { image, sequenceNumber } = checkpoint;
    try {
      return { state: readImage(image), sequenceNumber, imageLength: image.length };
    } catch {
      // Not an image, or one of another version of the program: use an older checkpoint or the records.
      checkpoint = log.latestCheckpoint(shopId, sequenceNumber - 1);
    }
  }
  return { state: null, sequenceNumber: 0, imageLength: 0 };
}

/** The latest time in a state: no later write gets an earlier time. */
export function newestTimeMs({ version, keys, staging }: ShopState): number {
  const made = [version, ...keys].map(({ createdAt }) => createdAt);
  const staged = staging === null ? [] : [staging.enteredAt, staging.writes.at(-1)?.at ?? staging.enteredAt];
  return Math.max(...[...made, ...staged].map((time) => Date.parse(time)));
}
