/** *small*: six methods in the zone of the cart, four rules of two conditions between them, three items. */
import { makeRequests } from './cart-maker.ts';
import { type Profile, SETTINGS } from './profile.ts';
import { SeededRandom } from './seeded-random.ts';
import { shopOf } from './six-methods.ts';

export function makeSmall(): Profile {
  const random = new SeededRandom(1);
  return {
    name: 'small',
    description: '6 methods, 4 rules x 2 conditions in all, 3 items',
    settings: SETTINGS,
    config: shopOf({ rulesOf: (at) => (at < 4 ? 1 : 0) }),
    requests: makeRequests(random, { items: 3 }),
  };
}
