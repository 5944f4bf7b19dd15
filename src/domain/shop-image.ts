/**
 * The image of a checkpoint: a shop's state as JSON text. A staged configuration is kept as what differs from
 * the live one, so that both share the rest again when it is read. Field names are part of the stored format.
 */
import type { ConfigChange, ShopState, StagingState } from './shop-event.ts';

/** Raised with every change of the image that older programs cannot read; they pass over such a checkpoint. */
const IMAGE_FORMAT = 2;

export interface ShopImage extends Omit<ShopState, 'staging'> {
  readonly staging: (Omit<StagingState, 'config'> & { readonly change: ConfigChange }) | null;
}

export const shopImageText = (state: ShopImage): string => JSON.stringify({ format: IMAGE_FORMAT, state });

/** Throws for a text that is no image of this format. */
export function parseShopImage(text: string): ShopImage {
  const { format, state } = JSON.parse(text) as { readonly format?: number; readonly state: ShopImage };
  if (format !== IMAGE_FORMAT) throw new Error(`checkpoint image of format ${format}`);
  return state;
}
