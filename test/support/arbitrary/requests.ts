/**
 * Random simulate requests. The items of a shop's carts come from one small palette of that shop, so that the same item
 * occurs in different carts, and large carts are cheap to make.
 */
import fc, { type Arbitrary } from 'fast-check';
import type {
  CartItem,
  Customer,
  Destination,
  OrderTotals,
  SimulateRequest,
} from '../../../src/engine/domain/cart.ts';
import { CONDITION_TYPE_NAMES, CONDITION_TYPES, type Subject } from '../../../src/engine/domain/condition.ts';
import * as alphabet from './alphabets.ts';
import { numbersOf, textsOf } from './conditions.ts';

const { pick, weighted } = alphabet;

/** Mostly from the pool, sometimes null; the records below may also omit a field. */
const nullable = <T>(arbitrary: Arbitrary<T>): Arbitrary<T | null> =>
  weighted<T | null>([9, arbitrary], [1, fc.constant(null)]);
const text = (pool: readonly string[]): Arbitrary<string | null> => nullable(pick(['', ...pool, ...pool]));
const idText = (pool: readonly string[]): Arbitrary<string | number | null> =>
  nullable(weighted<string | number>([4, pick(['', ...pool])], [1, pick(alphabet.SKU_NUMBERS)]));

/** These fields of an object of a request, and each other text and number that a condition type reads. */
function withOthers<T extends object>(of: Subject, fields: T): T {
  const others: Record<string, Arbitrary<unknown>> = {};
  for (const type of CONDITION_TYPE_NAMES) {
    const { subject, kind, reads, bounds = [0, Number.MAX_SAFE_INTEGER] } = CONDITION_TYPES[type];
    for (const name of subject === of ? reads : []) {
      const numbers = numbersOf(type).filter((number) => bounds[0] <= number && number <= bounds[1]);
      if (kind === 'number') others[name] = nullable(pick(numbers));
      if (kind === 'text') others[name] = text(textsOf(type));
    }
  }
  return { ...others, ...fields };
}

const tags = fc
  .tuple(fc.array(pick(alphabet.TAGS), { maxLength: 3 }), pick([',', ', ', ' ,,']), pick(['', '', ',', ' ']))
  .map(([each, separator, tail]) => each.join(separator) + tail);

const side = nullable(pick(alphabet.SIDES));

const cartItem: Arbitrary<CartItem> = fc.record(
  withOthers('item', {
    name: nullable(alphabet.itemName),
    sku: idText(alphabet.SKUS),
    quantity: pick(alphabet.QUANTITIES),
    grams: pick(alphabet.GRAMS),
    price: pick(alphabet.PRICES),
    vendor: text(alphabet.VENDORS),
    productId: idText(alphabet.PRODUCT_IDS),
    variantId: idText(alphabet.VARIANT_IDS),
    properties: nullable(fc.record({ tag: nullable(tags) }, { requiredKeys: [], noNullPrototype: true })),
    requiresShipping: nullable(pick([true, true, true, true, false])),
    length: side,
    width: side,
    height: side,
  }),
  { requiredKeys: ['quantity', 'grams', 'price'], noNullPrototype: true },
);

/** The largest item of a request; nine of them are below 2^53-1, ten are above. */
const largest: CartItem = {
  name: 'largest',
  quantity: 1_000_000,
  grams: 1_000_000_000,
  price: 1_000_000_000,
};
const NINE = Array<CartItem>(9).fill(largest);
/** With nine of the largest the sums are exactly 2^53-1 cents and grams. */
const UP_TO_LIMIT: readonly CartItem[] = [
  { quantity: 7_199, grams: 1_000_000_000, price: 1_000_000_000 },
  { quantity: 1, grams: 254_740_991, price: 254_740_991 },
];
const LARGE_CARTS: readonly (readonly CartItem[])[] = [
  [largest],
  [...NINE, ...UP_TO_LIMIT],
  [...NINE, ...UP_TO_LIMIT, { quantity: 1, grams: 0, price: 1 }],
  [...NINE, ...UP_TO_LIMIT, { quantity: 1, grams: 1, price: 0 }],
  [...NINE, largest],
];

export const PALETTE_MAX = 8;
export const palette: Arbitrary<readonly CartItem[]> = fc.array(cartItem, {
  minLength: 4,
  maxLength: PALETTE_MAX,
});

const itemIndex = fc.nat(PALETTE_MAX - 1);
/** Items as indexes into a palette: 1 to 40, and the sizes around 32 and 64. */
const itemIndexes = weighted<readonly number[]>(
  [30, fc.array(itemIndex, { minLength: 1, maxLength: 1 })],
  [50, fc.array(itemIndex, { minLength: 2, maxLength: 5 })],
  [12, fc.array(itemIndex, { minLength: 6, maxLength: 12 })],
  [6, fc.array(itemIndex, { minLength: 30, maxLength: 40 })],
  [1, fc.array(itemIndex, { minLength: 63, maxLength: 66 })],
);
const largeCart = weighted<readonly CartItem[]>([40, fc.constant([])], [1, pick(LARGE_CARTS)]);

const destination: Arbitrary<Destination> = fc
  .tuple(
    alphabet.COUNTRY_CODES,
    fc.nat(9),
    fc.record(
      withOthers('destination', {
        address1: text(alphabet.ADDRESS_LINES),
        address2: text(alphabet.ADDRESS_LINES),
        address3: text(alphabet.ADDRESS_LINES),
      }),
      { requiredKeys: [], noNullPrototype: true },
    ),
  )
  .map(([[country, code], turn, rest]) => {
    const postal = turn === 0 ? {} : { postalCode: turn === 1 ? null : code };
    return { ...rest, country, ...postal };
  });

const customer: Arbitrary<Customer> = fc.record(
  withOthers('customer', {
    id: idText(alphabet.PRODUCT_IDS),
    tags: nullable(
      weighted<string | string[]>([1, tags], [1, fc.array(pick(['', ...alphabet.TAGS]), { maxLength: 3 })]),
    ),
  }),
  { requiredKeys: [], noNullPrototype: true },
);
const orderTotal = nullable(pick([...alphabet.PRICES, 2000, 5000, 1_000_000_000_000]));
const orderTotals: Arbitrary<OrderTotals> = fc.record(
  withOthers('order', { subtotalPrice: orderTotal, totalPrice: orderTotal, discountAmount: orderTotal }),
  { requiredKeys: [], noNullPrototype: true },
);

/** A cart whose items are indexes into the palette of its shop. */
export interface CartPlan {
  readonly head: Omit<SimulateRequest, 'items'>;
  readonly itemIndexes: readonly number[];
  /** When not empty, the items themselves. */
  readonly largeCart: readonly CartItem[];
  readonly nowMs: number;
}

export const cartPlan: Arbitrary<CartPlan> = fc.record(
  {
    head: fc.record(
      withOthers('request', {
        destination,
        currency: nullable(pick(alphabet.CURRENCIES)),
        locale: nullable(pick(alphabet.LOCALES)),
        customer: nullable(customer),
        orderTotals: nullable(orderTotals),
      }),
      { requiredKeys: ['destination'], noNullPrototype: true },
    ),
    itemIndexes,
    largeCart,
    nowMs: alphabet.nowMs,
  },
  { noNullPrototype: true },
);

export function requestOf(plan: CartPlan, items: readonly CartItem[]): SimulateRequest {
  const chosen = plan.itemIndexes.flatMap((index) => items[index % items.length] ?? []);
  return { ...plan.head, items: plan.largeCart.length > 0 ? [...plan.largeCart] : chosen };
}
