/**
 * From the log to a shop in memory, and on from there when another process appended. Live and recovered
 * states cannot differ, because all of them are made by the steps of `applyEvent` alone. A large shop is read beside
 * other work, in steps.
 */

import { jsonLengthSteps } from '../bytes/json-length.ts';
import { applyEventSteps } from '../change/apply.ts';
import { stateOfImageSteps } from '../change/state-image.ts';
import type { ShopEvent, ShopState } from '../domain/shop-event.ts';
import { type LogInSteps, replayInSteps } from '../log/replay.ts';
import type { WorkSlices } from '../pace/work-slices.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';

/** The records since the last checkpoint. */
export interface Tail {
  readonly records: number;
  readonly bytes: number;
}

/** What a shop begins with when it comes into memory. */
export interface CheckpointStart {
  readonly tail: Tail;
  /** Characters of the checkpoint's image; 0 without one. */
  readonly imageLength: number;
}

export interface RecoveredShop extends CheckpointStart {
  readonly state: ShopState;
  /** Number of the last record that is in `state`. */
  readonly sequenceNumber: number;
}

/** Bytes of one record that are worth counting: a record this large is a checkpoint's worth by itself. */
const RECORD_BYTES_COUNTED_MAX = 16 * 1024 * 1024;

/** The shop as of a record, default the last; null when it has none up to there. Throws `DamagedLogError`. */
export async function recoverShop(
  log: LogInSteps,
  shopId: string,
  slices: WorkSlices,
  upTo?: number,
): Promise<RecoveredShop | null> {
  const tail = { records: 0, bytes: 0 };
  let imageLength = 0;
  const replayed = await replayInSteps<ShopState, null>(log, shopId, {
    initial: null,
    fromImage: async ({ data, length }) => {
      const state = await slices.start({}, stateOfImageSteps(data, slices.shouldYield));
      imageLength = length;
      return state;
    },
    apply: (state, event) => slices.start({}, applyCounted(tail, state, event, slices.shouldYield)),
    ...(upTo === undefined ? {} : { upTo }),
  });
  return replayed === null ? null : { ...replayed, tail, imageLength };
}

/**
 * The shop with every record behind `from`, up to `upTo` when it is given; `onEvent` is told each of their events.
 * Reads all of them before it returns, so that a damaged one leaves nothing half done. Throws `DamagedLogError`.
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

/** The newest time that a state shows: no later write is given an earlier one. */
export function newestTimeMs({ version, keys, staging }: ShopState): number {
  const made = [version, ...keys].map(({ createdAt }) => createdAt);
  const staged = staging === null ? [] : [staging.enteredAt, staging.writes.at(-1)?.at ?? staging.enteredAt];
  return Math.max(...[...made, ...staged].map((time) => Date.parse(time)));
}
