/** Zone records: the methods and blended rates of each zone, collected in one pass over the lists. */
import type { BlendedRate } from '../domain/blended-rate.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { Zone } from '../domain/zone.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';

/** The records of a zone and of its subzones, in position order. */
export interface ZoneRecords {
  readonly zone: Zone;
  readonly methods: readonly ShippingMethod[];
  readonly blendedRates: readonly BlendedRate[];
}

/** Returns the records of each zone in the order of the zones. */
export function* recordsByZoneSteps(
  { zones, methods, blendedRates }: ShopConfig,
  shouldYield: ShouldYield,
): WorkSteps<readonly ZoneRecords[]> {
  const records = zones.map((zone) => ({
    zone,
    methods: [] as ShippingMethod[],
    blendedRates: [] as BlendedRate[],
  }));
  /** Records by id of a zone or subzone; the subzones share the entry of their zone. */
  const byPlace = new Map<string, (typeof records)[number]>();
  for (const ofZone of records) {
    byPlace.set(ofZone.zone.id, ofZone);
    for (const { id } of ofZone.zone.subzones) byPlace.set(id, ofZone);
    if (shouldYield()) yield;
  }
  for (const method of methods) {
    byPlace.get(method.zoneId)?.methods.push(method);
    if (shouldYield()) yield;
  }
  for (const blended of blendedRates) {
    byPlace.get(blended.zoneId)?.blendedRates.push(blended);
    if (shouldYield()) yield;
  }
  return records;
}
