/**
 * Loads a shop from the log into memory, and applies records that another process appended. Live and recovered states
 * cannot differ, because only the steps of `applyEvent` make them. A large shop is read in steps, beside other work.
 */

import { jsonLengthSteps } from '../bytes/json-length.ts';
import { applyEventSteps } from '../change/apply.ts';
import { stateOfImageSteps } from '../change/state-image.ts';
import type { ShopEvent, ShopState } from '../domain/shop-event.ts';
import { type LogInSteps, replayInSteps } from '../log/replay.ts';
import type { WorkSlices } from '../pace/work-slices.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';

/** The records since the last checkpoint. */
interface Tail {
  readonly records: number;
  readonly bytes: number;
}

/** The starting point of a shop that is loaded into memory. */
export interface CheckpointStart {
  readonly tail: Tail;
  /** Number of characters of the checkpoint image; 0 without a checkpoint. */
  readonly imageLength: number;
}

export interface RecoveredShop extends CheckpointStart {
  readonly state: ShopState;
  /** Number of the last record that is in `state`. */
  readonly sequenceNumber: number;
}

/** The counted size of one record is capped here: a record of this size makes a checkpoint due by itself. */
const RECORD_BYTES_COUNTED_MAX = 16 * 1024 * 1024;

/** The shop as of a record (default: the last); null when it has no records up to there. Throws `DamagedLogError`. */
export async function recoverShop(
  log: LogInSteps,
  shopId: string,
  slices: WorkSlices,
  upTo?: number,
): Promise<RecoveredShop | null> {
  const tail = { records: 0, bytes: 0 };
  let imageLength = 0;
  const replayed = await replayInSteps<ShopState>(log, shopId, {
    fromImage: async ({ data, length }, isFirst) => {
      const state = await slices.start({}, stateOfImageSteps(data, isFirst, slices.shouldYield));
      imageLength = length;
      return state;
    },
    apply: (state, event) => slices.start({}, applyCounted(tail, state, event, slices.shouldYield)),
    ...(upTo === undefined ? {} : { upTo }),
  });
  return replayed === null ? null : { ...replayed, tail, imageLength };
}

/**
 * The shop with every record after `from`, up to `upTo` if given; calls `onEvent` with each event. Reads all records
 * before it returns, so that a damaged record leaves no partial result. Throws `DamagedLogError`.
 */
export async function followShop(
  log: LogInSteps,
  from: Omit<RecoveredShop, keyof CheckpointStart>,
  slices: WorkSlices,
  onEvent: (event: ShopEvent) => void,
  upTo?: number,
): Promise<Omit<RecoveredShop, 'imageLength'>> {
  const tail = { records: 0, bytes: 0 };
  let { state, sequenceNumber } = from;
  for await (const record of log.readInSteps(state.settings.id, sequenceNumber, upTo)) {
    state = await slices.start({}, applyCounted(tail, state, record.event, slices.shouldYield));
    sequenceNumber = record.sequenceNumber;
    onEvent(record.event);
  }
  return { state, sequenceNumber, tail };
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
