/** Countries and their states by the names that people use. */
import { ISO_COUNTRIES } from '../../engine/domain/country.ts';
import type { Schemas } from '../client/call-table.ts';
import { ENGLISH } from './english.ts';

/** Every country that no zone lists, where a zone lists countries. */
export const ANY_COUNTRY = '*';
const ANY_NAME = 'Rest of world';

/** `language` is that of the browser where there is none. */
const namesIn = (language?: string, style: 'long' | 'short' = 'long'): Intl.DisplayNames =>
  new Intl.DisplayNames(language, { type: 'region', style });

const NAMES = namesIn(ENGLISH);

export const countryName = (code: string): string =>
  code === ANY_COUNTRY ? ANY_NAME : (NAMES.of(code) ?? code);

/** Every country as [code, name], by name. */
export const countryOptions = (): readonly (readonly [string, string])[] =>
  [...ISO_COUNTRIES.keys()]
    .map((code) => [code, `${countryName(code)} (${code})`] as const)
    .sort(([, a], [, b]) => a.localeCompare(b, ENGLISH));

/** As `countryOptions`, with the rest of the world, and the name in the language of the browser, which finds it too. */
export function countryChoices(
  language?: string,
): readonly (readonly [code: string, name: string, own: string])[] {
  const local = namesIn(language);
  return [[ANY_COUNTRY, ANY_NAME] as const, ...countryOptions()].map(([code, name]) => [
    code,
    name,
    code === ANY_COUNTRY ? '' : (local.of(code) ?? ''),
  ]);
}

/**
 * What the countries of each zone are called, by the id of the zone: in English, in the language of the browser, and by code.
 * The rest of the world has those that no zone lists.
 */
export function zoneCountryNames(
  zones: readonly Pick<Schemas['Zone'], 'id' | 'countries'>[],
  language?: string,
): ReadonlyMap<string, string[]> {
  const names = new Map(
    countryChoices(language).map(([code, name, own]) => [code, `${name} ${own}`] as const),
  );
  const listed = new Set(zones.flatMap(({ countries }) => countries));
  const rest = [...names.keys()].filter((code) => !listed.has(code));
  return new Map(
    zones.map(({ id, countries }) => [
      id,
      countries
        .flatMap((code) => (code === ANY_COUNTRY ? rest : code))
        .map((code) => names.get(code) ?? code),
    ]),
  );
}

/** What people write beside the names that browsers know. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{
    UK: 'GB',
    England: 'GB',
    Scotland: 'GB',
    Wales: 'GB',
    'Northern Ireland': 'GB',
    'Great Britain': 'GB',
  },
  ...{ 'United States of America': 'US', America: 'US', Holland: 'NL', 'The Netherlands': 'NL' },
  ...{ 'Czech Republic': 'CZ', Turkey: 'TR', Macedonia: 'MK', Vatican: 'VA', Macau: 'MO', Kosovo: 'XK' },
  ...{
    'Ivory Coast': 'CI',
    Swaziland: 'SZ',
    Burma: 'MM',
    'Cape Verde': 'CV',
    'East Timor': 'TL',
    Korea: 'KR',
  },
  ...{ 'Rest of the world': ANY_COUNTRY, 'Everywhere else': ANY_COUNTRY, [ANY_COUNTRY]: ANY_COUNTRY },
};

const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}*]+/gu, ' ')
    .trim();

/** Reads a country by its codes and its names, in English and in the language of the browser; null for no country. */
export function countryReader(language?: string): (text: string) => string | null {
  const byName = new Map<string, string>();
  const displays = [NAMES, namesIn(ENGLISH, 'short'), namesIn(language), namesIn(language, 'short')];
  for (const [code, longer] of ISO_COUNTRIES) {
    const names = displays.map((display) => display.of(code) ?? code);
    for (const name of [code, longer, ...names, `${names[0]} ${code}`]) byName.set(folded(name), code);
  }
  byName.set(folded(ANY_NAME), ANY_COUNTRY);
  for (const [name, code] of Object.entries(OTHER_NAMES)) byName.set(folded(name), code);
  return (text) => byName.get(folded(text)) ?? null;
}

/** Codes and names of states where addresses are written with codes: `AL Alabama`, one country a line. */
const STATES: Readonly<Record<string, string>> = {
  US: 'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming|AS American Samoa|GU Guam|MP Northern Mariana Islands|PR Puerto Rico|VI U.S. Virgin Islands|AA Armed Forces Americas|AE Armed Forces Europe|AP Armed Forces Pacific',
  CA: 'AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia|NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon',
  AU: 'ACT Australian Capital Territory|NSW New South Wales|NT Northern Territory|QLD Queensland|SA South Australia|TAS Tasmania|VIC Victoria|WA Western Australia',
};

/** States of a country as [code, name]; none where a state is a free text. */
export const stateOptions = (country: string): readonly (readonly [string, string])[] =>
  (STATES[country.toUpperCase()] ?? '')
    .split('|')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const code = entry.slice(0, entry.indexOf(' '));
      return [code, `${entry.slice(code.length + 1)} (${code})`] as const;
    });

/** Zones and their subzones as options of a choice, subzones after their zone. */
export const zoneOptions = (zones: readonly Schemas['Zone'][]): readonly (readonly [string, string])[] =>
  zones.flatMap(({ id, name, subzones }) => [
    [id, name] as const,
    ...subzones.map((subzone) => [subzone.id, `${name} › ${subzone.name}`] as const),
  ]);

export const unknownCountries = (texts: readonly string[]): string =>
  `No country is called ${texts.map((text) => `“${text}”`).join(' or ')}: a name or a code such as DE`;
