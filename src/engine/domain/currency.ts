/**
 * Currencies that a shop may use. The list of the runtime is not enough: it lacks codes that are in force, and it
 * differs between releases of Node.
 */
import Type from '#typebox';

export const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  'x-accepts': 'an ISO 4217 currency code in upper case',
  examples: ['USD'],
});

/** ISO 4217, list one, of January 2026: money and units of account, without metals and test codes. */
const IN_FORCE = `
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP
GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR
KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN
MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD
SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX
USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XCD XCG XDR XOF XPF XSU XUA YER ZAR ZMW ZWG
`;

/** Codes of list three, withdrawn since 2021: shops may still use them. */
const WITHDRAWN = 'ANG BGN CUC HRK SLL ZWL';

const CURRENCIES: ReadonlySet<string> = new Set(`${IN_FORCE} ${WITHDRAWN}`.trim().split(/\s+/));

export const isCurrency = (code: string): boolean => CURRENCIES.has(code);
