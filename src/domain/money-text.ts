/** Amounts of money for people. */
import { hasSubunit } from './currency-subunit.ts';

/**
 * Formats an amount of the API (cents, or whole units where the currency has no subunit). Where the text differs from the
 * number, the number stands beside it: `9.95 USD (995)`.
 */
export const moneyText = (amount: number, currency: string): string =>
  hasSubunit(currency) ? `${(amount / 100).toFixed(2)} ${currency} (${amount})` : `${amount} ${currency}`;
