/** Images of checkpoints at once, for shops that are not large. */
import { writeImageSteps } from '../../src/change/state-image.ts';
import type { ShopState } from '../../src/domain/shop-event.ts';
import type { Checkpoint, ReadImage } from '../../src/log/event-log.ts';
import { finishSteps, NEVER } from '../../src/pace/work-steps.ts';

export const writeImage = (state: ShopState): string => finishSteps(writeImageSteps(state, NEVER)).join('');

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
