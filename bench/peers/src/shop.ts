/** A shop made ready to answer: zones by country, postal matchers, methods by zone and group. */
import { GroupFinder } from './cart.ts';
import type { BlendedRate, Method, ProductGroup, ShopFile, Zone } from './model.ts';
import { canonicalCode, PostalMatcher } from './postal.ts';
import { ShopClock } from './subjects.ts';

export interface Place {
  readonly zone: Zone;
  readonly subzone: Zone['subzones'][number] | null;
}

const patternsOf = (postalCodes: string): string[] =>
  postalCodes
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');

export class Shop {
  readonly file: ShopFile;
  readonly finder: GroupFinder;
  readonly groupOrder: ReadonlyMap<ProductGroup, number>;
  readonly clock: ShopClock;
  /** Place in the list of methods: what "position" means. */
  readonly methodOrder: ReadonlyMap<Method, number>;
  readonly #zones = new Map<string, Zone>();
  readonly #postal = new Map<string, PostalMatcher>();
  readonly #methods = new Map<string, Method[]>();
  readonly #blended = new Map<string, BlendedRate[]>();

  constructor(file: ShopFile) {
    const { zones, productGroups, methods, blendedRates } = file.config;
    this.file = file;
    this.finder = new GroupFinder(productGroups);
    this.groupOrder = new Map(productGroups.map((group, at) => [group, at]));
    this.clock = new ShopClock(file.settings.timezone);
    this.methodOrder = new Map(methods.map((method, at) => [method, at]));
    for (const zone of zones) {
      for (const country of zone.countries) if (!this.#zones.has(country)) this.#zones.set(country, zone);
    }
    for (const method of methods) {
      if (!method.enabled) continue;
      const key = `${method.zoneId} ${method.productGroupId}`;
      const siblings = this.#methods.get(key);
      if (siblings === undefined) this.#methods.set(key, [method]);
      else siblings.push(method);
    }
    for (const blended of blendedRates) {
      if (!blended.enabled) continue;
      const siblings = this.#blended.get(blended.zoneId);
      if (siblings === undefined) this.#blended.set(blended.zoneId, [blended]);
      else siblings.push(blended);
    }
  }

  placeOf(country: string, postalCode: string): Place | null {
    const zone = this.#zones.get(country) ?? this.#zones.get('*');
    if (zone === undefined) return null;
    if (zone.subzones.length === 0) return { zone, subzone: null };
    const key = `${zone.id} ${country}`;
    let matcher = this.#postal.get(key);
    if (matcher === undefined) {
      matcher = new PostalMatcher(
        country,
        zone.subzones.map((subzone) => patternsOf(subzone.postalCodes)),
      );
      this.#postal.set(key, matcher);
    }
    return { zone, subzone: zone.subzones[matcher.find(canonicalCode(country, postalCode))] ?? null };
  }

  /** Those bound to the subzone replace those of the zone. */
  methodsOf({ zone, subzone }: Place, groupId: string): readonly Method[] {
    const own = subzone === null ? undefined : this.#methods.get(`${subzone.id} ${groupId}`);
    return own ?? this.#methods.get(`${zone.id} ${groupId}`) ?? [];
  }

  blendedRatesOf({ zone, subzone }: Place): readonly BlendedRate[] {
    const own = subzone === null ? undefined : this.#blended.get(subzone.id);
    return own ?? this.#blended.get(zone.id) ?? [];
  }
}
