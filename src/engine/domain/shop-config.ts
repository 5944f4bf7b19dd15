/**
 * Shipping configuration of a shop: an immutable tree. The order of each list gives the positions of its records. A
 * change makes a new tree that shares every record that it did not touch.
 */
import type { BlendedRate } from './blended-rate.ts';
import type { Check } from './check.ts';
import type { ProductGroup } from './product-group.ts';
import type { ShippingMethod } from './shipping-method.ts';
import type { Zone } from './zone.ts';

export interface ShopConfig {
  readonly zones: readonly Zone[];
  /** Exactly one group has `isDefault`. */
  readonly productGroups: readonly ProductGroup[];
  readonly methods: readonly ShippingMethod[];
  readonly blendedRates: readonly BlendedRate[];
  /** They change no rate, so a configuration that only answers carts may go without. */
  readonly checks?: readonly Check[];
}
