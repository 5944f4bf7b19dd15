/** The image of a checkpoint as a log reads it. */
import type { Checkpoint, ReadImage } from '../../src/log/event-log.ts';

export function readImageOf(checkpoint: Checkpoint | null): ReadImage | null {
  if (checkpoint === null) return null;
  const { sequenceNumber, image } = checkpoint;
  const { length } = image;
  try {
    return { sequenceNumber, length, data: JSON.parse(image) as unknown };
  } catch {
    return { sequenceNumber, length, data: undefined };
  }
}
