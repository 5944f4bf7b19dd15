/** What a free-shipping threshold is compared with (contract section 11). */
import Type from 'typebox';

export const THRESHOLD_BASES = ['cart_total', 'order_total'] as const;
export type ThresholdBasis = (typeof THRESHOLD_BASES)[number];
export const THRESHOLD_BASIS_DEFAULT: ThresholdBasis = 'cart_total';

export const ThresholdBasis = Type.Enum([...THRESHOLD_BASES], {
  'x-accepts': `one of ${THRESHOLD_BASES.join(', ')}`,
  description: 'What freeShippingThreshold is compared with; cart_total by default',
});

/** The default is stored as an absent field, as in records of earlier releases; clients always see the field. */
export const withThresholdBasis = <R extends object>(
  record: R,
  thresholdBasis: ThresholdBasis = THRESHOLD_BASIS_DEFAULT,
): R & { readonly thresholdBasis?: ThresholdBasis } =>
  thresholdBasis === THRESHOLD_BASIS_DEFAULT ? record : { ...record, thresholdBasis };
