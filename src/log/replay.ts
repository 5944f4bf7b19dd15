/**
 * Recovery: the state of a shop after a record, from the newest usable checkpoint and the records after it. The caller
 * defines the type of a state and how an event changes it. The same function recovers the live state and any earlier
 * state. Two forms: at once, for worker threads, and in slices, for the event loop.
 */
import type { ShopEvent } from '../domain/shop-event.ts';
import type { Checkpoint, EventLog, ReadImage } from './event-log.ts';

export interface Replay<S> {
  /**
   * Parses the image of a checkpoint. When it throws, an older checkpoint is tried. `isFirst` is true when no record
   * before the checkpoint can be read.
   */
  readonly fromImage: (image: string, isFirst: boolean) => S;
  /** The state is null before the first record. */
  readonly apply: (state: S | null, event: ShopEvent) => S;
  /** The last record to replay (default: the last one of the shop). */
  readonly upTo?: number;
}

export interface Replayed<S> {
  readonly state: S;
  /** The last record that the state includes. */
  readonly sequenceNumber: number;
}

type ReadableLog = Pick<EventLog, 'read' | 'latestCheckpoint' | 'removedUpTo'>;

/** Returns the state of a shop; null when it has no record up to `upTo`. Throws `DamagedLogError`. */
export function replayShop<S>(log: ReadableLog, shopId: string, replay: Replay<S>): Replayed<S> | null {
  let replayed = fromCheckpoint(log, shopId, replay);
  for (const { sequenceNumber, event } of log.read(shopId, replayed?.sequenceNumber ?? 0, replay.upTo)) {
    replayed = { state: replay.apply(replayed?.state ?? null, event), sequenceNumber };
  }
  return replayed;
}

function fromCheckpoint<S>(
  log: ReadableLog,
  shopId: string,
  { fromImage, upTo }: Replay<S>,
): Replayed<S> | null {
  let checkpoint: Checkpoint | null = log.latestCheckpoint(shopId, upTo);
  while (checkpoint !== null) {
    const { image, sequenceNumber } = checkpoint;
    try {
      return { state: fromImage(image, sequenceNumber <= log.removedUpTo(shopId)), sequenceNumber };
    } catch {
      // Not an image, or one of another version of the program: use an older checkpoint or the records.
      checkpoint = log.latestCheckpoint(shopId, sequenceNumber - 1);
    }
  }
  return null;
}

/** A replay in slices. */
export interface ReplayInSteps<S> extends Pick<Replay<S>, 'upTo'> {
  /** As `fromImage` of `Replay`, with the JSON parsed. */
  readonly fromImage: (read: ReadImage, isFirst: boolean) => Promise<S>;
  readonly apply: (state: S | null, event: ShopEvent) => S | Promise<S>;
}

export type LogInSteps = Pick<EventLog, 'readInSteps' | 'latestImage' | 'removedUpTo'>;

/** Same as `replayShop`, in slices. */
export async function replayInSteps<S>(
  log: LogInSteps,
  shopId: string,
  replay: ReplayInSteps<S>,
): Promise<Replayed<S> | null> {
  let replayed = await fromReadImage(log, shopId, replay);
  const records = log.readInSteps(shopId, replayed?.sequenceNumber ?? 0, replay.upTo);
  for await (const { sequenceNumber, event } of records) {
    const state = await replay.apply(replayed?.state ?? null, event);
    replayed = { state, sequenceNumber };
  }
  return replayed;
}

async function fromReadImage<S>(
  log: LogInSteps,
  shopId: string,
  { fromImage, upTo }: ReplayInSteps<S>,
): Promise<Replayed<S> | null> {
  let read: ReadImage | null = await log.latestImage(shopId, upTo);
  while (read !== null) {
    const { sequenceNumber } = read;
    try {
      return { state: await fromImage(read, sequenceNumber <= log.removedUpTo(shopId)), sequenceNumber };
    } catch {
      // As above: use an older checkpoint or the records.
      read = await log.latestImage(shopId, sequenceNumber - 1);
    }
  }
  return null;
}
