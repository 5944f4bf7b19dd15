/** What a free-shipping threshold is compared with (contract section 11). */
import Type from '#typebox';

const THRESHOLD_BASES = ['cart_total', 'order_total'] as const;
export type ThresholdBasis = (typeof THRESHOLD_BASES)[number];
export const THRESHOLD_BASIS_DEFAULT: ThresholdBasis = 'cart_total';

export const ThresholdBasis = Type.Enum([...THRESHOLD_BASES], {
  'x-accepts': `one of ${THRESHOLD_BASES.join(', ')}`,
  description: 'What freeShippingThreshold is compared with; cart_total by default',
});
