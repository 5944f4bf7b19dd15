/** What a free-shipping threshold is compared with (contract section 11). */
import { oneOf } from './schema.ts';

const THRESHOLD_BASES = ['cart_total', 'order_total'] as const;
export type ThresholdBasis = (typeof THRESHOLD_BASES)[number];
export const THRESHOLD_BASIS_DEFAULT: ThresholdBasis = 'cart_total';

export const ThresholdBasis = oneOf(THRESHOLD_BASES, {
  description: 'What freeShippingThreshold is compared with; cart_total by default',
});
