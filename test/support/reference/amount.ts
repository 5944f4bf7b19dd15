/**
 * Amounts of the reference evaluator: BigInt all the way, with one bound. Slow on purpose and simple to
 * check by eye; nothing here comes from src.
 *
 * What is refused with 400 (contract sections 5 and 2^53-1): each amount below that is formed beyond
 * 2^53-1, in the order of the simulation. An amount that is not formed is not checked.
 *  1. The order's totals cart_total, cart_weight, cart_quantity: always, also without a zone and with
 *     nothing to ship. Sums over a group or a scope are bounded by them.
 *  2. For each considered method, hidden ones included: the base price as its formula gives it, which for
 *     `percentage` is the rounded share before it is clamped, and for a method that its threshold makes
 *     free is still the price before; then, rule by rule, the rounded share of a percentage adjustment
 *     (of a subtraction too, although the price then only falls to 0) and the running price after it.
 *     Only matched, enabled rules adjust; a method outside its rate table has no price to adjust.
 *  3. For each blended rate that is available: the sum of its components, before its threshold.
 */

const AMOUNT_MAX = 2n ** 53n - 1n;

/** Unwinds a simulation that formed an amount beyond 2^53-1; `referenceSimulate` turns it into a 400. */
export class AmountBeyondLimit extends Error {}

/** The amount itself, once it is known to be within the bound. */
export function bounded(amount: bigint): bigint {
  if (amount > AMOUNT_MAX) throw new AmountBeyondLimit(`${amount} is beyond 2^53-1`);
  return amount;
}

/** numerator / denominator rounded half up; both are >= 0 and the denominator is above 0 (contract section 3). */
export function roundedHalfUp(numerator: bigint, denominator: bigint): bigint {
  const whole = numerator / denominator;
  const rest = numerator % denominator;
  return rest * 2n >= denominator ? whole + 1n : whole;
}

export const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);
