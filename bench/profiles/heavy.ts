/**
 * A shop that answers light and heavy carts: the zone of *typical*, and a zone of 40 methods with 20 rules
 * each to which carts of as many items as a request may have go.
 */
import { ITEMS_MAX_DEFAULT } from '../../src/engine/domain/cart.ts';
import { makeRequests } from './cart-maker.ts';
import { type Profile, SETTINGS } from './profile.ts';
import { SeededRandom } from './seeded-random.ts';
import { makeMethod, makeRules, makeZone, methodIdOf } from './shop-maker.ts';
import { shopOf } from './six-methods.ts';

const HEAVY_COUNTRY = 'AU';
const HEAVY_METHODS = 40;
const HEAVY_RULES = 20;
const HEAVY_ITEMS = ITEMS_MAX_DEFAULT;
/** Each body is over 75 KB; more of them would only fill memory. */
const HEAVY_REQUESTS = 10;

/** Two profiles of one shop: they differ in their carts. */
export function makeHeavy(): { readonly light: Profile; readonly heavy: Profile } {
  const base = shopOf({ rulesOf: () => 4 });
  const zone = makeZone('zone_au', 'Australia', [HEAVY_COUNTRY]);
  const methods = Array.from({ length: HEAVY_METHODS }, (_, at) =>
    makeMethod({ zoneId: zone.id, at, rules: makeRules(methodIdOf(zone.id, at), HEAVY_RULES, 2, at * 3) }),
  );
  const config = { ...base, zones: [zone, ...base.zones], methods: [...base.methods, ...methods] };
  return {
    light: {
      name: 'light',
      description: '6 methods x 4 rules, 3 items',
      settings: SETTINGS,
      config,
      requests: makeRequests(new SeededRandom(10), { items: 3 }),
    },
    heavy: {
      name: 'heavy',
      description: `${HEAVY_METHODS} methods x ${HEAVY_RULES} rules, ${HEAVY_ITEMS} items`,
      settings: SETTINGS,
      config,
      requests: makeRequests(
        new SeededRandom(11),
        { items: HEAVY_ITEMS, destination: () => ({ country: HEAVY_COUNTRY, postalCode: '3000' }) },
        HEAVY_REQUESTS,
      ),
    },
  };
}
