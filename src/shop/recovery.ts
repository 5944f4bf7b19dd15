/**
 * Loads a shop from the log: the newest usable checkpoint and the records after it. Live, recovered and earlier states
 * cannot differ, because only `applyEvent` makes them. The event loop reads beside other work,
 * and inflates a checkpoint outside its thread. Worker threads, and reads of an old version that is estimated to be
 * cheap, read at once.
 */
import { jsonLength } from '../bytes/json-length.ts';
import { applyEvent } from '../change/apply.ts';
import { readImage, stateOfImage } from '../change/state-image.ts';
import type { ShopEvent, ShopState } from '../domain/shop-event.ts';
import type { EventLog } from '../log/event-log.ts';

export type LogInSteps = Pick<EventLog, 'readInSteps' | 'latestImage' | 'removedUpTo'>;
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
  /** Bytes of the checkpoint image; 0 without a checkpoint. */
  readonly imageLength: number;
}

const NOTHING: ShopAt<null> = { state: null, sequenceNumber: 0 };

/** The counted size of one record is capped here: a record of this size makes a checkpoint due by itself. */
const RECORD_BYTES_COUNTED_MAX = 16 * 1024 * 1024;

/** The shop as of a record (default: the last); null when it has no records up to there. Throws `DamagedLogError`. */
export async function recoverShop(
  log: LogInSteps,
  shopId: string,
  upTo?: number,
): Promise<RecoveredShop | null> {
  const { imageLength, ...image } = await newestImage(log, shopId, upTo);
  const { state, ...rest } = await followShop(log, shopId, image, upTo);
  return state === null ? null : { state, ...rest, imageLength };
}

async function newestImage(
  log: LogInSteps,
  shopId: string,
  upTo: number | undefined,
): Promise<ShopAt<ShopState | null> & Pick<RecoveredShop, 'imageLength'>> {
  let image = await log.latestImage(shopId, upTo);
  while (image !== null) {
    const { data, length, sequenceNumber } = image;
    try {
      return { state: stateOfImage(data), sequenceNumber, imageLength: length };
    } catch {
      // Not an image, or one of another version of the program: use an older checkpoint or the records.
      image = await log.latestImage(shopId, sequenceNumber - 1);
    }
  }
  return { ...NOTHING, imageLength: 0 };
}

/**
 * The shop with every record after `from`, up to `upTo` if given; calls `onEvent` with each event. Reads all records
 * before it returns, so that a damaged record leaves no partial result. Throws `DamagedLogError`.
 */
export async function followShop<S extends ShopState | null>(
  log: LogInSteps,
  shopId: string,
  from: ShopAt<S>,
  upTo?: number,
  onEvent: (event: ShopEvent) => void = () => {},
): Promise<ShopAt<ShopState | S> & Pick<RecoveredShop, 'tail'>> {
  const tail = { records: 0, bytes: 0 };
  let { state, sequenceNumber }: ShopAt<ShopState | S> = from;
  for await (const record of log.readInSteps(shopId, sequenceNumber, upTo)) {
    tail.records++;
    tail.bytes += jsonLength(record.event, RECORD_BYTES_COUNTED_MAX);
    state = applyEvent(state, record.event);
    sequenceNumber = record.sequenceNumber;
    onEvent(record.event);
  }
  return { state, sequenceNumber, tail };
}

/** As `recoverShop`, at once. `known` is the shop after an earlier record; then only the records after it are read. */
export function readShop(log: ReadableLog, shopId: string, upTo: number, known?: ShopAt): ShopAt | null {
  let { state, sequenceNumber }: ShopAt<ShopState | null> = known ?? newestImageNow(log, shopId, upTo);
  for (const record of log.read(shopId, sequenceNumber, upTo)) {
    state = applyEvent(state, record.event);
    sequenceNumber = record.sequenceNumber;
  }
  return state === null ? null : { state, sequenceNumber };
}

function newestImageNow(log: ReadableLog, shopId: string, upTo: number): ShopAt<ShopState | null> {
  let checkpoint = log.latestCheckpoint(shopId, upTo);
  while (checkpoint !== null) {
    const { image, sequenceNumber } = checkpoint;
    try {
      return { state: readImage(image), sequenceNumber };
    } catch {
      // The same as in `newestImage`.
      checkpoint = log.latestCheckpoint(shopId, sequenceNumber - 1);
    }
  }
  return NOTHING;
}

/** The latest time in a state: no later write gets an earlier time. */
export function newestTimeMs({ version, keys, staging }: ShopState): number {
  const made = [version, ...keys].map(({ createdAt }) => createdAt);
  const staged = staging === null ? [] : [staging.enteredAt, staging.writes.at(-1)?.at ?? staging.enteredAt];
  return Math.max(...[...made, ...staged].map((time) => Date.parse(time)));
}
