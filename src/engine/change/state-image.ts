/**
 * Writes and reads the image of a checkpoint. The staged configuration comes from applying the staged writes, so that
 * it shares with the live one all records that they did not change.
 */
import type { ShopState } from '../domain/shop-event.ts';
import { shopImageData, shopImageOf } from '../domain/shop-event.ts';
import { applyChange } from './apply.ts';

/** The checkpoint image of a state: JSON text. */
export function writeImage(state: ShopState): string {
  const { staging } = state;
  if (staging === null) return JSON.stringify(shopImageData({ ...state, staging }));
  const { config: _, ...stored } = staging;
  return JSON.stringify(shopImageData({ ...state, staging: stored }));
}

/** The state in the parsed text of an image. Throws when the format is unknown. */
function stateOfImage(data: unknown): ShopState {
  const state = shopImageOf(data);
  if (state.staging === null) return { ...state, staging: null };
  const { writes, ...origin } = state.staging;
  let { config } = state;
  let { number } = state.version;
  for (const { change } of writes) {
    number++;
    config = applyChange(config, change, number);
  }
  return { ...state, staging: { ...origin, config, writes } };
}

/** The state in the text of an image. Throws when the format is unknown. */
export const readImage = (text: string): ShopState => stateOfImage(JSON.parse(text));
