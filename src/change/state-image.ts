/**
 * The image of a checkpoint and the state that it stands for. A staged configuration is kept as what differs
 * from the live one: both share the rest again when read.
 */
import type { ShopState } from '../domain/shop-event.ts';
import { parseShopImage, shopImageText } from '../domain/shop-image.ts';
import { applyChange } from './apply.ts';
import { diffConfig } from './diff.ts';

/** The checkpoint image of a state: JSON text. */
export function writeImage(state: ShopState): string {
  const { staging } = state;
  if (staging === null) return shopImageText({ ...state, staging });
  const { config, ...rest } = staging;
  return shopImageText({ ...state, staging: { ...rest, change: diffConfig(state.config, config) } });
}

/** The state of an image, byte for byte the one that was written. Throws when the text is none. */
export function readImage(text: string): ShopState {
  const state = parseShopImage(text);
  if (state.staging === null) return { ...state, staging: null };
  const { change, writes, ...origin } = state.staging;
  return { ...state, staging: { ...origin, config: applyChange(state.config, change), writes } };
}
