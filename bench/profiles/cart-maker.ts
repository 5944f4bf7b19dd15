/** Carts as checkouts send them: almost every field that a shop system knows, about 800 bytes with three items. */
import type { CartItem, Destination, SimulateRequest } from '../../src/engine/domain/cart.ts';
import { PEOPLE, PLACES, PRODUCTS, STREETS } from './catalogue.ts';
import { REQUESTS_PER_PROFILE } from './profile.ts';
import type { SeededRandom } from './seeded-random.ts';

interface CartShape {
  readonly items: number;
  /** Default: a place in the United States. */
  readonly destination?: (random: SeededRandom) => Pick<Destination, 'country' | 'postalCode'>;
}

function makeItem(random: SeededRandom): CartItem {
  const { name, sku, vendor, grams, price, tags } = random.pick(PRODUCTS);
  const productNumber = random.between(1_000, 9_999);
  return {
    name,
    sku,
    quantity: random.chance(0.7) ? 1 : random.between(2, 6),
    grams,
    price,
    vendor,
    productId: `prod_${productNumber}`,
    variantId: `var_${productNumber}${random.between(1, 9)}`,
    properties: { tag: tags },
  };
}

function makeDestination(random: SeededRandom, shape: CartShape): Destination {
  const { city, province, postalPrefix } = random.pick(PLACES);
  const isPostBox = random.chance(0.06);
  return {
    name: random.pick(PEOPLE),
    address1: isPostBox
      ? `PO Box ${random.between(10, 9_999)}`
      : `${random.between(1, 4_000)} ${random.pick(STREETS)}`,
    city,
    province,
    postalCode: `${postalPrefix}${random.digits(2)}`,
    country: 'US',
    phone: `+1 ${random.digits(3)}-555-${random.digits(4)}`,
    ...shape.destination?.(random),
  };
}

const makeRequest = (random: SeededRandom, shape: CartShape): SimulateRequest => ({
  destination: makeDestination(random, shape),
  items: Array.from({ length: shape.items }, () => makeItem(random)),
  currency: 'USD',
  locale: random.chance(0.9) ? 'en-US' : 'es-US',
});

export const makeRequests = (
  random: SeededRandom,
  shape: CartShape,
  count: number = REQUESTS_PER_PROFILE,
): readonly SimulateRequest[] => Array.from({ length: count }, () => makeRequest(random, shape));
