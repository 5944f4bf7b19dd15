/**
 * Amounts of the reference evaluator: BigInt all the way, with one bound. Slow on purpose and simple to
 * check by eye; nothing here comes from src.
 *
 * What is refused with 400 (contract section 5): the first of these amounts, in
 * the order of the simulation, that is beyond 2^53-1. Nothing else is bounded: a share that is clamped or
 * subtracted is as large as it is, and a price that is not formed is not checked.
 *  1. The order's totals cart_total, cart_weight, cart_quantity: always, also without a zone and with
 *     nothing to ship. Sums over a group or a scope are bounded by them.
 *  2. For each considered method, hidden ones and those that a threshold makes free included: the base price
 *     (of `percentage` the clamped one), then the running price after each matched rule. A method outside
 *     its rate table has no price.
 *  3. For each blended rate that is available: the sum of its components, before its threshold.
 */

const AMOUNT_MAX = 2n ** 53n - 1n;

/** Unwinds a simulation that formed an amount beyond 2^53-1; `referenceSimulate` turns it into a 400. */
export class AmountBeyondLimit extends Error {}

/** Returns the amount if it is within the bound, else refuses. */
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
