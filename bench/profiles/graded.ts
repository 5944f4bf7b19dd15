/**
 * A shop whose carts cost from tens of microseconds to tens of milliseconds: one zone for each size, with more methods
 * and rules than the one before, to which carts with more items go. Methods of other zones cost a cart nothing.
 */
import { ITEMS_MAX_DEFAULT } from '../../src/domain/cart.ts';
import type { ShopConfig } from '../../src/domain/shop-config.ts';
import { makeRequests } from './cart-maker.ts';
import { type Profile, REQUESTS_PER_PROFILE, SETTINGS } from './profile.ts';
import { SeededRandom } from './seeded-random.ts';
import { DEFAULT_GROUP, makeMethod, makeRules, makeZone, methodIdOf, OTHER_COUNTRIES } from './shop-maker.ts';

/** Each about twice the work of the one before, up to the largest cart. */
const SIZES = [
  { items: 3, methods: 6, rules: 8 },
  { items: 5, methods: 10, rules: 10 },
  { items: 10, methods: 15, rules: 12 },
  { items: 20, methods: 20, rules: 16 },
  { items: 40, methods: 30, rules: 18 },
  { items: 80, methods: 40, rules: 20 },
  { items: 200, methods: 50, rules: 20 },
  { items: 350, methods: 60, rules: 25 },
  { items: ITEMS_MAX_DEFAULT, methods: 96, rules: 25 },
] as const;

/** Items in all carts of a size together: the largest carts are over 100 KB each. */
const ITEMS_EACH = 10_000;

/** One shop in several profiles, cheapest carts first: they differ in their carts. */
export function makeGraded(): readonly Profile[] {
  const zones = SIZES.map((_, at) =>
    makeZone(`zone_${at}`, `Size ${at + 1}`, [OTHER_COUNTRIES[at] as string]),
  );
  const config: ShopConfig = {
    zones,
    productGroups: [DEFAULT_GROUP],
    methods: SIZES.flatMap(({ methods, rules }, size) => {
      const zoneId = `zone_${size}`;
      return Array.from({ length: methods }, (_, at) =>
        makeMethod({ zoneId, at, rules: makeRules(methodIdOf(zoneId, at), rules, 2, at * 3) }),
      );
    }),
    blendedRates: [],
  };
  return SIZES.map(({ items, methods, rules }, size) => ({
    name: `${items}x${methods * rules}`,
    description: `${items.toLocaleString('en-US')} items x ${(methods * rules).toLocaleString('en-US')} rules`,
    settings: SETTINGS,
    config,
    requests: makeRequests(
      new SeededRandom(20 + size),
      { items, destination: () => ({ country: OTHER_COUNTRIES[size] as string, postalCode: '3000' }) },
      Math.min(REQUESTS_PER_PROFILE, ITEMS_EACH / items),
    ),
  }));
}
