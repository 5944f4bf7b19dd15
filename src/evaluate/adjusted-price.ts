/** Adjusted prices: a matched rule changes the running price of a method (contract section 5.3). */
import type { CompiledRule } from '../compile/compiled-method.ts';
import { PRICE_TOO_LARGE } from '../compile/rate-function.ts';
import { CENTS_MAX, shareRoundedHalfUp } from '../domain/money.ts';

/**
 * Returns the running price in cents after one matched rule. A percentage applies to the running price and is rounded
 * half up to a cent; the result is never below 0.
 */
export function adjustedPrice(rule: CompiledRule, priceCents: number): number {
  if (rule.action === 'free') return 0;
  const amount = adjustmentCents(rule, priceCents);
  if (rule.action === 'adjust_subtract') return amount === null ? 0 : Math.max(0, priceCents - amount);
  return amount === null || priceCents + amount > CENTS_MAX ? PRICE_TOO_LARGE : priceCents + amount;
}

/** Returns the cents that a rule adds or subtracts; null when they exceed 2^53-1. */
export const adjustmentCents = (rule: CompiledRule, priceCents: number): number | null =>
  rule.isPercentage ? shareRoundedHalfUp(priceCents, rule.adjustment, 100) : rule.adjustment;
