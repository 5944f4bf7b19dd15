/** What a new shop begins with: one price at home, one for everywhere else, for every product. */
import { ISO_COUNTRIES } from '../../../engine/domain/country.ts';
import { hasSubunit } from '../../../engine/domain/money-text.ts';
import type { Schemas } from '../../client/call-table.ts';
import { countryName } from '../place-names.ts';

const EURO = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC MT NL PT SI SK SM VA'.split(' ');
const CURRENCIES: Readonly<Record<string, string>> = {
  ...{ AU: 'AUD', BR: 'BRL', CA: 'CAD', CH: 'CHF', CN: 'CNY', CZ: 'CZK', DK: 'DKK', GB: 'GBP', HU: 'HUF' },
  ...{ IN: 'INR', JP: 'JPY', KR: 'KRW', LI: 'CHF', MX: 'MXN', NO: 'NOK', NZ: 'NZD', PL: 'PLN', RO: 'RON' },
  ...{ SE: 'SEK', SG: 'SGD', TR: 'TRY', US: 'USD', ZA: 'ZAR' },
};

/** The currency in which most shops of the country sell; "" where that is not known here. */
export const currencyOf = (country: string): string =>
  EURO.includes(country) ? 'EUR' : (CURRENCIES[country] ?? '');

/** Not yet in the types of the language, and in older browsers of another name. */
type LocaleWithZones = Intl.Locale & {
  readonly getTimeZones?: () => readonly string[];
  readonly timeZones?: readonly string[];
};

/** The time zones of a country; none where the browser does not know them. */
export function timeZonesOf(country: string): readonly string[] {
  const locale: LocaleWithZones = new Intl.Locale('und', { region: country });
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

interface ShopPlace {
  readonly currency: string;
  readonly timezone: string;
}

/** Where a shop sends from, as its currency and its time zone say. */
export function homeOf({ currency, timezone }: ShopPlace): string {
  const all = [...ISO_COUNTRIES.keys()];
  const isNear = (code: string): boolean => timeZonesOf(code).includes(timezone);
  const selling = all.filter((code) => currencyOf(code) === currency);
  const largest = currency === 'EUR' ? 'DE' : selling[0];
  return selling.find(isNear) ?? largest ?? all.find(isNear) ?? 'US';
}

/** Units of the currency that are worth about a dollar, to the next power of ten. */
const SCALES: Readonly<Record<string, number>> = {
  ...{ CNY: 10, CZK: 10, DKK: 10, MXN: 10, NOK: 10, SEK: 10, TRY: 10, ZAR: 10 },
  ...{ HUF: 100, INR: 100, JPY: 100, KRW: 1_000 },
};

/** The sample of a shop that sends from `country`; its prices are a start, to be replaced. */
export function sampleOf(country: string, currency: string): Schemas['ConfigData'] {
  const one = (SCALES[currency] ?? 1) * (hasSubunit(currency) ? 100 : 1);
  const method = (zoneId: string, price: number) => ({
    name: 'Standard',
    ...{ zoneId, productGroupId: 'group_standard' },
    rateType: 'flat' as const,
    config: { price },
  });
  return {
    productGroups: [{ id: 'group_standard', name: 'All products', isDefault: true }],
    zones: [
      { id: 'zone_home', name: countryName(country), countries: [country] },
      { id: 'zone_world', name: 'Rest of the world', countries: ['*'] },
    ],
    methods: [method('zone_home', 5 * one), method('zone_world', 20 * one)],
    blendedRates: [],
  };
}
