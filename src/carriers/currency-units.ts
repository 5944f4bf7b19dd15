/**
 * Shopify counts money in hundredths of every currency, also of those that have none: 1,000 yen arrive as
 * 100000. Here amounts are whole units of the smallest coin, so for those currencies the two differ by 100.
 */
import { hasSubunit } from '../domain/currency.ts';

/**
 * An amount of Shopify as cents of ours. Where there is no subunit, a remainder below one unit, which such a
 * currency does not have, is rounded half up.
 */
export const fromShopifyAmount = (amount: number, currency: string): number => {
  if (hasSubunit(currency)) return amount;
  const rest = amount % 100;
  return (amount - rest) / 100 + (rest >= 50 ? 1 : 0);
};

/** Cents of ours as the decimal string that Shopify takes: exact, also where a hundredfold has no exact number. */
export const toShopifyAmount = (cents: number, currency: string): string =>
  hasSubunit(currency) || cents === 0 ? String(cents) : `${cents}00`;
