/**
 * What the shop offers where: a row for each zone and each of its subzones, a cell for each product group. A subzone
 * without a method of its own for a group has those of its zone (contract section 4.5).
 */

import { ISO_COUNTRIES } from '../../../engine/domain/country.ts';
import type { Schemas } from '../../client/call-table.ts';
import type { Cart } from '../tester/cart.ts';
import { sampleCart } from '../tester/sample-cart.ts';

type Zone = Schemas['Zone'];
export type Config = Schemas['ConfigSnapshot'];
export type Coverage = Schemas['Coverage'];

export interface PlaceRow {
  readonly zone: Zone;
  /** null = the zone outside its subzones. */
  readonly subzone: Zone['subzones'][number] | null;
  /** Number of groups without an enabled method. */
  readonly gaps: number;
}

interface Bound {
  enabled: number;
  disabled: number;
  lastOfferedAt: string | null;
}

const NOTHING_BOUND: Bound = { enabled: 0, disabled: 0, lastOfferedAt: null };
const cellKey = (placeId: string, groupId: string): string => `${placeId} ${groupId}`;

export class PlaceGrid {
  readonly rows: readonly PlaceRow[];
  readonly groups: Config['productGroups'];
  /** Of all rows. */
  readonly gaps: number;
  readonly #bound = new Map<string, Bound>();
  /** Groups with an enabled method bound to the place. */
  readonly #served = new Map<string, Set<string>>();
  readonly #zoneOfCountry: ReadonlyMap<string, string>;

  /** Linear in the records of the configuration. */
  constructor({ zones, productGroups, methods }: Config, coverage: Coverage | null) {
    const offered = new Map(
      coverage?.methods.map(({ methodId, lastOfferedAt }) => [methodId, lastOfferedAt]),
    );
    for (const { id, zoneId, productGroupId, enabled } of methods) {
      this.#bind(cellKey(zoneId, productGroupId), enabled, offered.get(id) ?? null);
      if (enabled) this.#serve(zoneId, productGroupId);
    }
    // The first zone that lists a country has it.
    const owners = zones.flatMap(({ id, countries }) => countries.map((code) => [code, id] as const));
    this.#zoneOfCountry = new Map(owners.toReversed());
    this.groups = productGroups;
    this.rows = zones.flatMap((zone) =>
      [null, ...zone.subzones].map((subzone) => ({ zone, subzone, gaps: this.#gapsOf(zone, subzone) })),
    );
    this.gaps = this.rows.reduce((sum, { gaps }) => sum + gaps, 0);
  }

  #bind(key: string, isEnabled: boolean, offeredAt: string | null): void {
    const bound = this.#bound.get(key) ?? { ...NOTHING_BOUND };
    bound[isEnabled ? 'enabled' : 'disabled']++;
    // ISO times in UTC sort as texts.
    if (offeredAt !== null && offeredAt > (bound.lastOfferedAt ?? '')) bound.lastOfferedAt = offeredAt;
    this.#bound.set(key, bound);
  }

  #serve(placeId: string, groupId: string): void {
    const served = this.#served.get(placeId);
    if (served === undefined) this.#served.set(placeId, new Set([groupId]));
    else served.add(groupId);
  }

  #gapsOf(zone: Zone, subzone: PlaceRow['subzone']): number {
    const ofZone = this.#served.get(zone.id) ?? new Set();
    const own = subzone === null ? [] : (this.#served.get(subzone.id) ?? []);
    return this.groups.length - ofZone.size - [...own].filter((group) => !ofZone.has(group)).length;
  }

  /**
   * The enabled methods in force, those that are off in the place itself, and when one of them was offered last: null where
   * the subzone has the methods of its zone.
   */
  cell({ zone, subzone }: PlaceRow, groupId: string) {
    const own = this.#bound.get(cellKey(subzone?.id ?? zone.id, groupId)) ?? NOTHING_BOUND;
    const { enabled, disabled, lastOfferedAt } = own;
    if (subzone === null || enabled > 0)
      return { methods: enabled, isOfZone: false, disabled, lastOfferedAt };
    const { enabled: methods } = this.#bound.get(cellKey(zone.id, groupId)) ?? NOTHING_BOUND;
    return { methods, isOfZone: methods > 0, disabled, lastOfferedAt: null };
  }

  /** A cart for the cell; null where no country leads to the zone. */
  cart({ zone, subzone }: PlaceRow, group: Config['productGroups'][number]): Cart | null {
    const country =
      zone.countries.find((code) => code !== '*' && this.#zoneOfCountry.get(code) === zone.id) ??
      (this.#zoneOfCountry.get('*') === zone.id
        ? [...ISO_COUNTRIES.keys()].find((code) => !this.#zoneOfCountry.has(code))
        : undefined);
    return country === undefined ? null : sampleCart(country, subzone, group);
  }
}
