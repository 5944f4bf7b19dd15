/** Where the destination lies and which records are in force there (contract sections 4.1, 4.5 and 4.6). */
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { Subzone, Zone } from '../../../src/engine/domain/zone.ts';
import { canonicalCode, ownerOf, readPatterns } from './postal.ts';

export interface Place {
  readonly zone: Zone;
  readonly subzone: Subzone | null;
}

/**
 * "The first zone that lists the destination country; else the first that lists `*`; else none" (4.1), and
 * the subzone of that zone that owns the code. `country` is in upper case.
 */
export function findPlace(config: ShopConfig, country: string, postalCode: string): Place | null {
  const zone =
    config.zones.find(({ countries }) => countries.includes(country)) ??
    config.zones.find(({ countries }) => countries.includes('*'));
  if (zone === undefined) return null;
  const owner = ownerOf(readPatterns(country, zone.subzones), canonicalCode(country, postalCode));
  return { zone, subzone: zone.subzones[owner] ?? null };
}

/**
 * The enabled methods in force, in position order: "an enabled method bound to the matched subzone replaces
 * those bound to the zone, per product group" (4.5).
 */
export function methodsInForce(config: ShopConfig, { zone, subzone }: Place) {
  const enabled = config.methods.filter((method) => method.enabled);
  const ofSubzone = enabled.filter((method) => subzone !== null && method.zoneId === subzone.id);
  return enabled.filter((method) => {
    if (ofSubzone.includes(method)) return true;
    if (method.zoneId !== zone.id) return false;
    return !ofSubzone.some((replacing) => replacing.productGroupId === method.productGroupId);
  });
}

/** "Enabled blended rates bound to the subzone replace the zone's as a whole" (4.5). */
export function blendedRatesInForce(config: ShopConfig, { zone, subzone }: Place) {
  const enabled = config.blendedRates.filter((blended) => blended.enabled);
  const ofSubzone = enabled.filter((blended) => subzone !== null && blended.zoneId === subzone.id);
  return ofSubzone.length > 0 ? ofSubzone : enabled.filter((blended) => blended.zoneId === zone.id);
}
