/**
 * Compiled shop: the form of a configuration that answers simulations. Compiling a shop takes at most one pass over
 * its lists, in steps. A zone is compiled when the first destination falls into it. A compiled shop reuses every part
 * of its predecessor that the change did not touch. Long work can be done in steps before a request needs its result.
 */
import { countryCode, type PostalForm, postalFormOf } from '../domain/postal-code.ts';
import type { ShopSettings } from '../domain/shop.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { comparable } from '../domain/text.ts';
import { ANY_COUNTRY, type Zone } from '../domain/zone.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { CompiledZone } from './compiled-zone.ts';
import { type GroupIndex, LazyGroupIndex } from './group-index.ts';
import { LocalCalendar } from './local-calendar.ts';
import { type RecordsByZone, recordsByZoneSteps, type ZoneRecords } from './zone-records.ts';
import { type ZoneSize, zoneSizeSteps } from './zone-size.ts';

export type CompileSettings = Pick<ShopSettings, 'currency' | 'timezone'>;

/** Country -> index of its zone. */
type ZoneByCountry = ReadonlyMap<string, number>;

/** The parts of a compiled shop that are made in steps. */
interface ShopParts {
  readonly records: RecordsByZone;
  readonly zoneByCountry: ZoneByCountry;
}

export class CompiledShop {
  readonly config: ShopConfig;
  readonly settings: CompileSettings;
  readonly calendar: LocalCalendar;
  /** Group ids in list order. */
  readonly groupIds: readonly string[];
  /** The group ids in comparable form. */
  readonly comparableGroupIds: readonly string[];
  readonly #groups: LazyGroupIndex;
  readonly #recordsByZone: RecordsByZone;
  readonly #zoneByCountry: ZoneByCountry;
  readonly #compiled = new Map<number, CompiledZone>();
  /** Sizes by zone id; an entry of the predecessor stays until its zone is asked for. */
  readonly #sizes: Map<string, ZoneSize>;
  /** Zones that the predecessor compiled, by zone id; used until this shop has compiled the zone itself. */
  readonly #carried: ReadonlyMap<string, CompiledZone>;

  private constructor(
    config: ShopConfig,
    settings: CompileSettings,
    { records, zoneByCountry }: ShopParts,
    previous: CompiledShop | undefined,
  ) {
    this.config = config;
    this.settings = settings;
    this.#groups =
      previous?.config.productGroups === config.productGroups
        ? previous.#groups
        : new LazyGroupIndex(config.productGroups);
    this.groupIds = config.productGroups.map((group) => group.id);
    this.comparableGroupIds = this.groupIds.map(comparable);
    this.calendar =
      previous?.settings.timezone === settings.timezone
        ? previous.calendar
        : new LocalCalendar(settings.timezone);
    this.#zoneByCountry = zoneByCountry;
    this.#recordsByZone = records;
    this.#sizes = new Map(previous?.config.zones === config.zones ? previous.#sizes : []);
    this.#carried = previous === undefined ? new Map() : previous.#compiledById(config.zones);
  }

  /** Does the work of `compileShop` in steps. */
  static *steps(
    config: ShopConfig,
    settings: CompileSettings,
    previous: CompiledShop | undefined,
    shouldYield: ShouldYield,
  ): WorkSteps<CompiledShop> {
    const before = previous === undefined ? undefined : previous.#recordsByZone;
    const records = yield* recordsByZoneSteps(config, before, shouldYield);
    const zoneByCountry =
      previous?.config.zones === config.zones
        ? previous.#zoneByCountry
        : yield* indexCountries(config.zones, shouldYield);
    return new CompiledShop(config, settings, { records, zoneByCountry }, previous);
  }

  get groups(): GroupIndex {
    return this.#groups.get();
  }

  /**
   * The zone of a country, an ISO code in upper case: the first that lists it, else the first that lists
   * `*`, else null (contract section 4.1).
   */
  zoneOf(country: string): CompiledZone | null {
    const index = this.#zoneIndexOf(country);
    if (index === undefined) return null;
    const known = this.#compiled.get(index);
    if (known !== undefined) return known;
    const records = this.#recordsByZone.all[index] as ZoneRecords;
    const before = this.#carried.get(records.zone.id);
    const zone = before?.isOf(records, this.groups) ? before : new CompiledZone(records, this.groups, before);
    this.#compiled.set(index, zone);
    return zone;
  }

  /** True when there is nothing to make for an estimate or an answer here. `country` is as a client wrote it. */
  isPrepared(country: string, postalCode: string): boolean {
    const code = countryCode(country);
    const index = this.#zoneIndexOf(code);
    if (index === undefined) return this.#groups.isMade;
    const zone = this.#compiled.get(index);
    return (
      zone?.isPrepared(postalFormOf(code), postalCode) === true && this.#knownSize(zone.records) !== undefined
    );
  }

  /** Steps that count what an estimate needs; null when it is there. */
  estimation(country: string, shouldYield: ShouldYield): WorkSteps<unknown> | null {
    const records = this.#recordsOf(countryCode(country));
    const isSized = records === null || this.#knownSize(records) !== undefined;
    return isSized && this.#groups.isMade ? null : this.#estimationSteps(records, shouldYield);
  }

  *#estimationSteps(records: ZoneRecords | null, shouldYield: ShouldYield): WorkSteps<void> {
    yield* this.#groups.steps(shouldYield);
    if (records !== null) yield* this.#sizeSteps(records, shouldYield);
  }

  /** Steps that compile what `zoneOf` and `match` need here; null when it is there. `country` is as a client wrote it. */
  preparation(country: string, postalCode: string, shouldYield: ShouldYield): WorkSteps<unknown> | null {
    const code = countryCode(country);
    const form = postalFormOf(code);
    return this.#groups.isMade
      ? (this.zoneOf(code)?.preparation(form, postalCode, shouldYield) ?? null)
      : this.#groupsAndZone(code, form, postalCode, shouldYield);
  }

  *#groupsAndZone(
    code: string,
    form: PostalForm,
    postalCode: string,
    shouldYield: ShouldYield,
  ): WorkSteps<unknown> {
    yield* this.#groups.steps(shouldYield);
    const rest = this.zoneOf(code)?.preparation(form, postalCode, shouldYield) ?? null;
    return rest === null ? null : yield* rest;
  }

  /** Size of the zone of a country, counted without compiling it; null when no zone has the country. */
  sizeOf(country: string): ZoneSize | null {
    const records = this.#recordsOf(country);
    return records === null
      ? null
      : (this.#knownSize(records) ?? finishSteps(this.#sizeSteps(records, NEVER)));
  }

  #knownSize(records: ZoneRecords): ZoneSize | undefined {
    const known = this.#sizes.get(records.zone.id);
    return known?.isOf(records) === true ? known : undefined;
  }

  *#sizeSteps(records: ZoneRecords, shouldYield: ShouldYield): WorkSteps<ZoneSize> {
    const known = this.#sizes.get(records.zone.id);
    // An earlier caller may have counted the zone between two steps.
    if (known?.isOf(records)) return known;
    const size = yield* zoneSizeSteps(records, known, shouldYield);
    this.#sizes.set(records.zone.id, size);
    return size;
  }

  #zoneIndexOf(country: string): number | undefined {
    return this.#zoneByCountry.get(country) ?? this.#zoneByCountry.get(ANY_COUNTRY);
  }

  #recordsOf(country: string): ZoneRecords | null {
    const index = this.#zoneIndexOf(country);
    return index === undefined ? null : (this.#recordsByZone.all[index] as ZoneRecords);
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
