/** The price curve against the reference evaluator at every value of a small range. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import type { CartItem, SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { RateConfig } from '../../../src/engine/domain/rate-type.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import { priceCurve, type Sweeping } from '../../../src/engine/explain/price-curve.ts';
import type { Rate } from '../../../src/engine/wire/answer.ts';
import { type CurveRate, SEGMENTS_MAX, VARIED } from '../../../src/engine/wire/price-curve.ts';
import { referenceSimulate } from '../../support/reference/simulate.ts';
import { shopCase } from '../../support/shop-arbitraries.ts';
import * as small from '../../support/small-shop.ts';
import { smallRequest, smallShop } from './small-world.ts';

const CURVES = Number(process.env['RATEWRIGHT_CURVES'] ?? 100);
const { NOW_MS } = small;
const SETTINGS = { id: 'shop_a', name: 'A', currency: 'USD', timezone: 'UTC', plan: 'open' } as const;
const RANGE = 60;

type Asked = Pick<Sweeping, 'request' | 'vary' | 'from' | 'to'> &
  Partial<Pick<Sweeping, 'itemIndex' | 'nowMs'>>;

function curveOf(config: ShopConfig, asked: Asked) {
  const curve = priceCurve(compileShop(config, SETTINGS), { itemIndex: undefined, nowMs: NOW_MS, ...asked });
  assert.ok(curve.ok, curve.ok ? '' : curve.message);
  return curve.value;
}

const FIELD = { cart_total: 'price', cart_weight: 'grams', quantity: 'quantity' } as const;

/** The request whose total, weight or quantity is `value`, or the nearest below that a whole number reaches. */
function requestAt({ request, vary }: Asked, index: number, value: number): SimulateRequest {
  const field = FIELD[vary];
  const others = request.items.filter((_, at) => at !== index);
  const rest = others.reduce((sum, item) => sum + item[field] * item.quantity, 0);
  const quantity = request.items[index]?.quantity ?? 1;
  const number = vary === 'quantity' ? value : Math.floor((value - rest) / quantity);
  return {
    ...request,
    items: request.items.map((item, at) => (at === index ? { ...item, [field]: number } : item)),
  };
}

function ratesAt(config: ShopConfig, request: SimulateRequest): readonly CurveRate[] {
  const result = referenceSimulate(config, SETTINGS, request, NOW_MS);
  assert.equal(result.status, 200);
  return result.status !== 200 ? [] : result.answer.rates.map(curveRate);
}

const curveRate = ({ description: _, currency: _currency, ...rate }: Rate): CurveRate => rate;

/** Methods with delivery times and, in every other shop, a blended rate of the cheapest of each group. */
const datedShop = fc
  .tuple(smallShop, fc.array(fc.constantFrom(null, 0, 0, 1), { minLength: 5, maxLength: 5 }), fc.boolean())
  .map(
    ([config, days, isBlended]): ShopConfig => ({
      ...config,
      methods: config.methods.map((method, at) => {
        const minDays = days[at] ?? null;
        return minDays === null ? method : { ...method, delivery: { minDays, maxDays: minDays } };
      }),
      blendedRates: isBlended ? [small.blend({ zoneId: 'z' })] : [],
    }),
  );

/** Equal for rates that are offered in another order. */
const asSet = (rates: readonly CurveRate[]): string =>
  JSON.stringify(rates.map(({ serviceName: _, ...rate }) => JSON.stringify(rate)).sort());

/** The index of the item that varies, and the least value. */
function startOf({ items }: SimulateRequest, vary: Sweeping['vary']): { index: number; least: number } {
  const index = items.findIndex(({ requiresShipping }) => requiresShipping !== false);
  if (vary === 'quantity') return { index, least: 1 };
  const others = items.filter((_, at) => at !== index);
  return { index, least: others.reduce((sum, item) => sum + item[FIELD[vary]] * item.quantity, 0) };
}

/** Every value has the rates of its segment; segments have no gaps, and neighbours differ. */
function assertExact(config: ShopConfig, asked: Asked, index: number): number {
  const { segments, limited } = curveOf(config, asked);
  assert.equal(limited, false);
  let next = asked.from;
  for (const [at, { from, to, rates }] of segments.entries()) {
    assert.equal(from, next);
    next = to + 1;
    if (at > 0) assert.notEqual(asSet(rates), asSet(segments[at - 1]?.rates ?? []));
    for (let value = from; value <= to; value++) {
      const expected = ratesAt(config, requestAt(asked, index, value));
      assert.equal(asSet(rates), asSet(expected), `${asked.vary} ${value}`);
      if (value === from) assert.deepEqual(rates, expected);
    }
  }
  assert.equal(next, asked.to + 1);
  return segments.length;
}

describe('a price curve', () => {
  it(`equals a dense scan of ${CURVES} small shops, whatever varies`, () => {
    let turns = 0;
    fc.assert(
      fc.property(
        datedShop,
        smallRequest,
        fc.constantFrom(...VARIED),
        fc.nat(5),
        (config, request, vary, skipped) => {
          const { index, least } = startOf(request, vary);
          if (index < 0) return;
          const from = least + skipped;
          turns += assertExact(config, { request, vary, from, to: from + RANGE }, index) - 1;
        },
      ),
      { numRuns: CURVES },
    );
    assert.ok(turns > CURVES / 20, `${turns} turns`);
  });

  it('has the rates of the reference at both ends and in the middle of each segment, also in large shops', () => {
    fc.assert(
      fc.property(shopCase(2), fc.constantFrom(...VARIED), ({ config, settings, carts }, vary) => {
        for (const { request, nowMs } of carts) {
          // Near the end of the year 9999 a curve may be refused, or end, for a date.
          if (nowMs >= Date.UTC(9998, 0)) continue;
          const { index, least } = startOf(request, vary);
          const shop = compileShop(config, settings);
          const sweeping = { request, nowMs, vary, itemIndex: undefined, from: least, to: least + 20_000 };
          const curve = index < 0 || least > 1e15 ? null : priceCurve(shop, sweeping);
          if (curve === null) continue;
          assert.ok(curve.ok);
          for (const { from, to, rates } of curve.value.segments.slice(0, 30)) {
            for (const value of [from, Math.floor((from + to) / 2), to]) {
              const at = requestAt({ request, vary, from, to }, index, value);
              const result = referenceSimulate(config, settings, at, nowMs);
              const expected = result.status === 200 ? result.answer.rates : [];
              assert.equal(asSet(rates), asSet(expected.map(curveRate)));
            }
          }
        }
      }),
      { numRuns: CURVES / 5 },
    );
  });
});

describe('delivery dates on a price curve', () => {
  it('end a segment, also where the price of a blended rate stays', () => {
    const rising = (firstWeight: number): RateConfig => ({
      rateType: 'by_weight',
      config: { firstWeight, firstPrice: 500, additionalWeight: 10, additionalPrice: 100 },
    });
    const days = (minDays: number) => ({ delivery: { minDays, maxDays: minDays } });
    const config = small.shop(
      [
        small.method('first', rising(10), days(1)),
        small.method('slow', rising(20), days(3)),
        small.method('last', small.FLAT(500), days(1)),
        small.method('books', small.FLAT(100), { productGroupId: 'books', ...days(0) }),
      ],
      {
        productGroups: [small.group('default', { isDefault: true }), small.group('books', { skus: ['B'] })],
        blendedRates: [small.blend()],
      },
    );
    const request = cart(item({ grams: 0 }), item({ sku: 'B', grams: 0 }));
    const { segments } = curveOf(config, { request, vary: 'cart_weight', from: 0, to: 40 });
    const rate = { serviceCode: 'blend', serviceName: 'Blend', totalPrice: 600 };
    // Sent on Wednesday, 18 November 2026.
    const dated = (date: string) => [{ ...rate, minDeliveryDate: date, maxDeliveryDate: date }];
    assert.deepEqual(segments, [
      { from: 0, to: 10, rates: dated('2026-11-19') },
      { from: 11, to: 20, rates: dated('2026-11-23') },
      { from: 21, to: 40, rates: dated('2026-11-19') },
    ]);
  });
});

const percentageShop = (percentage: number): ShopConfig => {
  const fields = { name: 'Share', serviceCode: 'share', freeShippingThreshold: 50_000 };
  return small.shop([
    small.method('method_share', { rateType: 'percentage', config: { percentage } }, fields),
  ]);
};

const { cart } = small;
const item = (fields: Partial<CartItem> = {}) => small.item({ grams: 5, price: 100, ...fields });

describe('the bounds of a price curve', () => {
  it(`are ${SEGMENTS_MAX} segments, and it says when there are more`, () => {
    const asked = { request: cart(item()), vary: 'cart_total', from: 0, to: 49_999 } as const;
    const { segments, limited } = curveOf(percentageShop(10), asked);
    assert.deepEqual([segments.length, limited], [SEGMENTS_MAX, true]);
    assert.deepEqual(segments[1], {
      from: 5,
      to: 14,
      rates: [{ serviceCode: 'share', serviceName: 'Share', totalPrice: 1 }],
    });
    assert.equal(curveOf(percentageShop(1), asked).segments.length, 501);
  });

  it('include the first price beyond 2^53-1, where the curve ends', () => {
    const shop = percentageShop(1_000);
    const large = item({ quantity: 1_000_000, price: 0, grams: 0 });
    const asked = {
      request: cart(large),
      vary: 'cart_total',
      from: 49_000,
      to: 999_000_000_000_000,
    } as const;
    const config = {
      ...shop,
      methods: shop.methods.map((each) => ({ ...each, freeShippingThreshold: null })),
    };
    assert.equal(curveOf(config, asked).limited, true);
  });

  it('are at whole unit prices: a total between two has the rates of the lower unit price', () => {
    const asked = { request: cart(item({ quantity: 3 })), vary: 'cart_total', from: 4, to: 20 } as const;
    const { segments } = curveOf(percentageShop(10), asked);
    assert.deepEqual(
      segments.map(({ from, to, rates }) => [from, to, rates[0]?.totalPrice]),
      [
        [4, 5, 0],
        [6, 14, 1],
        [15, 20, 2],
      ],
    );
  });

  it('refuse a range that the items cannot reach, an unknown item and reversed ends', () => {
    const shop = compileShop(percentageShop(10), SETTINGS);
    const messageOf = (fields: Partial<Sweeping>, request = cart(item(), item({ price: 7 }))): string => {
      const asked = {
        request,
        nowMs: NOW_MS,
        vary: 'cart_total',
        itemIndex: undefined,
        from: 7,
        to: 9,
      } as const;
      const curve = priceCurve(shop, { ...asked, ...fields });
      return curve.ok ? '' : curve.message;
    };
    assert.equal(messageOf({}), '');
    assert.match(messageOf({ from: 6 }), /^\/from must be from 7 to 1000000007: /);
    assert.match(messageOf({ to: 1_000_000_008 }), /^\/to must be from 7 to /);
    assert.match(messageOf({ vary: 'quantity', from: 0 }), /^\/from must be from 1 to 1000000/);
    assert.match(messageOf({ itemIndex: 2 }), /^\/itemIndex must be at most 1$/);
    assert.match(messageOf({ from: 9, to: 8 }), /^\/from must not be above \/to$/);
    assert.match(messageOf({}, cart(item({ requiresShipping: false }))), /^\/itemIndex is needed/);
  });
});
