/** Amounts of money as a person reads them. */
import { hasSubunit } from '../domain/currency.ts';

/**
 * An amount of the API, which counts cents, or whole units where the currency has nothing smaller. Where the two
 * differ the number of the API stands beside it: `9.95 USD (995)`.
 */
export const moneyText = (amount: number, currency: string): string =>
  hasSubunit(currency) ? `${(amount / 100).toFixed(2)} ${currency} (${amount})` : `${amount} ${currency}`;
