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
import { finishSteps, WorkMeter, type WorkSteps } from '../pace/work-steps.ts';
import { isLightConfig } from './compile-weight.ts';
import { CompiledZone } from './compiled-zone.ts';
import { type GroupIndex, LazyGroupIndex } from './group-index.ts';
import { LocalCalendar } from './local-calendar.ts';
import { isQuickToGroup, type RecordsByZone, recordsByZoneSteps, type ZoneRecords } from './zone-records.ts';
import { isLongToSize, type ZoneSize, zoneSizeSteps } from './zone-size.ts';

export type CompileSettings = Pick<ShopSettings, 'currency' | 'timezone'>;

/** Country -> index of its zone. */
type ZoneByCountry = ReadonlyMap<string, number>;

/** The parts of a compiled shop that are made in steps. */
interface ShopParts {
  readonly records: RecordsByZone;
  readonly zoneByCountry: ZoneByCountry;
}

/** Work units for one country of a zone. */
const COUNTRY_UNITS = 8;

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
  /** Computed on first use. */
  #isLight: boolean | undefined;
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

  /** Steps that count what an estimate needs; null when the missing counts take less than a step. */
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

  /** True when compiling the whole shop takes less than one step. */
  get isLight(): boolean {
    this.#isLight ??= isLightConfig(this.config);
    return this.#isLight;
  }

  /**
   * Steps that compile what `zoneOf` and `match` need for this destination; null when the missing parts take less
   * than a step. `country` is the text of the client.
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

  /** Size of the zone of a country, counted without compiling it; null when no zone has the country. */
  sizeOf(country: string): ZoneSize | null {
    const records = this.#recordsOf(country);
    if (records === null) return null;
    const known = this.#sizes.get(records.zone.id);
    return known?.isOf(records) ? known : finishSteps(this.#sizeSteps(records, new WorkMeter()));
  }

  *#sizeSteps(records: ZoneRecords, meter: WorkMeter): WorkSteps<ZoneSize> {
    const known = this.#sizes.get(records.zone.id);
    // An earlier caller may have counted the zone between two steps.
    if (known?.isOf(records)) return known;
    const size = yield* zoneSizeSteps(records, known, meter);
    this.#sizes.set(records.zone.id, size);
    return size;
  }

  #recordsOf(country: string): ZoneRecords | null {
    const index = this.#zoneByCountry.get(country) ?? this.#zoneByCountry.get(ANY_COUNTRY);
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
): CompiledShop => finishSteps(CompiledShop.steps(config, settings, previous, new WorkMeter()));

/** True when `compileShop` takes little more than a step: for a small shop, or after a small change of `previous`. */
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
