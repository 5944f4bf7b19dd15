/**
 * From the log to a shop in memory, and on from there when another process appended. Live and recovered
 * states cannot differ, because all of them are made by `applyEvent` alone.
 */
import { applyChange, applyEvent } from '../change/apply.ts';
import { diffConfig } from '../change/diff.ts';
import type { ConfigChange, ShopEvent, ShopState, StagingState } from '../domain/shop-event.ts';
import type { EventLog } from '../log/event-log.ts';
import { replayShop } from '../log/replay.ts';
import type { Tail } from './checkpoints.ts';
import { valueBytes } from './value-size.ts';

export interface RecoveredShop {
  readonly state: ShopState;
  /** Number of the last record that is in `state`. */
  readonly sequenceNumber: number;
  /** The records that were read for it. */
  readonly tail: Tail;
}

type ReadableLog = Pick<EventLog, 'read' | 'latestCheckpoint'>;

/** Bytes of one record that are worth counting: a record this large is a checkpoint's worth by itself. */
const RECORD_BYTES_COUNTED_MAX = 16 * 1024 * 1024;

/** Raised with every change of the image that older programs cannot read; they pass over such a checkpoint. */
const IMAGE_FORMAT = 2;

/** A staged configuration is kept as what differs from the live one: both share the rest again when read. */
interface Image {
  readonly format: number;
  readonly state: Omit<ShopState, 'staging'> & {
    readonly staging: (Omit<StagingState, 'config'> & { readonly change: ConfigChange }) | null;
  };
}

/** The checkpoint image of a state: JSON text. */
export function writeImage({ staging, ...state }: ShopState): string {
  const image: Image = { format: IMAGE_FORMAT, state: { ...state, staging: null } };
  if (staging === null) return JSON.stringify(image);
  const { config, ...origin } = staging;
  const change = diffConfig(state.config, config);
  return JSON.stringify({ ...image, state: { ...state, staging: { ...origin, change } } } satisfies Image);
}

/** The state that an image holds. Throws when it is none of this format. */
export function readImage(text: string): ShopState {
  const { format, state } = JSON.parse(text) as Image;
  if (format !== IMAGE_FORMAT) throw new Error(`checkpoint image of format ${format}`);
  if (state.staging === null) return { ...state, staging: null };
  const { change, ...origin } = state.staging;
  return { ...state, staging: { ...origin, config: applyChange(state.config, change) } };
}

/** The shop as of its last record, or null when it has none. Throws `DamagedLogError`. */
export function recoverShop(log: ReadableLog, shopId: string): RecoveredShop | null {
  const tail = { records: 0, bytes: 0 };
  const replayed = replayShop<ShopState, null>(log, shopId, {
    initial: null,
    fromImage: readImage,
    apply: (state, event) => {
      countEvent(tail, event);
      return applyEvent(state, event);
    },
  });
  return replayed === null ? null : { ...replayed, tail };
}

/**
 * The shop with every record behind `from`; `onEvent` is told each of their events. Reads all of them
 * before it returns, so that a damaged one leaves nothing half done. Throws `DamagedLogError`.
 */
export function followShop(
  log: ReadableLog,
  from: Omit<RecoveredShop, 'tail'>,
  onEvent: (event: ShopEvent) => void,
): RecoveredShop {
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
