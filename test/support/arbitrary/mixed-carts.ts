/**
 * More carts of a shop, combined from parts of its random ones: cheap enough for hundreds of carts per shop. Each
 * part is from a random cart or item, so features have the same frequency as in the random carts. Parts that belong
 * together, such as a country and its postal code, stay together.
 */
import { SeededRandom } from '../../../bench/profiles/seeded-random.ts';
import type { CartItem } from '../../../src/engine/domain/cart.ts';
import type { ShopCart } from '../shop-arbitraries.ts';
import { type CartPlan, PALETTE_MAX, requestOf } from './requests.ts';

/** This many carts choose from the same items. */
const CARTS_PER_PALETTE = 10;

/** `count` carts from `plans` and `items`; equal for equal seeds. */
export function mixedCarts(
  plans: readonly CartPlan[],
  items: readonly CartItem[],
  count: number,
  seed: number,
): ShopCart[] {
  const random = new SeededRandom(seed);
  const heads = plans.map((plan) => plan.head);
  const headFields = fieldsOf(heads);
  const addressFields = fieldsOf(
    heads.map(({ destination: { country: _country, postalCode: _postalCode, ...address } }) => address),
  );
  const itemFields = fieldsOf(items);

  let palette = items;
  return Array.from({ length: count }, (_, index) => {
    // Two of three palettes are those of the shop, because its thresholds and conditions were set to sums of their
    // items.
    if (index % CARTS_PER_PALETTE === 0) {
      const isOwn = (index / CARTS_PER_PALETTE) % 3 !== 2;
      palette = isOwn ? items : items.map(() => crossed(random, itemFields));
    }
    const { country, postalCode } = random.pick(heads).destination;
    const postal = postalCode === undefined ? {} : { postalCode };
    const destination = { ...crossed(random, addressFields), country, ...postal };
    const { itemIndexes } = random.pick(plans);
    const plan: CartPlan = {
      head: { ...crossed(random, headFields), destination },
      itemIndexes: random.chance(2 / 3)
        ? itemIndexes
        : itemIndexes.map(() => random.between(0, PALETTE_MAX - 1)),
      largeCart: random.pick(plans).largeCart,
      nowMs: random.pick(plans).nowMs,
    };
    return { request: requestOf(plan, palette), nowMs: plan.nowMs };
  });
}

type Field<T> = readonly [name: keyof T, values: readonly T[keyof T][]];

/** The fields of the records, each with the values of all records. */
const fieldsOf = <T extends object>(records: readonly T[]): readonly Field<T>[] =>
  [...new Set(records.flatMap((record) => Object.keys(record) as (keyof T)[]))].map((name) => [
    name,
    records.map((record) => record[name]),
  ]);

/** Each field from a random record; missing if that record lacks it. */
function crossed<T extends object>(random: SeededRandom, fields: readonly Field<T>[]): T {
  const record: Partial<T> = {};
  for (const [name, values] of fields) {
    const value = values[random.between(0, values.length - 1)];
    if (value !== undefined) record[name] = value;
  }
  return record as T;
}
