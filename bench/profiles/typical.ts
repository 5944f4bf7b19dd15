/** *typical*: six methods in the zone of the cart with four rules of two conditions each, three items. */
import { makeRequests } from './cart-maker.ts';
import { type Profile, SETTINGS } from './profile.ts';
import { SeededRandom } from './seeded-random.ts';
import { shopOf } from './six-methods.ts';

export function makeTypical(rulesPerMethod = 4): Profile {
  const random = new SeededRandom(2);
  return {
    name: 'typical',
    description: `6 methods x ${rulesPerMethod} rules x 2 conditions, 3 items`,
    settings: SETTINGS,
    config: shopOf({ rulesOf: () => rulesPerMethod }),
    requests: makeRequests(random, { items: 3 }),
  };
}
