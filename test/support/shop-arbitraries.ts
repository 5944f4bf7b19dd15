/**
 * Random shops with their carts, made to collide: small alphabets that configuration and requests share,
 * and numbers and times of some conditions moved onto what the carts will show, so that edges are met.
 * `support/arbitrary/` holds the parts; the tests beside `shop-arbitraries.test.ts` hold them to it.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { SimulateRequest } from '../../src/engine/domain/cart.ts';
import { CONDITION_TYPES, type Condition, operandCount, SCOPES } from '../../src/engine/domain/condition.ts';
import type { ShopSettings } from '../../src/engine/domain/shop.ts';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';
import { pick, TIMEZONES } from './arbitrary/alphabets.ts';
import { shopConfig } from './arbitrary/config.ts';
import { fulfilment } from './arbitrary/delivery.ts';
import { echoes, withEchoes } from './arbitrary/echoes.ts';
import { mixedCarts } from './arbitrary/mixed-carts.ts';
import { cartPlan, palette, requestOf } from './arbitrary/requests.ts';
import { localTime } from './reference/clock.ts';

export type SimulationSettings = Pick<ShopSettings, 'currency' | 'timezone' | 'fulfilment'>;

export interface ShopCart {
  readonly request: SimulateRequest;
  readonly nowMs: number;
}

export interface ShopCase {
  readonly config: ShopConfig;
  readonly settings: SimulationSettings;
  readonly carts: readonly ShopCart[];
  /** Put together from parts of `carts`. */
  readonly mixed: readonly ShopCart[];
}

export const simulationSettings: Arbitrary<SimulationSettings> = fc.record(
  { currency: pick(['USD', 'EUR']), timezone: pick(TIMEZONES), fulfilment },
  { noNullPrototype: true, requiredKeys: ['currency', 'timezone'] },
);

/** Which numbers move: where `use` is 0, onto the value that cart `cart` shows, `delta` beside it. */
interface Anchor {
  readonly use: number;
  readonly cart: number;
  readonly delta: number;
}
const anchors: Arbitrary<readonly Anchor[]> = fc.array(
  fc.record({ use: fc.nat(2), cart: fc.nat(39), delta: pick([0, 0, 1, -1]) }, { noNullPrototype: true }),
  { minLength: 7, maxLength: 7 },
);

/** A shop with `cartCount` carts, and `mixedCount` that are put together from parts of those. */
export const shopCase = (cartCount: number, mixedCount = 0): Arbitrary<ShopCase> =>
  fc
    .tuple(
      shopConfig,
      simulationSettings,
      palette,
      fc.array(cartPlan, { minLength: cartCount, maxLength: cartCount }),
      anchors,
      echoes,
      fc.nat(),
    )
    .map(([config, settings, items, plans, moves, repeats, seed]) => {
      const carts = plans.map((plan) => ({ request: requestOf(plan, items), nowMs: plan.nowMs }));
      const mixed = mixedCarts(plans, items, mixedCount, seed);
      return {
        config: withEchoes(anchored(config, settings, carts, moves), repeats),
        settings,
        carts,
        mixed,
      };
    });

function anchored(
  config: ShopConfig,
  settings: SimulationSettings,
  carts: readonly ShopCart[],
  moves: readonly Anchor[],
): ShopConfig {
  let used = 0;
  const next = (): { cart: ShopCart; delta: number } | null => {
    const move = moves[used++ % moves.length];
    const cart = carts[(move?.cart ?? 0) % carts.length];
    return move === undefined || cart === undefined || move.use !== 0 ? null : { cart, delta: move.delta };
  };
  const threshold = (cents: number | null): number | null => {
    if (cents === null) return null;
    const move = next();
    return move === null ? cents : natural(orderTotal(move.cart.request, 'price') + move.delta);
  };
  const condition = (each: Condition): Condition => {
    const move = next();
    return move === null ? each : anchoredCondition(each, move.cart, move.delta, settings.timezone);
  };
  return {
    ...config,
    methods: config.methods.map((method) => ({
      ...method,
      freeShippingThreshold: threshold(method.freeShippingThreshold),
      rules: method.rules.map((rule) => ({ ...rule, conditions: rule.conditions.map(condition) })),
    })),
    blendedRates: config.blendedRates.map((blended) => ({
      ...blended,
      freeShippingThreshold: threshold(blended.freeShippingThreshold),
    })),
  };
}

const natural = (number: number): number => Math.min(Math.max(0, number), Number.MAX_SAFE_INTEGER);

const orderTotal = (request: SimulateRequest, field: 'price' | 'grams' | 'quantity'): number =>
  natural(
    request.items.reduce((sum, item) => sum + (field === 'quantity' ? 1 : item[field]) * item.quantity, 0),
  );

function anchoredCondition(condition: Condition, cart: ShopCart, delta: number, timezone: string): Condition {
  const { min } = operandCount(condition.operator);
  if (min === 0) return condition;
  const { kind } = CONDITION_TYPES[condition.conditionType];
  if (kind === 'number') {
    const number = natural(shownNumber(condition, cart.request) + delta);
    const value = min === 2 ? `${number},${natural(number + 100)}` : String(number);
    return { ...condition, value };
  }
  if (kind !== 'time' && kind !== 'date' && kind !== 'day') return condition;
  const { timeOfDay, date, dayOfWeek } = localTime(cart.nowMs, timezone);
  const shown = kind === 'time' ? timeOfDay : kind === 'date' ? date : dayOfWeek;
  // A condition cannot name a day beyond the year 9999.
  if (shown.length > '9999-12-31'.length) return condition;
  return { ...condition, value: min === 2 ? `${shown},${shown}` : shown };
}

/** The number that the condition will look at in this cart, or one of them. */
function shownNumber({ conditionType, scope }: Condition, request: SimulateRequest): number {
  const { subject, reads } = CONDITION_TYPES[conditionType];
  const isSum = SCOPES[scope].quantifier === 'sum';
  const item = request.items[0];
  const sides = [item?.length ?? 0, item?.width ?? 0, item?.height ?? 0];
  switch (conditionType) {
    case 'product_weight':
      return isSum ? orderTotal(request, 'grams') : (item?.grams ?? 0);
    case 'product_price':
      return isSum ? orderTotal(request, 'price') : (item?.price ?? 0);
    case 'product_quantity':
      return isSum ? orderTotal(request, 'quantity') : (item?.quantity ?? 0);
    case 'product_longest_side':
      return Math.max(...sides);
    case 'product_girth':
      return 2 * sides.reduce((sum, each) => sum + each, 0) - Math.max(...sides);
    case 'order_total':
      return request.orderTotals?.totalPrice ?? orderTotal(request, 'price');
    case 'cart_weight':
      return orderTotal(request, 'grams');
    case 'cart_quantity':
      return orderTotal(request, 'quantity');
    case 'cart_unique_items':
      return request.items.length;
    case 'cart_total':
      return orderTotal(request, 'price');
    default: {
      const { destination, customer, orderTotals } = request;
      const from = { item, order: orderTotals, request, customer, destination, clock: null }[subject];
      return Number((from as Record<string, unknown> | null | undefined)?.[reads[0] ?? ''] ?? 0);
    }
  }
}
