/**
 * The image of a checkpoint: a shop's state as JSON text. A staged configuration is kept as what differs from
 * the live one, so that both share the rest again when it is read. Field names are part of the stored format.
 */
import type { ConfigChange, ShopState, StagingState } from './shop-event.ts';

/** Raised with every change of the image that older programs cannot read; they pass over such a checkpoint. */
const IMAGE_FORMAT = 2;
/** Images from before there were changesets. */
const FORMAT_WITHOUT_STAGING = 1;

export interface ShopImage extends Omit<ShopState, 'staging'> {
  readonly staging: (Omit<StagingState, 'config'> & { readonly change: ConfigChange }) | null;
}

/** What the text of an image is made of. */
export const shopImageData = (state: ShopImage) => ({ format: IMAGE_FORMAT, state });

/** Throws for a text that is no image of a format that is known. */
export const parseShopImage = (text: string): ShopImage => shopImageOf(JSON.parse(text));

/** The same of a text that was read. */
export function shopImageOf(data: unknown): ShopImage {
  const { format, state } = data as { readonly format?: number; readonly state: ShopImage };
  if (format === IMAGE_FORMAT) return state;
  if (format !== FORMAT_WITHOUT_STAGING) throw new Error(`checkpoint image of format ${format}`);
  const { settings, keys, config, version, staging: _none, ...rest } = state;
  return { settings, keys, config, version, staging: null, ...rest };
}
