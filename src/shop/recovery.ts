/**
 * Loads a shop from the log: the newest usable checkpoint and the records after it. Live, recovered and earlier states
 * cannot differ, because only the steps of `applyEvent` make them. The event loop reads in slices, beside other work,
 * and inflates a checkpoint outside its thread. Worker threads, and reads of an old version that is estimated to be
 * cheap, read at once.
 */
import { jsonLengthSteps } from '../bytes/json-length.ts';
import { applyEvent, applyEventSteps } from '../change/apply.ts';
import { readImage, stateOfImageSteps } from '../change/state-image.ts';
import type { ShopEvent, ShopState } from '../domain/shop-event.ts';
import type { EventLog } from '../log/event-log.ts';
import type { WorkSlices } from '../pace/work-slices.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';

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
  slices: WorkSlices,
  upTo?: number,
): Promise<RecoveredShop | null> {
  const { imageLength, ...image } = await newestImage(log, shopId, slices, upTo);
  const { state, ...rest } = await followShop(log, shopId, image, slices, upTo);
  return state === null ? null : { state, ...rest, imageLength };
}

async function newestImage(
  log: LogInSteps,
  shopId: string,
  slices: WorkSlices,
  upTo: number | undefined,
): Promise<ShopAt<ShopState | null> & Pick<RecoveredShop, 'imageLength'>> {
  let image = await log.latestImage(shopId, upTo);
  while (image !== null) {
    const { data, length, sequenceNumber } = image;
    try {
      const state = await slices.start({}, stateOfImageSteps(data, slices.shouldYield));
      return { state, sequenceNumber, imageLength: length };
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
  slices: WorkSlices,
  upTo?: number,
  onEvent: (event: ShopEvent) => void = () => {},
): Promise<ShopAt<ShopState | S> & Pick<RecoveredShop, 'tail'>> {
  const tail = { records: 0, bytes: 0 };
  let { state, sequenceNumber }: ShopAt<ShopState | S> = from;
  for await (const record of log.readInSteps(shopId, sequenceNumber, upTo)) {
    state = await slices.start({}, applyCounted(tail, state, record.event, slices.shouldYield));
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

function* applyCounted(
  tail: { records: number; bytes: number },
  state: ShopState | null,
  event: ShopEvent,
  shouldYield: ShouldYield,
): WorkSteps<ShopState> {
  tail.records++;
  tail.bytes += yield* jsonLengthSteps(event, RECORD_BYTES_COUNTED_MAX, shouldYield);
  return yield* applyEventSteps(state, event, shouldYield);
}

/** The latest time in a state: no later write gets an earlier time. */
export function newestTimeMs({ version, keys, staging }: ShopState): number {
  const made = [version, ...keys].map(({ createdAt }) => createdAt);
  const staged = staging === null ? [] : [staging.enteredAt, staging.writes.at(-1)?.at ?? staging.enteredAt];
  return Math.max(...[...made, ...staged].map((time) => Date.parse(time)));
}
