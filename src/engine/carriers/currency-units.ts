/**
 * Shopify counts money in hundredths in every currency, even in currencies without a subunit: it sends 1,000 yen as
 * 100000. Here amounts are whole numbers of the smallest unit, so for those currencies the two differ by a factor of
 * 100.
 */
import { hasSubunit } from '../domain/money-text.ts';

/**
 * Converts an amount of Shopify to the smallest unit used here. In a currency without a subunit the amount is rounded
 * half up to a whole unit.
 */
export const fromShopifyAmount = (amount: number, currency: string): number => {
  if (hasSubunit(currency)) return amount;
  const rest = amount % 100;
  return (amount - rest) / 100 + (rest >= 50 ? 1 : 0);
};

/**
 * Converts an amount in the smallest unit to the decimal string that Shopify expects. Exact even when a hundred times
 * the amount has no exact number.
 */
export const toShopifyAmount = (cents: number, currency: string): string =>
  hasSubunit(currency) || cents === 0 ? String(cents) : `${cents}00`;
