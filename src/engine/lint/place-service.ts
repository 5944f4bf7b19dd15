/**
 * Place service: the methods and blended rates in force at a place of a zone, and the groups for which a blended rate has no
 * method there. A subzone is its difference from the zone: the groups with methods of its own (contract section 4.5).
 *
 * The work grows with the methods and the preferences, not with their product.
 */

import { groupedBy, valueAt } from '../../base/runtime/map-entries.ts';
import type { BlendedRate } from '../domain/blended-rate.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import { recordsInForce } from '../domain/zone.ts';
import type { ShopFacts } from './shop-facts.ts';
import type { PlaceIndex, ZoneFacts } from './zone-facts.ts';

/** The methods of a group in force at a place, in position order. */
type Methods = readonly ShippingMethod[];

export interface PlaceService {
  readonly zone: ZoneFacts;
  readonly place: PlaceIndex;
  /** Id of the subzone or zone. */
  readonly placeId: string;
  /** The enabled ones in force here. */
  readonly blendedRates: readonly BlendedRate[];
  /** The group's methods in force here. */
  readonly methodsOf: (groupId: string) => Methods;
  /** The groups with methods in force here, none of which the blended rate can use. */
  readonly lackingIn: (blended: BlendedRate) => Iterable<string>;
}

/** The zone outside its subzones, and each reachable subzone with records of its own. */
export function* placesIn(shop: ShopFacts, zone: ZoneFacts): Generator<PlaceService> {
  const { zones } = shop;
  const methodsBoundTo = (id: string): ReadonlyMap<string, Methods> =>
    groupedBy(
      zones.methodsBoundTo(id).filter((method) => shop.method(method) !== null),
      ({ productGroupId }) => productGroupId,
    );
  const ofZone = methodsBoundTo(zone.zone.id);
  const serves = (methods: Methods, blended: BlendedRate, groupId: string): boolean => {
    const preferred = shop.preferencesOf(blended).get(groupId);
    return methods.some(
      (method) =>
        (preferred === undefined || method.id === preferred) && shop.method(method)?.invisibility === null,
    );
  };
  const hidden = [...ofZone].filter(([, methods]) =>
    methods.every((method) => shop.method(method)?.invisibility !== null),
  );
  /** By blended rate: the groups with methods of the zone, none of which it can use. */
  const lacking = new Map<string, ReadonlySet<string>>();
  const lackingOfZone = (blended: BlendedRate) =>
    valueAt(lacking, blended.id, () => {
      const preferred = [...shop.preferencesOf(blended).keys()].filter((groupId) => ofZone.has(groupId));
      const unserved = preferred.filter((groupId) => !serves(ofZone.get(groupId) ?? [], blended, groupId));
      return new Set([...unserved, ...hidden.map(([groupId]) => groupId)]);
    });
  for (const place of zone.reachable) {
    const subzone = zone.zone.subzones[place];
    if (subzone !== undefined && !zones.hasRecords(subzone.id)) continue;
    const own = subzone === undefined ? new Map<string, Methods>() : methodsBoundTo(subzone.id);
    const methodsOf = (groupId: string) => own.get(groupId) ?? ofZone.get(groupId) ?? [];
    yield {
      zone,
      place,
      placeId: subzone?.id ?? zone.zone.id,
      blendedRates: recordsInForce(
        zones.blendedRatesBoundTo(subzone?.id ?? ''),
        zones.blendedRatesBoundTo(zone.zone.id),
      ),
      methodsOf,
      *lackingIn(blended) {
        for (const [groupId, methods] of own) if (!serves(methods, blended, groupId)) yield groupId;
        for (const groupId of lackingOfZone(blended)) if (!own.has(groupId)) yield groupId;
      },
    };
  }
}
