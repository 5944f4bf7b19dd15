/**
 * Zone facts: which countries lead to a zone, and which of its places a destination can reach: each subzone that owns a
 * postal code, and the rest of the zone (contract sections 4.1 and 4.4).
 */

import { groupedBy, valueAt } from '../../base/runtime/map-entries.ts';
import { NO_OWNER } from '../compile/owner-segments.ts';
import { ISO_COUNTRIES } from '../domain/country.ts';
import { type PostalForm, postalFormOf, readPostalPattern } from '../domain/postal-code.ts';
import { formatMayMatch, type PostalFormat, postalFormatOf } from '../domain/postal-format.ts';
import { ANY_COUNTRY, type Zone } from '../domain/zone.ts';
import { isMatchable, ZonePostal } from './zone-postal.ts';

/** Index of a subzone in its zone, or -1 for the part of the zone that is in no subzone. */
export type PlaceIndex = number;

/** The part of a zone that is in no subzone. */
export const OUTSIDE_SUBZONES: PlaceIndex = NO_OWNER;

/** Preferred countries of examples. */
const EXAMPLE_COUNTRIES = ['US', 'DE', 'GB', 'FR', 'CA', 'JP', 'AU', 'BR', 'IN'];
/** A request may name a country that no zone can list. */
export const UNLISTED_COUNTRY = 'QZ';
const EVERY_COUNTRY: ReadonlySet<string> = new Set([
  ...EXAMPLE_COUNTRIES,
  ...ISO_COUNTRIES.keys(),
  UNLISTED_COUNTRY,
]);

export class ZoneFacts {
  readonly zone: Zone;
  /** The countries that lead to the zone, in upper case; may be empty. */
  readonly countries: readonly string[];
  /** The forms of postal codes in the zone, each with its countries. */
  readonly countriesByForm: ReadonlyMap<PostalForm, readonly string[]>;
  #formats: readonly (readonly [PostalForm, PostalFormat])[] | null = null;
  readonly #postals = new Map<PostalForm, ZonePostal>();
  #reachable: ReadonlySet<PlaceIndex> | null = null;

  constructor(zone: Zone, countries: readonly string[]) {
    this.zone = zone;
    this.countries = countries;
    this.countriesByForm = groupedBy(countries, postalFormOf);
  }

  postal(form: PostalForm): ZonePostal {
    return valueAt(this.#postals, form, () => new ZonePostal(this.zone.subzones, form));
  }

  /** False only when no postal code as a country of the zone writes it matches the pattern with this text. */
  canMatch(text: string): boolean {
    this.#formats ??= [...this.countriesByForm].flatMap(([form, countries]) =>
      [...new Set(countries.map(postalFormatOf))].map((format) => [form, format] as const),
    );
    return this.#formats.some(([form, format]) => {
      const pattern = readPostalPattern(form, text);
      return pattern !== null && isMatchable(form, pattern) && formatMayMatch(format, pattern);
    });
  }

  /** The places that a destination can reach. Always includes the rest of the zone, for requests without a code. */
  get reachable(): ReadonlySet<PlaceIndex> {
    if (this.#reachable === null) {
      const forms = [...this.countriesByForm.keys()];
      const subzones = [...this.zone.subzones.keys()];
      const own = subzones.filter((each) => forms.some((form) => this.postal(form).canOwn(each)));
      this.#reachable = new Set(forms.length === 0 ? [] : [OUTSIDE_SUBZONES, ...own]);
    }
    return this.#reachable;
  }
}

/** Returns the facts of zones in their order. The first zone that lists a country, else `*`, gets the country. */
export function zoneFactsOf(zones: readonly Zone[]): readonly ZoneFacts[] {
  const listed = new Set(zones.flatMap((zone) => zone.countries));
  const given = new Set<string>();
  return zones.map((zone) => {
    const own = zone.countries.filter((country) => !given.has(country));
    for (const country of own) given.add(country);
    const unlisted = () => [...EVERY_COUNTRY].filter((code) => !listed.has(code));
    return new ZoneFacts(
      zone,
      [...new Set(own)].flatMap((country) => (country === ANY_COUNTRY ? unlisted() : [country])),
    );
  });
}
