/**
 * Compiled shop: the form of a configuration that answers simulations. Compiling a shop takes at most one pass over
 * its lists. A zone is compiled when the first destination falls into it. A compiled shop reuses every part of its
 * predecessor that did not change.
 *
 * The zone of a country and the product group of an item are found by hash look-ups, so the time does not grow with their
 * number.
 */
import { asciiJson, joined } from '../../base/bytes/answer-text.ts';
import { valueAt } from '../../base/runtime/map-entries.ts';
import type { Destination } from '../domain/cart.ts';
import { FIELD } from '../domain/condition.ts';
import { FULFILMENT_DEFAULT } from '../domain/delivery.ts';
import { postalFormOf } from '../domain/postal-code.ts';
import { GROUP_MATCHER_FIELDS, type GroupMatcherField, type ProductGroup } from '../domain/product-group.ts';
import type { ShopSettings } from '../domain/shop.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import { comparable } from '../domain/text.ts';
import { ANY_COUNTRY, type Zone } from '../domain/zone.ts';
import type { GroupNumbers } from './compiled-method.ts';
import { CompiledZone, type Place, recordsByZone, type ZoneRecords } from './compiled-zone.ts';
import { DeliveryCalendar } from './delivery-calendar.ts';
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

const NO_GROUP = -1;

/** The texts of an item in comparable form, "" when missing. Read only if a group lists texts of that kind. */
interface GroupQuery {
  /** The text with this number in `FIELD`. */
  text(field: number): string;
  tags(): readonly string[];
}

interface PrefixTable {
  readonly length: number;
  readonly groups: ReadonlyMap<string, number>;
}

type ExactTables = { readonly [K in GroupMatcherField]: Map<string, number> };

/**
 * Finds the product group of an item. The strongest kind that lists the item decides: variant id, product id, sku, tag,
 * vendor; within a kind the first group in list order; else the default group (contract section 5.1).
 */
class GroupIndex implements GroupNumbers {
  readonly #exact = Object.fromEntries(
    GROUP_MATCHER_FIELDS.map((field) => [field, new Map<string, number>()]),
  ) as unknown as ExactTables;
  /** SKU prefixes by length; length 0 matches every SKU that is not empty. */
  readonly #skuPrefixes: readonly PrefixTable[];
  readonly #listsSkus: boolean;
  readonly #defaultGroup: number;
  readonly #indexById: ReadonlyMap<string, number>;

  constructor(groups: readonly ProductGroup[]) {
    this.#defaultGroup = groups.findIndex((group) => group.isDefault);
    this.#indexById = new Map(groups.map((group, index) => [group.id, index]));
    const exact = this.#exact;
    const prefixes = new Map<number, Map<string, number>>();
    for (const [index, group] of groups.entries()) {
      for (const field of GROUP_MATCHER_FIELDS) {
        for (const matcher of group[field]) {
          const text = comparable(matcher);
          if (field === 'skus' && text.endsWith('*')) {
            const table = valueAt(prefixes, text.length - 1, () => new Map<string, number>());
            valueAt(table, text.slice(0, -1), () => index);
          } else if (text !== '') {
            valueAt(exact[field], text, () => index);
          }
        }
      }
    }
    this.#skuPrefixes = Array.from(prefixes, ([length, table]) => ({ length, groups: table }));
    this.#listsSkus = exact.skus.size > 0 || prefixes.size > 0;
  }

  indexOf(groupId: string): number {
    return this.#indexById.get(groupId) ?? NO_GROUP;
  }

  /** Index of the group that the item belongs to. */
  groupOf(item: GroupQuery): number {
    const { variantIds, productIds, tags, vendors } = this.#exact;
    return (
      (variantIds.size === 0 ? undefined : variantIds.get(item.text(FIELD.product_variant_id))) ??
      (productIds.size === 0 ? undefined : productIds.get(item.text(FIELD.product_id))) ??
      (this.#listsSkus ? this.#bySku(item.text(FIELD.product_sku)) : undefined) ??
      (tags.size === 0 ? undefined : firstByTag(tags, item.tags())) ??
      (vendors.size === 0 ? undefined : vendors.get(item.text(FIELD.product_vendor))) ??
      this.#defaultGroup
    );
  }

  #bySku(sku: string): number | undefined {
    if (sku === '') return undefined;
    let first = this.#exact.skus.get(sku);
    for (const { length, groups } of this.#skuPrefixes) {
      if (length > sku.length) continue;
      const group = groups.get(sku.slice(0, length));
      if (group !== undefined && (first === undefined || group < first)) first = group;
    }
    return first;
  }
}

function firstByTag(groups: ReadonlyMap<string, number>, tags: readonly string[]): number | undefined {
  let first: number | undefined;
  for (const tag of tags) {
    const group = groups.get(tag);
    if (group !== undefined && (first === undefined || group < first)) first = group;
  }
  return first;
}
