/**
 * Writes and reads the image of a checkpoint. The staged configuration comes from applying the staged writes, so that
 * it shares with the live one all records that they did not change.
 */
import { jsonSteps } from '../bytes/json-steps.ts';
import type { ShopState } from '../domain/shop-event.ts';
import { shopImageData, shopImageOf } from '../domain/shop-event.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { applyChangeSteps } from './apply.ts';

/** The checkpoint image of a state: JSON text, in consecutive parts. */
export function* writeImageSteps(state: ShopState, shouldYield: ShouldYield): WorkSteps<readonly string[]> {
  const { staging } = state;
  if (staging === null) return yield* jsonSteps(shopImageData({ ...state, staging }), shouldYield);
  const { config: _, ...stored } = staging;
  return yield* jsonSteps(shopImageData({ ...state, staging: stored }), shouldYield);
}

/** The state in the parsed text of an image. Throws when the format is unknown. */
export function* stateOfImageSteps(data: unknown, shouldYield: ShouldYield): WorkSteps<ShopState> {
  const state = shopImageOf(data);
  if (state.staging === null) return { ...state, staging: null };
  const { id, baseVersionId, enteredAt, enteredBy, writes } = state.staging;
  let { config } = state;
  let { number } = state.version;
  for (const { change } of writes) {
    number++;
    config = yield* applyChangeSteps(config, change, number, shouldYield);
  }
  return { ...state, staging: { id, baseVersionId, enteredAt, enteredBy, config, writes } };
}

/** As `stateOfImageSteps`, from the text and without yielding. */
export const readImage = (text: string): ShopState => finishSteps(stateOfImageSteps(JSON.parse(text), NEVER));
