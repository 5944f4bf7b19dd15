/**
 * Money: whole cents, 0 to 2^53-1. All arithmetic here is exact; a result that a double cannot hold exactly
 * is `null`, which the caller reports, never a rounded number.
 */
import Type from 'typebox';

export const CENTS_MAX = Number.MAX_SAFE_INTEGER;
/** What a refusal says of an amount. */
export const CENTS_ACCEPTED = `whole cents, 0 to ${CENTS_MAX.toLocaleString('en-US')}`;

export const Cents = Type.Integer({
  minimum: 0,
  maximum: CENTS_MAX,
  'x-accepts': CENTS_ACCEPTED,
});

/** Threshold from which something is free, or null for never. */
export const CentsOrNull = Type.Union([Cents, Type.Null()], {
  'x-accepts': `${CENTS_ACCEPTED}, or null`,
});

/** `value`, a sum or product of whole numbers of 0 or more, if a double holds it exactly, else null. */
const exact = (value: number): number | null => (value <= CENTS_MAX ? value : null);

/** a + b, both non-negative integers; null beyond 2^53-1. */
export const addExact = (a: number, b: number): number | null => exact(a + b);

/** a x b, both non-negative integers; null beyond 2^53-1. */
export const multiplyExact = (a: number, b: number): number | null => exact(a * b);

/**
 * amount x parts / whole, rounded half up; `amount`, `parts` >= 0 and `whole` > 0 are integers.
 * The product may pass 2^53: then it is formed with BigInt, so that the rounding stays exact.
 */
export function shareRoundedHalfUp(amount: number, parts: number, whole: number): number | null {
  const product = amount * parts;
  const doubled = 2 * product + whole;
  // Not Math.floor of a quotient: near 2^53 the division itself would round up.
  if (doubled <= CENTS_MAX) return (doubled - (doubled % (2 * whole))) / (2 * whole);
  const exactShare = (2n * BigInt(amount) * BigInt(parts) + BigInt(whole)) / (2n * BigInt(whole));
  return exactShare <= BigInt(CENTS_MAX) ? Number(exactShare) : null;
}
