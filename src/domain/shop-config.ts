/**
 * A shop's shipping configuration: an immutable tree in which the order of each list is the records'
 * position. A change makes a new tree that shares every record it did not touch.
 */
import type { BlendedRate } from './blended-rate.ts';
import type { ProductGroup } from './product-group.ts';
import type { ShippingMethod } from './shipping-method.ts';
import type { Zone } from './zone.ts';

export interface ShopConfig {
  readonly zones: readonly Zone[];
  /** Exactly one has `isDefault`. */
  readonly productGroups: readonly ProductGroup[];
  readonly methods: readonly ShippingMethod[];
  readonly blendedRates: readonly BlendedRate[];
}
