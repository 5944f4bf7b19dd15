/**
 * Recovery: a shop's state as of a record, from the newest checkpoint that can be used and the records
 * behind it. What a state is, and how an event changes it, is the caller's; the same function recovers
 * the live state and any earlier one.
 */
import type { ShopEvent } from '../domain/shop-event.ts';
import type { Checkpoint, EventLog } from './event-log.ts';

export interface Replay<S, I> {
  /** The state before the first record. */
  readonly initial: I;
  /** Reads the image of a checkpoint; throws when it is no such image, which only costs time. */
  readonly fromImage: (image: string) => S;
  readonly apply: (state: S | I, event: ShopEvent) => S;
  /** The record to stop behind; default: the last one. */
  readonly upTo?: number;
}

export interface Replayed<S> {
  readonly state: S;
  /** The last record that the state includes. */
  readonly sequenceNumber: number;
}

type ReadableLog = Pick<EventLog, 'read' | 'latestCheckpoint'>;

/** The state of a shop, or null when it has no record up to there. Throws `DamagedLogError`. */
export function replayShop<S, I = S>(
  log: ReadableLog,
  shopId: string,
  replay: Replay<S, I>,
): Replayed<S> | null {
  let replayed = fromCheckpoint(log, shopId, replay);
  for (const { sequenceNumber, event } of log.read(shopId, replayed?.sequenceNumber ?? 0, replay.upTo)) {
    replayed = {
      state: replay.apply(replayed === null ? replay.initial : replayed.state, event),
      sequenceNumber,
    };
  }
  return replayed;
}

function fromCheckpoint<S, I>(
  log: ReadableLog,
  shopId: string,
  { fromImage, upTo }: Replay<S, I>,
): Replayed<S> | null {
  let checkpoint: Checkpoint | null = log.latestCheckpoint(shopId, upTo);
  while (checkpoint !== null) {
    const { image, sequenceNumber } = checkpoint;
    try {
      return { state: fromImage(image), sequenceNumber };
    } catch {
      // An image of another version of the program, or none at all: an older one or the records serve.
      checkpoint = log.latestCheckpoint(shopId, sequenceNumber - 1);
    }
  }
  return null;
}
