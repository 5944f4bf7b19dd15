/**
 * Zone map: which countries lead to a zone, which subzones a postal code can fall into there, and which
 * enabled records are in force at each place (contract sections 4.1 and 4.5).
 */

import { NO_OWNER } from '../compile/owner-segments.ts';
import type { BlendedRate } from '../domain/blended-rate.ts';
import { type PostalForm, postalFormOf } from '../domain/postal-code.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { comparable } from '../domain/text.ts';
import { ANY_COUNTRY, type Zone } from '../domain/zone.ts';
import { type PlaceIndex, Places } from './places.ts';
import { ZonePostal } from './zone-postal.ts';

/** The part of a zone that is in no subzone. */
export const OUTSIDE_SUBZONES: PlaceIndex = NO_OWNER;

/** Countries from which an example is taken first, where a zone leaves the choice. */
const EXAMPLE_COUNTRIES = ['US', 'DE', 'GB', 'FR', 'CA', 'JP', 'AU', 'BR', 'IN'];

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Every country that a request can name: two letters, whether or not a country has them. */
const EVERY_COUNTRY: readonly string[] = [
  ...EXAMPLE_COUNTRIES,
  ...LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter((code) => !EXAMPLE_COUNTRIES.includes(code)),
];

export type CountriesByForm = ReadonlyMap<PostalForm, readonly string[]>;

export function byForm(countries: readonly string[]): CountriesByForm {
  const lists = new Map<PostalForm, string[]>();
  for (const country of countries) listAt(lists, postalFormOf(country)).push(country);
  return lists;
}

export class ZoneFacts {
  readonly zone: Zone;
  /** The countries that lead here, in upper case; empty when none does. */
  readonly countries: readonly string[];
  readonly comparableSubzoneIds: readonly string[];
  readonly #postal: Partial<Record<PostalForm, ZonePostal>> = {};
  #countriesByForm: CountriesByForm | null = null;
  #placesById: Map<string, PlaceIndex[]> | null = null;
  #reachable: readonly PlaceIndex[] | null = null;
  #reachableSet: ReadonlySet<PlaceIndex> | null = null;

  constructor(zone: Zone, countries: readonly string[]) {
    this.zone = zone;
    this.countries = countries;
    this.comparableSubzoneIds = zone.subzones.map(({ id }) => comparable(id));
  }

  /** The forms of postal codes here, each with the countries that write so. */
  countriesByForm(): CountriesByForm {
    this.#countriesByForm ??= byForm(this.countries);
    return this.#countriesByForm;
  }

  postal(form: PostalForm): ZonePostal {
    this.#postal[form] ??= new ZonePostal(this.zone.subzones, form);
    return this.#postal[form];
  }

  /** False only when no code of any country here falls into the subzone. */
  canReach(place: PlaceIndex): boolean {
    this.#reachableSet ??= new Set(this.reachablePlaces());
    return this.#reachableSet.has(place);
  }

  /** The places at which a destination may be; the rest of the zone is always one, for lack of a code. */
  reachablePlaces(): readonly PlaceIndex[] {
    if (this.#reachable === null) {
      const forms = [...this.countriesByForm().keys()];
      const subzones = [...this.zone.subzones.keys()];
      this.#reachable =
        forms.length === 0
          ? []
          : [
              OUTSIDE_SUBZONES,
              ...subzones.filter((each) => forms.some((form) => this.postal(form).canOwn(each))),
            ];
    }
    return this.#reachable;
  }

  /** The places with one of these ids of subzones, in comparable form. */
  placesNamed(comparableIds: readonly string[]): readonly PlaceIndex[] {
    const byId = this.#placesById ?? new Map<string, PlaceIndex[]>();
    if (this.#placesById === null) {
      for (const place of [OUTSIDE_SUBZONES, ...this.zone.subzones.keys()]) {
        listAt(byId, this.comparableIdOf(place)).push(place);
      }
      this.#placesById = byId;
    }
    return comparableIds.flatMap((id) => byId.get(id) ?? []).sort((a, b) => a - b);
  }

  comparableIdOf(place: PlaceIndex): string {
    return this.comparableSubzoneIds[place] ?? '';
  }
}

/** A zone with a place in it: what a method's `zoneId` names. */
export interface Binding {
  readonly zone: ZoneFacts;
  readonly place: PlaceIndex;
}

export class ZoneMap {
  readonly zones: readonly ZoneFacts[];
  readonly #bindings = new Map<string, Binding>();
  readonly #methods = new Map<string, ShippingMethod[]>();
  readonly #blendedRates = new Map<string, BlendedRate[]>();
  /** Zone id -> its subzones that have enabled methods, and blended rates. */
  readonly #subzonesWithMethods: ReadonlyMap<string, Places>;
  readonly #blendedSubzones: ReadonlyMap<string, ReadonlySet<PlaceIndex>>;
  /** By what they are bound to. */
  readonly #blendedPlaces = new Map<string, Places>();

  constructor({ zones, methods, blendedRates }: ShopConfig) {
    this.zones = countriesOfZones(zones).map(
      (countries, index) => new ZoneFacts(zones[index] as Zone, countries),
    );
    for (const facts of this.zones) {
      this.#bindings.set(facts.zone.id, { zone: facts, place: OUTSIDE_SUBZONES });
      for (const [place, { id }] of facts.zone.subzones.entries()) {
        this.#bindings.set(id, { zone: facts, place });
      }
    }
    for (const method of methods) if (method.enabled) listAt(this.#methods, method.zoneId).push(method);
    for (const blended of blendedRates) {
      if (blended.enabled) listAt(this.#blendedRates, blended.zoneId).push(blended);
    }
    const subzones = this.#subzonesOf(methods);
    this.#subzonesWithMethods = new Map([...subzones].map(([id, places]) => [id, Places.of([...places])]));
    this.#blendedSubzones = this.#subzonesOf(blendedRates);
  }

  /** Zone id -> the subzones to which enabled ones of the records are bound. */
  #subzonesOf(records: readonly (ShippingMethod | BlendedRate)[]): Map<string, Set<PlaceIndex>> {
    const subzones = new Map<string, Set<PlaceIndex>>();
    for (const { enabled, zoneId } of records) {
      const binding = this.binding(zoneId);
      if (!enabled || binding === undefined || binding.place === OUTSIDE_SUBZONES) continue;
      const { id } = binding.zone.zone;
      subzones.set(id, (subzones.get(id) ?? new Set()).add(binding.place));
    }
    return subzones;
  }

  binding(zoneId: string): Binding | undefined {
    return this.#bindings.get(zoneId);
  }

  /** Enabled methods bound to the zone or subzone itself, in position order. */
  methodsBoundTo(zoneId: string): readonly ShippingMethod[] {
    return this.#methods.get(zoneId) ?? [];
  }

  /** Enabled blended rates bound to the zone or subzone itself, in position order. */
  blendedRatesBoundTo(zoneId: string): readonly BlendedRate[] {
    return this.#blendedRates.get(zoneId) ?? [];
  }

  /** The subzones to which enabled blended rates are bound. */
  subzonesWithBlendedRates({ zone }: ZoneFacts): Iterable<PlaceIndex> {
    return this.#blendedSubzones.get(zone.id) ?? [];
  }

  /** The subzones to which enabled methods are bound. */
  subzonesWithMethods({ zone }: ZoneFacts): Places {
    return this.#subzonesWithMethods.get(zone.id) ?? Places.of([]);
  }

  /**
   * The reachable places at which an enabled method or blended rate bound here may be in force: of a zone
   * all but the subzones with records of their own.
   */
  placesOf({ zone, place }: Binding, replacing: ReadonlySet<PlaceIndex> | undefined): Places {
    if (place !== OUTSIDE_SUBZONES) return Places.of(zone.canReach(place) ? [place] : []);
    return new Places(
      zone.reachablePlaces(),
      (each) => zone.canReach(each) && !(replacing?.has(each) ?? false),
    );
  }

  /** Where an enabled blended rate is in force. */
  placesOfBlendedRate({ zoneId }: BlendedRate): Places {
    const known = this.#blendedPlaces.get(zoneId);
    if (known !== undefined) return known;
    const binding = this.binding(zoneId);
    const places =
      binding === undefined
        ? Places.of([])
        : this.placesOf(binding, this.#blendedSubzones.get(binding.zone.zone.id));
    this.#blendedPlaces.set(zoneId, places);
    return places;
  }
}

function listAt<K, T>(lists: Map<K, T[]>, key: K): T[] {
  let list = lists.get(key);
  if (list === undefined) {
    list = [];
    lists.set(key, list);
  }
  return list;
}

/** For each zone the countries that lead to it: the first that lists a country, else the first with `*`. */
function countriesOfZones(zones: readonly Zone[]): readonly (readonly string[])[] {
  const listed = new Set(zones.flatMap((zone) => zone.countries));
  const taken = new Set<string>();
  return zones.map(({ countries }) =>
    countries.flatMap((country) => {
      if (taken.has(country)) return [];
      taken.add(country);
      return country === ANY_COUNTRY ? EVERY_COUNTRY.filter((code) => !listed.has(code)) : [country];
    }),
  );
}
