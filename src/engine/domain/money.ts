/**
 * Money: whole cents, 0 to 2^53-1, and the total from which a rate is free. All arithmetic is exact: a result that a double
 * cannot hold exactly is `null`, never a rounded number, and the caller refuses the request.
 */
import Type from '#typebox';
import { oneOf, orNull } from './schema.ts';

export const CENTS_MAX = Number.MAX_SAFE_INTEGER;
/** Accepted amounts, in the words of a refusal. */
export const CENTS_ACCEPTED = `whole cents, 0 to ${CENTS_MAX.toLocaleString('en-US')}`;

export const Cents = Type.Integer({ minimum: 0, maximum: CENTS_MAX, 'x-accepts': CENTS_ACCEPTED });

export const CentsOrNull = orNull(Cents, { 'x-accepts': `${CENTS_ACCEPTED}, or null` });

const THRESHOLD_BASES = ['cart_total', 'order_total'] as const;
export type ThresholdBasis = (typeof THRESHOLD_BASES)[number];
export const THRESHOLD_BASIS_DEFAULT: ThresholdBasis = 'cart_total';

const ThresholdBasis = oneOf(THRESHOLD_BASES, {
  description: 'What freeShippingThreshold is compared with; cart_total by default',
});

/** The total from which a method or blended rate is free (contract sections 5.3 and 11.3). */
export const FREE_SHIPPING_FIELDS = {
  /** Null for never. */
  freeShippingThreshold: CentsOrNull,
  /** Absent for the default. */
  thresholdBasis: Type.Optional(ThresholdBasis),
};

/** A sum or product of non-negative integers if a double holds it exactly, else null. */
const exact = (value: number): number | null => (value <= CENTS_MAX ? value : null);

/** a + b, both non-negative integers; null beyond 2^53-1. */
export const addExact = (a: number, b: number): number | null => exact(a + b);

/** a x b, both non-negative integers; null beyond 2^53-1. */
export const multiplyExact = (a: number, b: number): number | null => exact(a * b);

/** dividend / divisor, rounded up; exact for integers within 2^53 of 0, unlike `Math.ceil` of a quotient. `divisor` > 0. */
export function quotientRoundedUp(dividend: number, divisor: number): number {
  const rest = dividend % divisor;
  return (dividend - rest) / divisor + (rest > 0 ? 1 : 0);
}

/**
 * amount x parts / whole, rounded half up; `amount`, `parts` >= 0 and `whole` > 0 are integers. Where the product may
 * pass 2^53 BigInt keeps the rounding exact. Null beyond 2^53-1.
 */
export function shareRoundedHalfUp(amount: number, parts: number, whole: number): number | null {
  const product = amount * parts;
  const doubled = 2 * product + whole;
  // Math.floor of a quotient would not do: near 2^53 the division itself rounds up.
  if (doubled <= CENTS_MAX) return (doubled - (doubled % (2 * whole))) / (2 * whole);
  const exactShare = (2n * BigInt(amount) * BigInt(parts) + BigInt(whole)) / (2n * BigInt(whole));
  return exactShare <= BigInt(CENTS_MAX) ? Number(exactShare) : null;
}
