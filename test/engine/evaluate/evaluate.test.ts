/** The evaluator at its limits: amounts near 2^53, the order of rules, unusually large shops and carts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import {
  type CartItem,
  GRAMS_MAX,
  ITEMS_MAX_DEFAULT,
  PRICE_MAX,
  QUANTITY_MAX,
  SIDE_MAX,
  type SimulateRequest,
} from '../../../src/engine/domain/cart.ts';
import type { Condition } from '../../../src/engine/domain/condition.ts';
import { CENTS_MAX } from '../../../src/engine/domain/money.ts';
import type { RateConfig } from '../../../src/engine/domain/rate-type.ts';
import type { Rule } from '../../../src/engine/domain/rule.ts';
import type { ShippingMethod } from '../../../src/engine/domain/shipping-method.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import { evaluate, evaluateCart, offeredOf, ratesJson } from '../../../src/engine/evaluate/evaluate.ts';
import { explain } from '../../../src/engine/explain/explain.ts';
import { priceCurve } from '../../../src/engine/explain/price-curve.ts';
import type { SimulateAnswer } from '../../../src/engine/wire/answer.ts';
import { assertSameAnswer } from '../../support/same-answer.ts';
import {
  blend,
  cart,
  condition,
  FLAT,
  group,
  item,
  method,
  NOW_MS,
  rule,
  SETTINGS,
  shop,
} from '../../support/small-shop.ts';

/** The answer, or null when the request was refused; asserts that the reference gives the same. */
function simulate(config: ShopConfig, request: SimulateRequest): SimulateAnswer | null {
  const compiled = compileShop(config, SETTINGS);
  assertSameAnswer(compiled, { request, nowMs: NOW_MS });
  const outcome = evaluate(compiled, request, NOW_MS);
  if (outcome.ok) return JSON.parse(outcome.value) as SimulateAnswer;
  assert.equal(outcome.code, 'VALIDATION_ERROR');
  assert.match(outcome.message, /^\/items must .* at most 9,007,199,254,740,991$/);
  return null;
}

const add = (adjustmentValue: number, adjustmentType: 'flat' | 'percentage' = 'flat') =>
  ({ action: 'adjust_add', adjustmentType, adjustmentValue }) as const;
const subtract = (adjustmentValue: number, adjustmentType: 'flat' | 'percentage' = 'flat') =>
  ({ action: 'adjust_subtract', adjustmentType, adjustmentValue }) as const;
const FREE = { action: 'free' } as const;
const HIDE = { action: 'hide' } as const;

/** The price of one method with these unconditional rules; null when refused, undefined when not visible. */
function priceOf(
  rate: RateConfig,
  rules: readonly Partial<Rule>[] = [],
  request = cart(item()),
  freeShippingThreshold: number | null = null,
): number | null | undefined {
  const numbered = rules.map(({ action = 'free', ...fields }, index) =>
    rule(`rule_${index}`, action, fields),
  );
  const answer = simulate(
    shop([method('method', rate, { rules: numbered, freeShippingThreshold })]),
    request,
  );
  return answer === null ? null : answer.rates[0]?.totalPrice;
}

const BIG = item({ quantity: QUANTITY_MAX, price: PRICE_MAX, grams: GRAMS_MAX });
/** Exactly 2^53-1 cents and grams. */
const AT_LIMIT = [
  ...Array<typeof BIG>(9).fill(BIG),
  item({ quantity: 7_199, price: PRICE_MAX, grams: GRAMS_MAX }),
  item({ price: 254_740_991, grams: 254_740_991 }),
];

describe('totals of the order', () => {
  it('are answered at 2^53-1 and refused one cent or one gram beyond', () => {
    const total = condition('cart_total', 'equals', CENTS_MAX);
    const free = { ...FREE, conditions: [total, { ...total, conditionType: 'cart_weight' as const }] };
    assert.equal(priceOf(FLAT(5), [free], cart(...AT_LIMIT)), 0);
    assert.equal(priceOf(FLAT(5), [free], cart(...AT_LIMIT, item({ price: 1, grams: 0 }))), null);
    assert.equal(priceOf(FLAT(5), [free], cart(...AT_LIMIT, item({ price: 0, grams: 1 }))), null);
  });

  it('are also refused when nothing ships or no zone is found', () => {
    const tooMuch = cart(...Array<typeof BIG>(10).fill({ ...BIG, requiresShipping: false }));
    assert.equal(simulate(shop([]), tooMuch), null);
    assert.equal(simulate(shop([], { zones: [] }), tooMuch), null);
  });
});

describe('a rate for a carrier', () => {
  it('says that the method needs a phone number, and nothing where it does not', () => {
    const compiled = compileShop(
      shop([method('one', FLAT(1), { phoneRequired: true }), method('two', FLAT(2))]),
      SETTINGS,
    );
    const evaluation = evaluateCart(compiled, cart(item()), NOW_MS, 'carrier');
    assert.ok(evaluation !== null);
    const rates = JSON.parse(`[${ratesJson(offeredOf(evaluation))}]`) as {
      readonly phoneRequired?: boolean;
    }[];
    assert.deepEqual(
      rates.map(({ phoneRequired }) => phoneRequired),
      [true, undefined],
    );
  });
});

describe('a price', () => {
  it('may be any whole amount up to 2^53-1', () => {
    for (const price of [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, CENTS_MAX - 1, CENTS_MAX]) {
      assert.equal(priceOf(FLAT(price)), price);
    }
  });

  it('beyond 2^53-1 is refused wherever a visible or hidden method comes to it', () => {
    assert.equal(priceOf(FLAT(CENTS_MAX), [add(0)]), CENTS_MAX);
    assert.equal(priceOf(FLAT(CENTS_MAX), [add(1)]), null);
    assert.equal(priceOf(FLAT(CENTS_MAX), [add(1), subtract(5)]), null);
    assert.equal(priceOf(FLAT(CENTS_MAX), [add(1, 'percentage')]), null);
    assert.equal(priceOf(FLAT(CENTS_MAX), [HIDE, add(1)]), null);
    assert.equal(priceOf(FLAT(CENTS_MAX), [FREE, add(1)]), 1);
    const byItems = {
      rateType: 'by_items',
      config: { firstItemPrice: 1, additionalItemPrice: CENTS_MAX },
    } as const;
    assert.equal(priceOf(byItems), 1);
    assert.equal(priceOf(byItems, [], cart(item({ quantity: 2 }))), null);
    assert.equal(priceOf(byItems, [], cart(item({ quantity: 2 })), 0), null);
  });

  it('by dimensional weight takes the greater of grams and volume of each item, rounded up, times its quantity', () => {
    const config = { divisor: 5_000, firstWeight: 0, firstPrice: 0, additionalWeight: 1, additionalPrice: 1 };
    const rate = { rateType: 'by_dimensional_weight', config } as const;
    const gramsOf = (...items: readonly CartItem[]) => priceOf(rate, [], cart(...items));
    const sides = { length: 300, width: 200, height: 100 };
    assert.equal(gramsOf(item({ grams: 900, ...sides })), 1_200);
    assert.equal(gramsOf(item({ grams: 900, ...sides, height: 100 + 1 })), 1_212);
    assert.equal(gramsOf(item({ grams: 1, length: 5_001, width: 1, height: 1 })), 2);
    assert.equal(gramsOf(item({ grams: 1_201, ...sides })), 1_201);
    assert.equal(gramsOf(item({ grams: 900, ...sides, quantity: 3 }), item({ grams: 50 })), 3_650);
    assert.equal(gramsOf(item({ grams: 900, length: 300, width: 200 })), 900);
    const huge = { grams: 1, length: SIDE_MAX, width: SIDE_MAX, height: SIDE_MAX };
    assert.equal(priceOf({ ...rate, config: { ...config, divisor: 1 } }, [], cart(item(huge))), 10 ** 15);
    const beyond = cart(item({ ...huge, quantity: QUANTITY_MAX }), item(huge));
    assert.equal(priceOf({ ...rate, config: { ...config, divisor: 1 } }, [], beyond), null);
  });

  it('is not refused for an amount that is clamped or subtracted', () => {
    const percentage = (maxPrice?: number): RateConfig => ({
      rateType: 'percentage',
      config: maxPrice === undefined ? { percentage: 1_000 } : { percentage: 1_000, maxPrice },
    });
    assert.equal(priceOf(percentage(), [], cart(...AT_LIMIT)), null);
    assert.equal(priceOf(percentage(700), [], cart(...AT_LIMIT)), 700);
    assert.equal(priceOf(FLAT(CENTS_MAX), [subtract(1_000, 'percentage')]), 0);
  });

  it('is never below zero, and a later surcharge is added to zero', () => {
    assert.equal(priceOf(FLAT(100), [subtract(101)]), 0);
    assert.equal(priceOf(FLAT(100), [subtract(500), add(30)]), 30);
    assert.equal(priceOf(FLAT(100), [add(30), subtract(500)]), 0);
  });

  it('follows its rules in their order', () => {
    assert.equal(priceOf(FLAT(1_000), [add(10, 'percentage'), add(5)]), 1_105);
    assert.equal(priceOf(FLAT(1_000), [add(5), add(10, 'percentage')]), 1_106);
    assert.equal(priceOf(FLAT(1_000), [FREE, add(250)]), 250);
    assert.equal(priceOf(FLAT(1_000), [add(250), FREE]), 0);
    assert.equal(priceOf(FLAT(995), [subtract(10, 'percentage')]), 895);
    assert.equal(priceOf(FLAT(995), [{ ...FREE, enabled: false }]), 995);
    assert.equal(priceOf(FLAT(1_000), [add(5)], cart(item()), 1_000), 5);
    assert.equal(priceOf(FLAT(1_000), [add(5)], cart(item()), 1_001), 1_005);
  });
});

describe('a blended sum', () => {
  const groups = [
    group('default', { isDefault: true }),
    group('b', { skus: ['b'] }),
    group('c', { skus: ['c'] }),
  ];
  const methods = [method('m_a', FLAT(CENTS_MAX)), method('m_b', FLAT(1), { productGroupId: 'b' })];
  const config = (freeShippingThreshold: number | null) =>
    shop(methods, { productGroups: groups, blendedRates: [blend({ freeShippingThreshold })] });

  it('beyond 2^53-1 is refused, also when its threshold would make it free', () => {
    assert.equal(simulate(config(null), cart(item(), item({ sku: 'b' }))), null);
    assert.equal(simulate(config(0), cart(item(), item({ sku: 'b' }))), null);
  });

  it('of an unavailable blended rate is not computed, so it refuses nothing', () => {
    const answer = simulate(config(null), cart(item(), item({ sku: 'b' }), item({ sku: 'c' })));
    assert.deepEqual(
      answer?.blendedRates.map(({ visible, reason }) => ({ visible, reason })),
      [{ visible: false, reason: 'group_without_rate' }],
    );
  });
});

describe('unusually large shops and carts', () => {
  const weight = (value: number, scope: Condition['scope']): Condition =>
    condition('product_weight', 'greater_than', value, scope);

  it('each of as many items as a request may have is matched and listed, at every size around a machine word', () => {
    const heavy = rule('heavy', 'adjust_add', {
      conditions: [weight(150, 'any_product_in_order'), weight(20, 'all_products_in_order')],
      adjustmentType: 'flat',
      adjustmentValue: 1,
    });
    const config = shop([method('method', FLAT(0), { rules: [heavy] })]);
    for (const size of [1, 31, 32, 33, 63, 64, 65, 95, 96, 97, ITEMS_MAX_DEFAULT]) {
      const items = Array.from({ length: size }, (_, index) =>
        item({ grams: index === size - 1 ? 200 : 100 }),
      );
      const answer = simulate(config, cart(...items));
      assert.equal(answer?.rates[0]?.totalPrice, 1, `${size} items`);
      assert.equal(answer?.methodEvaluations[0]?.ruleTraces[0]?.matchedItems?.length, size);
      const lighter = simulate(config, cart(...items.slice(1), item({ grams: 20 })));
      assert.equal(lighter?.rates[0]?.totalPrice, 0, `${size} items, one too light`);
    }
  });

  it('500 different rules of one method each compare their own number', () => {
    const rules = Array.from({ length: 500 }, (_, index) =>
      rule(`rule_${index}`, 'adjust_add', {
        conditions: [weight(index, index % 2 === 0 ? 'sum_of_order' : 'any_product_in_group')],
        adjustmentType: 'flat',
        adjustmentValue: 1,
      }),
    );
    const config = shop([method('method', FLAT(0), { rules })]);
    assert.equal(simulate(config, cart(item({ grams: 100 })))?.rates[0]?.totalPrice, 100);
    assert.equal(
      simulate(config, cart(item({ grams: 100 }), item({ grams: 300 })))?.rates[0]?.totalPrice,
      350,
    );
  });

  it('100 conditions of one rule must all hold', () => {
    const conditions = Array.from({ length: 100 }, (_, index) => weight(index, 'any_product_in_order'));
    const config = shop([method('method', FLAT(7), { rules: [rule('free', 'free', { conditions })] })]);
    assert.equal(simulate(config, cart(item({ grams: 100 })))?.rates[0]?.totalPrice, 0);
    assert.equal(simulate(config, cart(item({ grams: 99 })))?.rates[0]?.totalPrice, 7);
  });

  it('each condition of a method changes the answer, however many there are', () => {
    for (let count = 26; count <= 66; count += 4) {
      const rules = Array.from({ length: count }, (_, index) =>
        rule(`rule_${index}`, 'adjust_add', {
          conditions: [condition('product_sku', 'equals', `sku ${index}`)],
          adjustmentType: 'flat',
          adjustmentValue: index + 1,
        }),
      );
      const compiled = compileShop(shop([method('method', FLAT(0), { rules })]), SETTINGS);
      for (let sku = 0; sku <= count; sku++) {
        assertSameAnswer(compiled, { request: cart(item({ sku: `sku ${sku}` })), nowMs: NOW_MS });
      }
    }
  });

  it('a sum over the group is that of the own group for methods of two groups', () => {
    const rules = (id: string) => [rule(id, 'hide', { conditions: [weight(150, 'sum_of_group')] })];
    const config = shop(
      [
        method('light', FLAT(1), { rules: rules('rule_a') }),
        method('heavy', FLAT(1), { productGroupId: 'b', rules: rules('rule_b') }),
      ],
      { productGroups: [group('default', { isDefault: true }), group('b', { skus: ['b'] })] },
    );
    const visible = (...grams: [number, number]) =>
      simulate(
        config,
        cart(item({ grams: grams[0] }), item({ sku: 'b', grams: grams[1] })),
      )?.methodEvaluations.map((evaluation) => evaluation.visible);
    assert.deepEqual(visible(100, 200), [true, false]);
    assert.deepEqual(visible(200, 100), [false, true]);
    assert.deepEqual(visible(200, 200), [false, false]);
  });

  it('3,000 versions in a row, each with another condition, answer by their own configuration', () => {
    const version = (limit: number) =>
      shop([
        method('kept', FLAT(1), { rules: [rule('r', 'free', { conditions: [weight(50, 'sum_of_group')] })] }),
        method('edited', FLAT(2), {
          rules: [rule('r2', 'free', { conditions: [weight(limit, 'sum_of_group')] })],
        }),
      ]);
    const [keptMethod] = version(0).methods;
    let compiled = compileShop(version(0), SETTINGS);
    for (let limit = 1; limit <= 3_000; limit++) {
      const config = version(limit);
      const methods = keptMethod === undefined ? config.methods : [keptMethod, ...config.methods.slice(1)];
      compiled = compileShop({ ...config, methods }, SETTINGS, compiled);
      const isHeavier = limit % 2 === 0;
      const outcome = evaluate(compiled, cart(item({ grams: isHeavier ? limit + 1 : limit })), NOW_MS);
      assert.ok(outcome.ok);
      const { rates } = JSON.parse(outcome.value) as SimulateAnswer;
      const edited = rates.find((rate) => rate.serviceCode === 'edited');
      assert.equal(edited?.totalPrice, isHeavier ? 0 : 2, `version ${limit}`);
    }
  });
});

describe('the rates that a customer is offered', () => {
  const hidden = { productGroupId: 'default', rules: [rule('rule_hide', 'hide')] };
  const compiled = compileShop(
    shop(
      [
        method('dear', FLAT(9)),
        method('hidden', FLAT(1), hidden),
        method('cheap', FLAT(2)),
        method('of_b', FLAT(3), { productGroupId: 'b' }),
      ],
      {
        productGroups: [group('default', { isDefault: true }), group('b', { skus: ['b'] })],
        blendedRates: [blend()],
      },
    ),
    SETTINGS,
  );

  function offered(request: SimulateRequest): readonly (readonly [string, number])[] {
    const outcome = evaluate(compiled, request, NOW_MS);
    const evaluation = evaluateCart(compiled, request, NOW_MS);
    assert.ok(outcome.ok && evaluation !== null);
    const { rates } = JSON.parse(outcome.value) as SimulateAnswer;
    const text = ratesJson(offeredOf(evaluation));
    assert.equal(text, JSON.stringify(rates).slice(1, -1));
    return rates.map(({ serviceCode, totalPrice }) => [serviceCode, totalPrice] as const);
  }

  it('are sorted by price, without hidden ones; for a cart of several groups they are blended rates', () => {
    assert.deepEqual(offered(cart(item())), [
      ['cheap', 2],
      ['dear', 9],
    ]);
    assert.deepEqual(offered(cart(item(), item({ sku: 'b' }))), [['blend', 5]]);
    assert.deepEqual(offered(cart(item({ requiresShipping: false }))), []);
  });
});

describe('a time near the end of the year 9999', () => {
  /** The code and the path of a refusal, null for an answer; asserts that explain and the reference agree. */
  function refusal(at: string, fields: Partial<ShippingMethod> = {}, timezone = 'UTC'): string | null {
    const compiled = compileShop(shop([method('method', FLAT(5), fields)]), { ...SETTINGS, timezone });
    const [request, nowMs] = [cart(item()), Date.parse(at)];
    assertSameAnswer(compiled, { request, nowMs });
    const outcome = evaluate(compiled, request, nowMs);
    assert.equal(explain(compiled, request, nowMs).ok, outcome.ok);
    const sweeping = { request, nowMs, vary: 'quantity', itemIndex: undefined, from: 1, to: 9 } as const;
    assert.equal(priceCurve(compiled, sweeping).ok, outcome.ok);
    return outcome.ok ? null : `${outcome.code} ${outcome.message.split(' ')[0]}`;
  }
  const REFUSED = 'VALIDATION_ERROR /at';
  const DELIVERY = { delivery: { minDays: 0, maxDays: 1 } };
  const HIDING = { rules: [rule('hide', 'hide')] };

  it('is answered while its local date has four digits', () => {
    assert.equal(refusal('9999-12-31T23:59:59Z'), null);
    assert.equal(refusal('9999-12-31T14:59:59Z', {}, 'Asia/Tokyo'), null);
    assert.equal(refusal('9999-12-31T15:00:00Z', {}, 'Asia/Tokyo'), REFUSED);
    assert.equal(refusal('9999-12-31T23:59:59-05:00'), REFUSED);
    assert.equal(refusal('9999-12-31T23:59:59-05:00', {}, 'America/New_York'), null);
  });

  it('is not the reason of a refusal for an amount', () => {
    const compiled = compileShop(shop([method('method', FLAT(5))]), SETTINGS);
    const tooMuch = cart(...Array<typeof BIG>(10).fill(BIG));
    for (const at of ['9990-01-01T00:00:00Z', '9999-12-31T23:59:59-05:00']) {
      const outcome = evaluate(compiled, tooMuch, Date.parse(at));
      assert.ok(!outcome.ok);
      assert.match(outcome.message, /^\/items /);
    }
  });

  it('is answered while the delivery dates of its rates have four digits', () => {
    // A Thursday and a Friday.
    assert.equal(refusal('9999-12-30T12:00:00Z', DELIVERY), null);
    assert.equal(refusal('9999-12-31T12:00:00Z', DELIVERY), REFUSED);
    assert.equal(refusal('9999-12-31T12:00:00Z', { ...DELIVERY, ...HIDING }), null);
    assert.equal(refusal('9998-08-07T12:00:00Z', { delivery: { minDays: 0, maxDays: 365 } }), null);
    assert.equal(refusal('9998-08-10T12:00:00Z', { delivery: { minDays: 0, maxDays: 365 } }), REFUSED);
  });
});
