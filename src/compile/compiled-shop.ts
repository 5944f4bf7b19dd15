/**
 * Compiled shop: the form of a configuration that answers simulations. Compiling a shop takes at most one pass over
 * its lists and can yield. A zone is compiled when the first destination falls into it. A compiled shop reuses every
 * part of its predecessor that did not change. `preparation` does long work in slices before a request needs it.
 */

import { asciiJson, joined } from '../bytes/answer-text.ts';
import { FULFILMENT_DEFAULT } from '../domain/delivery.ts';
import { countryCode, postalFormOf } from '../domain/postal-code.ts';
import type { ShopSettings } from '../domain/shop.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { comparable } from '../domain/text.ts';
import { ANY_COUNTRY, type Zone } from '../domain/zone.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { CompiledZone, recordsByZoneSteps, type ZoneRecords } from './compiled-zone.ts';
import { type GroupIndex, groupIndexSteps } from './group-index.ts';
import { DeliveryCalendar, LocalCalendar } from './local-calendar.ts';

export type CompileSettings = Pick<ShopSettings, 'currency' | 'timezone' | 'fulfilment'>;

/** Country -> index of its zone. */
type ZoneByCountry = ReadonlyMap<string, number>;

/** The parts of a compiled shop whose construction can yield. */
interface ShopParts {
  readonly groups: GroupIndex;
  readonly records: readonly ZoneRecords[];
  readonly zoneByCountry: ZoneByCountry;
}

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
  readonly #compiled = new Map<number, CompiledZone>();
  /** Compiled zones of the predecessor by zone id; each is used until this shop has compiled the zone. */
  readonly #carried: ReadonlyMap<string, CompiledZone>;

  private constructor(
    config: ShopConfig,
    settings: CompileSettings,
    { groups, records, zoneByCountry }: ShopParts,
    previous: CompiledShop | undefined,
  ) {
    this.config = config;
    this.settings = settings;
    this.currencyTail = currencyTailJson(settings.currency);
    this.groups = groups;
    this.groupIds = config.productGroups.map((group) => group.id);
    this.comparableGroupIds = this.groupIds.map(comparable);
    this.calendar =
      previous?.settings.timezone === settings.timezone
        ? previous.calendar
        : new LocalCalendar(settings.timezone);
    this.deliveries = new DeliveryCalendar(this.calendar, settings.fulfilment ?? FULFILMENT_DEFAULT);
    this.#zoneByCountry = zoneByCountry;
    this.#records = records;
    this.#carried = previous === undefined ? new Map() : previous.#compiledById(config.zones);
  }

  /** Same result as `compileShop`, and can yield. */
  static *steps(
    config: ShopConfig,
    settings: CompileSettings,
    previous: CompiledShop | undefined,
    shouldYield: ShouldYield,
  ): WorkSteps<CompiledShop> {
    const records =
      previous?.config === config ? previous.#records : yield* recordsByZoneSteps(config, shouldYield);
    const groups =
      previous?.config.productGroups === config.productGroups
        ? previous.groups
        : yield* groupIndexSteps(config.productGroups, shouldYield);
    const zoneByCountry =
      previous?.config.zones === config.zones
        ? previous.#zoneByCountry
        : yield* indexCountries(config.zones, shouldYield);
    return new CompiledShop(config, settings, { groups, records, zoneByCountry }, previous);
  }

  /**
   * Returns the zone of a country (ISO code in upper case): the first zone that lists the country, else the first
   * zone that lists `*`, else null (contract section 4.1).
   */
  zoneOf(country: string): CompiledZone | null {
    const index = this.#zoneByCountry.get(country) ?? this.#zoneByCountry.get(ANY_COUNTRY);
    if (index === undefined) return null;
    const known = this.#compiled.get(index);
    if (known !== undefined) return known;
    const records = this.#records[index] as ZoneRecords;
    const before = this.#carried.get(records.zone.id);
    const zone = before?.isOf(records, this.groups) ? before : new CompiledZone(records, this.groups, before);
    this.#compiled.set(index, zone);
    return zone;
  }

  /** Returns steps that compile what `zoneOf` and `match` need; null when compiled. `country` may be in any case. */
  preparation(country: string, postalCode: string, shouldYield: ShouldYield): WorkSteps<unknown> | null {
    const code = countryCode(country);
    return this.zoneOf(code)?.preparation(postalFormOf(code), postalCode, shouldYield) ?? null;
  }

  /** The compiled zones whose id is still in `zones`. */
  #compiledById(zones: readonly Zone[]): ReadonlyMap<string, CompiledZone> {
    const byId = new Map(this.#carried);
    for (const zone of this.#compiled.values()) byId.set(zone.records.zone.id, zone);
    const kept = new Map<string, CompiledZone>();
    for (const { id } of zones) {
      const zone = byId.get(id);
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
): CompiledShop => finishSteps(CompiledShop.steps(config, settings, previous, NEVER));

function* indexCountries(zones: readonly Zone[], shouldYield: ShouldYield): WorkSteps<ZoneByCountry> {
  const zoneByCountry = new Map<string, number>();
  for (const [index, { countries }] of zones.entries()) {
    for (const country of countries) if (!zoneByCountry.has(country)) zoneByCountry.set(country, index);
    if (shouldYield()) yield;
  }
  return zoneByCountry;
}
