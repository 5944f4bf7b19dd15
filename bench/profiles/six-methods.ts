/** The shop behind *small*, *typical* and the growth series: six methods in the zone that carts go to. */
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';
import type { Zone } from '../../src/engine/domain/zone.ts';
import { DEFAULT_GROUP, makeMethod, makeRules, makeZone, methodIdOf } from './shop-maker.ts';

export const HOME_ZONE_ID = 'zone_us';
const HOME_METHODS = 6;

interface SixMethods {
  /** Rules of the method at this place. */
  readonly rulesOf: (at: number) => number;
  /** Default: no subzones. */
  readonly home?: Zone;
}

export function shopOf({ rulesOf, home }: SixMethods): ShopConfig {
  const zone = home ?? makeZone(HOME_ZONE_ID, 'United States', ['US']);
  const others = [
    makeZone('zone_ca', 'Canada', ['CA']),
    makeZone('zone_gb', 'United Kingdom', ['GB', 'GG', 'JE', 'IM']),
    makeZone('zone_world', 'Rest of the world', ['*']),
  ];
  const methodsOf = (zoneId: string, count: number) =>
    Array.from({ length: count }, (_, at) =>
      makeMethod({ zoneId, at, rules: makeRules(methodIdOf(zoneId, at), rulesOf(at), 2, at * 4) }),
    );
  return {
    zones: [zone, ...others],
    productGroups: [DEFAULT_GROUP],
    methods: [...methodsOf(zone.id, HOME_METHODS), ...others.flatMap(({ id }) => methodsOf(id, 2))],
    blendedRates: [],
  };
}
