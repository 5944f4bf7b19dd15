/** Prices as a person reads them. */
import { hasSubunit } from '../domain/currency.ts';

/** An amount of the API, in cents, or in whole units where the currency has nothing smaller. */
export const amountText = (amount: number, currency: string): string =>
  hasSubunit(currency) ? (amount / 100).toFixed(2) : String(amount);
