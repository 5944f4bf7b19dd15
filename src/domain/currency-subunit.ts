/** Which currencies have a subunit. Without the schema library, so that the console can load it. */

/** Currencies whose amounts are whole units; amounts of all others are hundredths. */
const WITHOUT_SUBUNIT: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
);

export const hasSubunit = (currency: string): boolean => !WITHOUT_SUBUNIT.has(currency.toUpperCase());
