/** *demo*: the shop that a first start makes, and the carts that come with it, with other names, phones and quantities. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SimulateRequest } from '../../src/engine/domain/cart.ts';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';
import { projectPath } from '../project-paths.ts';
import { PEOPLE } from './catalogue.ts';
import { type Profile, REQUESTS_PER_PROFILE } from './profile.ts';
import { SeededRandom } from './seeded-random.ts';

interface DemoShop {
  readonly shop: { readonly currency: string; readonly timezone: string };
  /** Written out in full: every record has all its fields. */
  readonly config: ShopConfig;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

function vary(random: SeededRandom, cart: SimulateRequest): SimulateRequest {
  return {
    ...cart,
    destination: {
      ...cart.destination,
      name: random.pick(PEOPLE),
      phone: `+1 ${random.digits(3)}-555-${random.digits(4)}`,
    },
    items: cart.items.map((item) => ({ ...item, quantity: item.quantity + random.between(0, 2) })),
  };
}

export function makeDemo(): Profile {
  const random = new SeededRandom(6);
  const demo = readJson(projectPath('data/demo-shop.json')) as DemoShop;
  const folder = projectPath('data/carts');
  const carts = readdirSync(folder)
    .sort()
    .map((file) => readJson(join(folder, file)) as SimulateRequest);
  return {
    name: 'demo',
    description: `the demo shop and its ${carts.length} carts, 1 to 40 items`,
    settings: { currency: demo.shop.currency, timezone: demo.shop.timezone },
    config: demo.config,
    requests: Array.from({ length: REQUESTS_PER_PROFILE }, (_, i) =>
      vary(random, carts[i % carts.length] as SimulateRequest),
    ),
  };
}
