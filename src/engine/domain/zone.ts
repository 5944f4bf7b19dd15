/**
 * Zones and subzones: a zone lists countries, its subzones list postal-code patterns; both decide where a destination
 * lies (contract sections 3 and 4).
 */
import Type, { type Static } from '#typebox';
import { ISO_COUNTRIES } from './country.ts';
import { type Fixed, Id, strict } from './schema.ts';
import { Name, PostalCodesText } from './text.ts';

export const ANY_COUNTRY = '*';
/** Every country, and `*`. */
export const COUNTRIES_MAX = ISO_COUNTRIES.size + 1;
export const SUBZONES_MAX = 10_000;

export const COUNTRY_OR_ANY = `^(?:${[...ISO_COUNTRIES.keys()].join('|')}|\\*)$`;

const CountryPattern = Type.String({
  pattern: COUNTRY_OR_ANY,
  'x-accepts': 'an ISO 3166-1 alpha-2 country code in upper case (the United Kingdom is GB), or *',
  examples: ['US'],
});

export const Subzone = strict('Subzone', {
  id: Id,
  name: Name,
  /** Comma-separated patterns: exact code, prefix with a trailing `*`, or range `a-b` of digits. */
  postalCodes: PostalCodesText,
});
export type Subzone = Readonly<Static<typeof Subzone>>;

export const Zone = strict('Zone', {
  id: Id,
  name: Name,
  countries: Type.Array(CountryPattern, {
    uniqueItems: true,
    maxItems: COUNTRIES_MAX,
    'x-accepts': `up to ${COUNTRIES_MAX} different country codes`,
  }),
  subzones: Type.Array(Subzone, { maxItems: SUBZONES_MAX }),
});
export type Zone = Fixed<typeof Zone>;

/**
 * The records in force at a place (contract section 4.5): those bound to the matched subzone replace those bound to the
 * zone. For methods the lists hold those of one product group, for blended rates all; both hold enabled records only.
 */
export const recordsInForce = <T>(
  ofSubzone: readonly T[] | undefined,
  ofZone: readonly T[] | undefined,
): readonly T[] => (ofSubzone !== undefined && ofSubzone.length > 0 ? ofSubzone : (ofZone ?? []));
