/** Countries and their states by the names that people use. */

import { ISO_COUNTRIES } from '../../engine/domain/country.ts';
import type { Schemas } from '../client/call-table.ts';

const names = (): Intl.DisplayNames => new Intl.DisplayNames(undefined, { type: 'region' });

/** Every country as [code, name], by name. */
export function countryOptions(): readonly (readonly [string, string])[] {
  const display = names();
  return [...ISO_COUNTRIES.keys()]
    .map((code) => [code, `${display.of(code) ?? code} (${code})`] as const)
    .sort(([, a], [, b]) => a.localeCompare(b));
}

export const countryName = (code: string): string =>
  code === '*' ? 'Rest of world' : (names().of(code) ?? code);

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
