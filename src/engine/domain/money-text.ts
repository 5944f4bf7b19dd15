/** Amounts of money for people. Without the schema library, so that the console can load it. */

/** Currencies whose amounts are whole units; amounts of all others are hundredths. */
const WITHOUT_SUBUNIT: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
);

export const hasSubunit = (currency: string): boolean => !WITHOUT_SUBUNIT.has(currency.toUpperCase());

/**
 * Formats an amount of the API (cents, or whole units where the currency has no subunit). Where the text differs from the
 * number, the number stands beside it: `9.95 USD (995)`.
 */
export const moneyText = (amount: number, currency: string): string =>
  hasSubunit(currency) ? `${(amount / 100).toFixed(2)} ${currency} (${amount})` : `${amount} ${currency}`;
