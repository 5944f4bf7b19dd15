/**
 * Shop image: the state of a shop as the JSON text of a checkpoint. A staged configuration is not stored: it is the live
 * one with the staged writes applied. Field names are part of the stored format.
 */
import {
  configOfStored,
  type ShopState,
  type StagingState,
  type StoredConfig,
  storedOfConfig,
} from './shop-event.ts';

/** Raised with every change that older programs cannot read; they skip such a checkpoint. */
const IMAGE_FORMAT = 3;
/** Format of images that do not tell which version last changed a record, which earlier releases wrote. */
const FORMAT_WITHOUT_LAST_CHANGES = 2;
/** Format of images without changesets, which earlier releases wrote. */
const FORMAT_WITHOUT_STAGING = 1;

interface ShopImage extends Omit<ShopState, 'staging'> {
  readonly staging: Omit<StagingState, 'config'> | null;
}

/** The value that the text of an image encodes. */
export const shopImageData = (state: ShopImage) => ({
  format: IMAGE_FORMAT,
  state: { ...state, config: storedOfConfig(state.config) },
});

/** Parses the text of an image; throws when it is no image of a known format. */
export const parseShopImage = (text: string): ShopImage => shopImageOf(JSON.parse(text));

/** The image in a parsed value; throws when its format is unknown. */
export function shopImageOf(data: unknown): ShopImage {
  const { format, state: stored } = data as {
    readonly format?: number;
    readonly state: Omit<ShopImage, 'config'> & { readonly config: StoredConfig };
  };
  const state: ShopImage = { ...stored, config: configOfStored(stored.config) };
  if (format === IMAGE_FORMAT || format === FORMAT_WITHOUT_LAST_CHANGES) return state;
  if (format !== FORMAT_WITHOUT_STAGING) throw new Error(`checkpoint image of format ${format}`);
  const { settings, keys, config, version, staging: _none, ...rest } = state;
  return { settings, keys, config, version, staging: null, ...rest };
}

/** False for the image of an earlier release: its records do not tell which version last changed them. */
export const knowsLastChanges = (data: unknown): boolean =>
  (data as { readonly format?: number }).format === IMAGE_FORMAT;
