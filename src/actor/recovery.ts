/**
 * From the log to a shop in memory, and on from there when another process appended. Live and recovered
 * states cannot differ, because all of them are made by `applyEvent` alone.
 */
import { applyEvent } from '../change/apply.ts';
import { readImage } from '../change/state-image.ts';
import type { ShopEvent, ShopState } from '../domain/shop-event.ts';
import { valueBytes } from '../domain/value-size.ts';
import type { EventLog } from '../log/event-log.ts';
import { replayShop } from '../log/replay.ts';
import type { CheckpointStart } from './checkpoints.ts';

export interface RecoveredShop extends CheckpointStart {
  readonly state: ShopState;
  /** Number of the last record that is in `state`. */
  readonly sequenceNumber: number;
}

type ReadableLog = Pick<EventLog, 'read' | 'latestCheckpoint'>;

/** Bytes of one record that are worth counting: a record this large is a checkpoint's worth by itself. */
const RECORD_BYTES_COUNTED_MAX = 16 * 1024 * 1024;

/** The shop as of its last record, or null when it has none. Throws `DamagedLogError`. */
export function recoverShop(log: ReadableLog, shopId: string): RecoveredShop | null {
  const tail = { records: 0, bytes: 0 };
  let imageLength = 0;
  const replayed = replayShop<ShopState, null>(log, shopId, {
    initial: null,
    fromImage: (text) => {
      imageLength = text.length;
      return readImage(text);
    },
    apply: (state, event) => {
      countEvent(tail, event);
      return applyEvent(state, event);
    },
  });
  return replayed === null ? null : { ...replayed, tail, imageLength };
}

/**
 * The shop with every record behind `from`; `onEvent` is told each of their events. Reads all of them
 * before it returns, so that a damaged one leaves nothing half done. Throws `DamagedLogError`.
 */
export function followShop(
  log: ReadableLog,
  from: Omit<RecoveredShop, keyof CheckpointStart>,
  onEvent: (event: ShopEvent) => void,
): Omit<RecoveredShop, 'imageLength'> {
  const tail = { records: 0, bytes: 0 };
  let { state, sequenceNumber } = from;
  for (const record of log.read(state.settings.id, sequenceNumber)) {
    countEvent(tail, record.event);
    state = applyEvent(state, record.event);
    sequenceNumber = record.sequenceNumber;
    onEvent(record.event);
  }
  return { state, sequenceNumber, tail };
}

function countEvent(tail: { records: number; bytes: number }, event: ShopEvent): void {
  tail.records++;
  tail.bytes += valueBytes(event, RECORD_BYTES_COUNTED_MAX);
}

/** The newest time that a state shows: no later write is given an earlier one. */
export function newestTimeMs({ version, keys, staging }: ShopState): number {
  const made = [version, ...keys].map(({ createdAt }) => createdAt);
  const staged = staging === null ? [] : [staging.enteredAt, staging.writes.at(-1)?.at ?? staging.enteredAt];
  return Math.max(...[...made, ...staged].map((time) => Date.parse(time)));
}
