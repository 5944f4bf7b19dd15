/**
 * Writes and reads the image of a checkpoint. A staged configuration is stored as its differences from the live one, so
 * that after reading both share all other records.
 */

import { jsonSteps } from '../bytes/json-steps.ts';
import type { ShopState } from '../domain/shop-event.ts';
import { shopImageData, shopImageOf } from '../domain/shop-image.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { applyChangeSteps } from './apply.ts';
import { diffConfigSteps } from './diff.ts';

/** The checkpoint image of a state: JSON text, in consecutive parts. */
export function* writeImageSteps(state: ShopState, shouldYield: ShouldYield): WorkSteps<readonly string[]> {
  const { staging } = state;
  if (staging === null) return yield* jsonSteps(shopImageData({ ...state, staging }), shouldYield);
  const { config, ...rest } = staging;
  const change = yield* diffConfigSteps(state.config, config, shouldYield);
  return yield* jsonSteps(shopImageData({ ...state, staging: { ...rest, change } }), shouldYield);
}

/** As `writeImageSteps`, without yielding and as one string. */
export const writeImage = (state: ShopState): string => finishSteps(writeImageSteps(state, NEVER)).join('');

/** The state in the parsed text of an image. Throws when the format is unknown. */
export function* stateOfImageSteps(data: unknown, shouldYield: ShouldYield): WorkSteps<ShopState> {
  const state = shopImageOf(data);
  if (state.staging === null) return { ...state, staging: null };
  const { change, writes, ...origin } = state.staging;
  const config = yield* applyChangeSteps(state.config, change, shouldYield);
  return { ...state, staging: { ...origin, config, writes } };
}

/** As `stateOfImageSteps`, from the text and without yielding. */
export const readImage = (text: string): ShopState => finishSteps(stateOfImageSteps(JSON.parse(text), NEVER));
