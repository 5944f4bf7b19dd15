/**
 * *large*: 1,000 methods of 20 rules in 50 zones and four product groups. A cart of eight items meets the 20
 * methods of its zone, as far as their groups are in the cart: up to 400 rules.
 */
import { makeRequests } from './cart-maker.ts';
import { type Profile, SETTINGS } from './profile.ts';
import { SeededRandom } from './seeded-random.ts';
import {
  DEFAULT_GROUP,
  makeGroup,
  makeMethod,
  makeRules,
  makeZone,
  methodIdOf,
  OTHER_COUNTRIES,
} from './shop-maker.ts';

const ZONES = 50;
const METHODS_PER_ZONE = 20;
const RULES_PER_METHOD = 20;

export function makeLarge(): Profile {
  const random = new SeededRandom(3);
  const groups = [
    DEFAULT_GROUP,
    makeGroup('group_oversized', 'Oversized', { tags: ['oversized'], skus: ['ROOFBOX-*'] }),
    makeGroup('group_fragile', 'Fragile', { tags: ['fragile'], skus: ['GLASS-*', 'CERAM-*'] }),
    makeGroup('group_chilled', 'Chilled', { tags: ['chilled'], vendors: ['Cascade Smokehouse'] }),
  ];
  const zones = Array.from({ length: ZONES }, (_, at) =>
    at === ZONES - 1
      ? makeZone('zone_us', 'United States', ['US'])
      : makeZone(`zone_${at}`, `Zone ${at}`, OTHER_COUNTRIES.slice(at, at + 1)),
  );
  const methods = zones.flatMap(({ id: zoneId }) =>
    Array.from({ length: METHODS_PER_ZONE }, (_, at) =>
      makeMethod({
        zoneId,
        groupId: groups[at % groups.length]?.id ?? DEFAULT_GROUP.id,
        at,
        rules: makeRules(methodIdOf(zoneId, at), RULES_PER_METHOD, 2, at * 7),
      }),
    ),
  );
  return {
    name: 'large',
    description: '1,000 methods x 20 rules in 50 zones and 4 groups, 8 items',
    settings: SETTINGS,
    config: { zones, productGroups: groups, methods, blendedRates: [] },
    requests: makeRequests(random, { items: 8 }),
  };
}
