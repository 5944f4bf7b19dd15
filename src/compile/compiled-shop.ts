/**
 * Compiled shop: the form of a configuration that answers simulations. Making one costs at most one pass over
 * the lists, in steps; zones are compiled when a destination first falls into them, and what a change did not touch is
 * taken over from the compiled shop before it. What would take long can be made in steps beforehand.
 */
import { countryCode, type PostalForm, postalFormOf } from '../domain/postal-code.ts';
import type { ShopSettings } from '../domain/shop.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { comparable } from '../domain/text.ts';
import { ANY_COUNTRY, type Zone } from '../domain/zone.ts';
import { finishSteps, WorkMeter, type WorkSteps } from '../runtime/work-steps.ts';
import { isLightConfig } from './compile-weight.ts';
import { CompiledZone } from './compiled-zone.ts';
import { type GroupIndex, LazyGroupIndex } from './group-index.ts';
import { LocalCalendar } from './local-calendar.ts';
import { isQuickToGroup, type RecordsByZone, recordsByZoneSteps, type ZoneRecords } from './zone-records.ts';
import { isLongToSize, type ZoneSize, zoneSizeSteps } from './zone-size.ts';

export type CompileSettings = Pick<ShopSettings, 'currency' | 'timezone'>;

/** Country -> index of its zone. */
type ZoneByCountry = ReadonlyMap<string, number>;

/** What of a compiled shop is made in steps. */
interface ShopParts {
  readonly records: RecordsByZone;
  readonly zoneByCountry: ZoneByCountry;
}

/** For one country of a zone. */
const COUNTRY_UNITS = 8;

export class CompiledShop {
  readonly config: ShopConfig;
  readonly settings: CompileSettings;
  readonly calendar: LocalCalendar;
  /** Group ids in list order. */
  readonly groupIds: readonly string[];
  /** The same in the form in which texts are compared. */
  readonly comparableGroupIds: readonly string[];
  readonly #groups: LazyGroupIndex;
  readonly #recordsByZone: RecordsByZone;
  readonly #zoneByCountry: ZoneByCountry;
  readonly #compiled = new Map<number, CompiledZone>();
  /** Looked for at the first question. */
  #isLight: boolean | undefined;
  /** By zone id; those of the compiled shop before until they are asked for. */
  readonly #sizes: Map<string, ZoneSize>;
  /** Zones of the compiled shop before, by zone id, until this one has compiled them itself. */
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

  /** As `compileShop`, in steps. */
  static *steps(
    config: ShopConfig,
    settings: CompileSettings,
    previous: CompiledShop | undefined,
    meter: WorkMeter,
  ): WorkSteps<CompiledShop> {
    const before = previous === undefined ? undefined : previous.#recordsByZone;
    const records = yield* recordsByZoneSteps(config, before, meter);
    const zoneByCountry =
      previous?.config.zones === config.zones
        ? previous.#zoneByCountry
        : yield* indexCountries(config.zones, meter);
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
    const index = this.#zoneByCountry.get(country) ?? this.#zoneByCountry.get(ANY_COUNTRY);
    if (index === undefined) return null;
    const known = this.#compiled.get(index);
    if (known !== undefined) return known;
    const records = this.#recordsByZone.all[index] as ZoneRecords;
    const before = this.#carried.get(records.zone.id);
    const zone = before?.isOf(records, this.groups) ? before : new CompiledZone(records, this.groups, before);
    this.#compiled.set(index, zone);
    return zone;
  }

  /** Steps after which an estimate finds counted what it needs; null when nothing is missing, or little. */
  estimation(country: string): WorkSteps<unknown> | null {
    if (this.isLight) return null;
    const groups = this.#groups.preparation();
    const records = this.#recordsOf(countryCode(country));
    const isSized =
      records === null || !isLongToSize(records) || this.#sizes.get(records.zone.id)?.isOf(records) === true;
    return isSized ? groups : this.#sizeAfter(groups, records);
  }

  *#sizeAfter(groups: WorkSteps<void> | null, records: ZoneRecords): WorkSteps<void> {
    if (groups !== null) yield* groups;
    yield* this.#sizeSteps(records, new WorkMeter());
  }

  /** True when all of it is less work than one step. */
  get isLight(): boolean {
    this.#isLight ??= isLightConfig(this.config);
    return this.#isLight;
  }

  /**
   * Steps after which `zoneOf` and `match` have at hand what this destination needs; null when nothing is
   * missing, or so little that it is made on the way. `country` is as the client wrote it.
   */
  preparation(country: string, postalCode: string): WorkSteps<unknown> | null {
    if (this.isLight) return null;
    const code = countryCode(country);
    const form = postalFormOf(code);
    const groups = this.#groups.preparation();
    if (groups === null) return this.zoneOf(code)?.preparation(form, postalCode) ?? null;
    return this.#zoneAfter(groups, code, form, postalCode);
  }

  *#zoneAfter(
    groups: WorkSteps<void>,
    code: string,
    form: PostalForm,
    postalCode: string,
  ): WorkSteps<unknown> {
    yield* groups;
    const rest = this.zoneOf(code)?.preparation(form, postalCode) ?? null;
    return rest === null ? null : yield* rest;
  }

  /** How much there is to evaluate in the zone of a country; compiles nothing. */
  sizeOf(country: string): ZoneSize | null {
    const records = this.#recordsOf(country);
    if (records === null) return null;
    const known = this.#sizes.get(records.zone.id);
    return known?.isOf(records) ? known : finishSteps(this.#sizeSteps(records, new WorkMeter()));
  }

  *#sizeSteps(records: ZoneRecords, meter: WorkMeter): WorkSteps<ZoneSize> {
    const known = this.#sizes.get(records.zone.id);
    // Whoever asked before may have counted it meanwhile.
    if (known?.isOf(records)) return known;
    const size = yield* zoneSizeSteps(records, known, meter);
    this.#sizes.set(records.zone.id, size);
    return size;
  }

  #recordsOf(country: string): ZoneRecords | null {
    const index = this.#zoneByCountry.get(country) ?? this.#zoneByCountry.get(ANY_COUNTRY);
    return index === undefined ? null : (this.#recordsByZone.all[index] as ZoneRecords);
  }

  /** The zones compiled so far of which `zones` still has the id. */
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
): CompiledShop => finishSteps(CompiledShop.steps(config, settings, previous, new WorkMeter()));

/** True when that is little more than a step: of a small shop, or after a small change of `previous`. */
export const isQuickToCompile = (config: ShopConfig, previous: CompiledShop | undefined): boolean =>
  isQuickToGroup(config, previous?.config);

function* indexCountries(zones: readonly Zone[], meter: WorkMeter): WorkSteps<ZoneByCountry> {
  const zoneByCountry = new Map<string, number>();
  for (const [index, { countries }] of zones.entries()) {
    for (const country of countries) if (!zoneByCountry.has(country)) zoneByCountry.set(country, index);
    if (meter.spend(COUNTRY_UNITS * countries.length)) yield meter.take();
  }
  return zoneByCountry;
}
