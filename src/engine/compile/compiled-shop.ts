/**
 * Compiled shop: the form of a configuration that answers simulations. Compiling a shop takes at most one pass over
 * its lists. A zone is compiled when the first destination falls into it. A compiled shop reuses every part of its
 * predecessor that did not change.
 *
 * The zone of a country and the product group of an item are found by hash look-ups, so the time does not grow with their
 * number.
 */
import { asciiJson, joined } from '../../base/bytes/answer-text.ts';
import type { Destination } from '../domain/cart.ts';
import { FULFILMENT_DEFAULT } from '../domain/delivery.ts';
import { postalFormOf } from '../domain/postal-code.ts';
import type { ShopSettings } from '../domain/shop.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { comparable } from '../domain/text.ts';
import { ANY_COUNTRY, type Zone } from '../domain/zone.ts';
import { CompiledZone, type Place, recordsByZone, type ZoneRecords } from './compiled-zone.ts';
import { DeliveryCalendar } from './delivery-calendar.ts';
import { GroupIndex } from './group-index.ts';
import { LocalCalendar } from './local-calendar.ts';

export type CompileSettings = Pick<ShopSettings, 'currency' | 'timezone' | 'fulfilment'>;

/** Country -> index of its zone. */
type ZoneByCountry = ReadonlyMap<string, number>;

export class CompiledShop {
  readonly config: ShopConfig;
  readonly settings: CompileSettings;
  readonly calendar: LocalCalendar;
  readonly deliveries: DeliveryCalendar;
  readonly groups: GroupIndex;
  /** The end of a rate's JSON in the currency of the shop. */
  readonly currencyTail: string;
  /** Group ids in list order. */
  readonly groupIds: readonly string[];
  /** The group ids in comparable form. */
  readonly comparableGroupIds: readonly string[];
  readonly #records: readonly ZoneRecords[];
  readonly #zoneByCountry: ZoneByCountry;
  /** By zone id. */
  readonly #compiled = new Map<string, CompiledZone>();
  /** Compiled zones of the predecessor by zone id; each is used until this shop has compiled the zone. */
  readonly #carried: ReadonlyMap<string, CompiledZone>;

  /** The configuration is valid; `previous` is the compiled form of an earlier one of the same shop. */
  constructor(config: ShopConfig, settings: CompileSettings, previous?: CompiledShop) {
    this.config = config;
    this.settings = settings;
    this.currencyTail = currencyTailJson(settings.currency);
    this.groups =
      previous?.config.productGroups === config.productGroups
        ? previous.groups
        : new GroupIndex(config.productGroups);
    this.groupIds = config.productGroups.map((group) => group.id);
    this.comparableGroupIds = this.groupIds.map(comparable);
    this.calendar =
      previous?.settings.timezone === settings.timezone
        ? previous.calendar
        : new LocalCalendar(settings.timezone);
    this.deliveries = new DeliveryCalendar(this.calendar, settings.fulfilment ?? FULFILMENT_DEFAULT);
    this.#zoneByCountry =
      previous?.config.zones === config.zones ? previous.#zoneByCountry : indexCountries(config.zones);
    this.#records = previous?.config === config ? previous.#records : recordsByZone(config);
    this.#carried = previous === undefined ? new Map() : previous.#compiledById(config.zones);
  }

  /**
   * Returns the zone of a country (ISO code in upper case): the first zone that lists the country, else the first
   * zone that lists `*`, else null (contract section 4.1).
   */
  zoneOf(country: string): CompiledZone | null {
    const index = this.#zoneByCountry.get(country) ?? this.#zoneByCountry.get(ANY_COUNTRY);
    if (index === undefined) return null;
    const records = this.#records[index] as ZoneRecords;
    const { id } = records.zone;
    const known = this.#compiled.get(id);
    if (known !== undefined) return known;
    const before = this.#carried.get(id);
    const zone = before?.isOf(records, this.groups) ? before : new CompiledZone(records, this.groups, before);
    this.#compiled.set(id, zone);
    return zone;
  }

  /** Returns the place of a destination, whose country may be in any case; null outside all zones. */
  placeOf({ country, postalCode }: Destination): Place | null {
    const code = country.toUpperCase();
    const zone = this.zoneOf(code);
    return zone === null ? null : zone.match(postalFormOf(code), postalCode ?? '');
  }

  /** The compiled zones whose id is still in `zones`. */
  #compiledById(zones: readonly Zone[]): ReadonlyMap<string, CompiledZone> {
    const kept = new Map<string, CompiledZone>();
    for (const { id } of zones) {
      const zone = this.#compiled.get(id) ?? this.#carried.get(id);
      if (zone !== undefined) kept.set(id, zone);
    }
    return kept;
  }
}

/** The end of a rate's JSON, after its price. */
export const currencyTailJson = (currency: string): string => joined(`,"currency":${asciiJson(currency)}}`);

/** Compiles a valid configuration; `previous` is the compiled form of an earlier one of the same shop. */
export const compileShop = (
  config: ShopConfig,
  settings: CompileSettings,
  previous?: CompiledShop,
): CompiledShop => new CompiledShop(config, settings, previous);

function indexCountries(zones: readonly Zone[]): ZoneByCountry {
  const zoneByCountry = new Map<string, number>();
  for (const [index, { countries }] of zones.entries()) {
    for (const country of countries) if (!zoneByCountry.has(country)) zoneByCountry.set(country, index);
  }
  return zoneByCountry;
}
