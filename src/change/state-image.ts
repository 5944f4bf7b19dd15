/**
 * The image of a checkpoint and its state. A staged configuration is stored as its differences from the live one, so
 * that both share all other records again after a read.
 */

import { jsonSteps } from '../bytes/json-steps.ts';
import type { ShopState } from '../domain/shop-event.ts';
import { shopImageData, shopImageOf } from '../domain/shop-image.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { applyChangeSteps } from './apply.ts';
import { diffConfigSteps } from './diff.ts';

/** The checkpoint image of a state: JSON text, in parts that follow each other. */
export function* writeImageSteps(state: ShopState, shouldYield: ShouldYield): WorkSteps<readonly string[]> {
  const { staging } = state;
  if (staging === null) return yield* jsonSteps(shopImageData({ ...state, staging }), shouldYield);
  const { config, ...rest } = staging;
  const change = yield* diffConfigSteps(state.config, config, shouldYield);
  return yield* jsonSteps(shopImageData({ ...state, staging: { ...rest, change } }), shouldYield);
}

/** The same at once and in one. */
export const writeImage = (state: ShopState): string => finishSteps(writeImageSteps(state, NEVER)).join('');

/** The state in the parsed text of an image. Throws when it is no image of a known format. */
export function* stateOfImageSteps(data: unknown, shouldYield: ShouldYield): WorkSteps<ShopState> {
  const state = shopImageOf(data);
  if (state.staging === null) return { ...state, staging: null };
  const { change, writes, ...origin } = state.staging;
  const config = yield* applyChangeSteps(state.config, change, shouldYield);
  return { ...state, staging: { ...origin, config, writes } };
}

/** The same at once, of the text. */
export const readImage = (text: string): ShopState => finishSteps(stateOfImageSteps(JSON.parse(text), NEVER));
