/**
 * The image of a checkpoint and the state that it stands for. A staged configuration is kept as what differs
 * from the live one: both share the rest again when read.
 */
import type { ShopState } from '../domain/shop-event.ts';
import { parseShopImage, shopImageText } from '../domain/shop-image.ts';
import { applyChange } from './apply.ts';
import { diffConfig } from './diff.ts';

/** The checkpoint image of a state: JSON text. */
export function writeImage({ staging, ...state }: ShopState): string {
  if (staging === null) return shopImageText({ ...state, staging });
  const { config, ...rest } = staging;
  return shopImageText({ ...state, staging: { ...rest, change: diffConfig(state.config, config) } });
}

/** The state of an image. Throws when the text is none. */
export function readImage(text: string): ShopState {
  const { staging, ...state } = parseShopImage(text);
  if (staging === null) return { ...state, staging };
  const { change, ...rest } = staging;
  return { ...state, staging: { ...rest, config: applyChange(state.config, change) } };
}
