/** Explanations by example: price steps, changes of each kind with their texts, and limits. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import type { CartItem, SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { Condition } from '../../../src/engine/domain/condition.ts';
import type { Rule } from '../../../src/engine/domain/rule.ts';
import type { ShippingMethod } from '../../../src/engine/domain/shipping-method.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import { splitTags } from '../../../src/engine/domain/text.ts';
import { explain } from '../../../src/engine/explain/explain.ts';
import type { ExplainedAnswer } from '../../../src/engine/wire/explained-answer.ts';
import * as small from '../../support/small-shop.ts';

const { NOW_MS, SETTINGS } = small;

type MethodFields = Partial<ShippingMethod>;

const method = (id: string, fields: MethodFields): ShippingMethod =>
  ({
    ...small.method(id, small.FLAT(1000), { name: `Name of ${id}`, zoneId: 'zone_us' }),
    productGroupId: 'group_all',
    ...fields,
  }) as ShippingMethod;

const FLAT: MethodFields = small.FLAT(1000);

const rule = (id: string, action: Rule['action'], fields: Partial<Rule> = {}): Rule =>
  small.rule(id, action, {
    ...(action.startsWith('adjust') ? { adjustmentType: 'flat', adjustmentValue: 100 } : {}),
    ...fields,
  });

const when = (...args: Parameters<typeof small.condition>): { conditions: Condition[] } => ({
  conditions: [small.condition(...args)],
});

const shopOf = (methods: readonly ShippingMethod[]): ShopConfig => ({
  zones: [
    {
      id: 'zone_us',
      name: 'US',
      countries: ['US'],
      subzones: [
        { id: 'sub_alaska', name: 'Alaska', postalCodes: '995*, 99600-99699' },
        { id: 'sub_hawaii', name: 'Hawaii', postalCodes: '967*' },
      ],
    },
  ],
  productGroups: [
    small.group('group_all', { isDefault: true }),
    small.group('group_cold', { tags: ['cold'] }),
  ],
  methods,
  blendedRates: [],
});

const item = (fields: Partial<CartItem> = {}) => small.item({ grams: 500, price: 2000, ...fields });

const request = (
  items: readonly CartItem[] = [item()],
  destination: Partial<SimulateRequest['destination']> = {},
): SimulateRequest => ({
  destination: { country: 'US', province: 'NY', postalCode: '10001', ...destination },
  items: [...items],
});

function explained(methods: readonly ShippingMethod[], asked = request()): ExplainedAnswer {
  const answer = explain(compileShop(shopOf(methods), SETTINGS), asked, NOW_MS);
  assert.ok(answer.ok);
  return JSON.parse(answer.value) as ExplainedAnswer;
}

/** The evaluation of the only method of a shop, which has these fields. */
function evaluationOf(fields: MethodFields, asked = request()) {
  const [evaluation] = explained([method('method_a', fields)], asked).methodEvaluations;
  assert.ok(evaluation !== undefined);
  const steps = evaluation.steps?.map(({ lastChanged, ...step }) => {
    assert.equal(lastChanged, null, 'the configuration is no version');
    return step;
  });
  return { ...evaluation, steps };
}

/** `whyNot` of a method with these rules; that of the last rule if the method is visible. */
function whyNotOf(rules: readonly Rule[], asked = request(), fields: MethodFields = FLAT) {
  const evaluation = evaluationOf({ ...fields, rules: [...rules] }, asked);
  return evaluation.visible ? evaluation.ruleTraces.at(-1)?.whyNot : evaluation.whyNot;
}

describe('the price steps of a method', () => {
  it('begin with the tier that was used and name each rule that changed the price', () => {
    const { steps } = evaluationOf({
      rateType: 'by_weight_table',
      config: {
        tiers: [
          { minWeight: 0, maxWeight: 500, price: 300 },
          { minWeight: 500, maxWeight: null, price: 900 },
        ],
      },
      rules: [
        rule('rule_add', 'adjust_add', { adjustmentType: 'percentage', adjustmentValue: 15 }),
        rule('rule_nothing', 'adjust_add', { adjustmentValue: 0 }),
        rule('rule_unmatched', 'free', when('cart_total', 'greater_than', '5000')),
        rule('rule_floor', 'adjust_subtract', { adjustmentValue: 2000 }),
        rule('rule_after', 'adjust_add', { adjustmentValue: 50 }),
      ],
    });
    assert.deepEqual(steps, [
      {
        kind: 'base',
        before: 0,
        after: 900,
        rateType: 'by_weight_table',
        tier: { index: 1, from: 500, to: null, total: 500 },
      },
      { kind: 'rule', before: 900, after: 1035, ruleId: 'rule_add', action: 'adjust_add' },
      {
        kind: 'rule',
        before: 1035,
        after: 0,
        ruleId: 'rule_floor',
        action: 'adjust_subtract',
        clamped: { bound: 'zero', unclamped: -965 },
      },
      { kind: 'rule', before: 0, after: 50, ruleId: 'rule_after', action: 'adjust_add' },
    ]);
  });

  it('name the threshold that was reached, also when the price was 0 before', () => {
    const { steps, rate } = evaluationOf({ ...FLAT, freeShippingThreshold: 2000 });
    const threshold = { kind: 'threshold', after: 0, freeShippingThreshold: 2000, cartTotal: 2000 };
    assert.deepEqual(steps[1], { ...threshold, before: 1000 });
    assert.equal(rate?.totalPrice, 0);
    const free = evaluationOf({ rateType: 'free', config: {}, freeShippingThreshold: 2000 });
    assert.deepEqual(free.steps[1], { ...threshold, before: 0 });
    assert.equal(evaluationOf({ ...FLAT, freeShippingThreshold: 2001 }).steps.length, 1);
  });

  it('name the order total when the threshold is compared with it', () => {
    const free = method('m', { ...FLAT, freeShippingThreshold: 1500, thresholdBasis: 'order_total' });
    const stepsAt = (totalPrice: number | null) =>
      explained([free], { ...request(), orderTotals: { totalPrice } }).methodEvaluations[0]?.steps ?? [];
    const threshold = {
      kind: 'threshold',
      before: 1000,
      after: 0,
      freeShippingThreshold: 1500,
      cartTotal: 2000,
      lastChanged: null,
    };
    assert.deepEqual(stepsAt(1500)[1], { ...threshold, orderTotal: 1500 });
    assert.deepEqual(stepsAt(null)[1], { ...threshold, orderTotal: 2000 });
    assert.equal(stepsAt(1499).length, 1);
  });

  it('name the bound to which a percentage was clamped, and the price before', () => {
    const clamped = (bounds: { minPrice?: number; maxPrice?: number }) => {
      const [base] = evaluationOf({ rateType: 'percentage', config: { percentage: 10, ...bounds } }).steps;
      return base?.kind === 'base' ? [base.after, base.clamped] : null;
    };
    assert.deepEqual(clamped({}), [200, undefined]);
    assert.deepEqual(clamped({ minPrice: 200, maxPrice: 200 }), [200, undefined]);
    assert.deepEqual(clamped({ minPrice: 250 }), [250, { bound: 'minPrice', unclamped: 200 }]);
    assert.deepEqual(clamped({ minPrice: 10, maxPrice: 150 }), [150, { bound: 'maxPrice', unclamped: 200 }]);
  });

  it('give the price that a hidden method would have, and are empty outside the rate table', () => {
    const hidden = evaluationOf({ ...FLAT, rules: [rule('rule_hide', 'hide'), rule('rule_free', 'free')] });
    assert.equal(hidden.visible, false);
    assert.deepEqual(hidden.steps.at(-1)?.after, 0);
    const config = { tiers: [{ minItems: 2, maxItems: null, price: 1 }] };
    assert.deepEqual(evaluationOf({ rateType: 'by_items_table', config }).steps, []);
  });
});

describe('the smallest change', () => {
  const add = (...args: Parameters<typeof when>) => rule('rule_asked', 'adjust_add', when(...args));
  const change = (...args: Parameters<typeof whyNotOf>) => whyNotOf(...args)?.change;

  it('of the cart total changes one item; a smaller change of the total comes first', () => {
    const items = [item({ price: 1001, quantity: 2 }), item({ price: 900, quantity: 3 })];
    const asked = add('cart_total', 'greater_than_or_equal', '4711');
    assert.deepEqual(whyNotOf([asked], request(items)), {
      change: {
        kind: 'cart_total',
        by: 9,
        itemIndex: 1,
        to: 903,
        text: 'Raise the cart total by 0.09 USD (9): set the price of /items/1 to 9.03 USD (903) instead of 9.00 USD (900).',
      },
      totalPrice: 1100,
    });
    const exactly = change([add('cart_total', 'equals', '4703')], request(items));
    assert.equal(exactly, undefined, 'neither 2 nor 3 pieces can make up one cent');
  });

  it('raises before it lowers, and takes the first item that has the effect', () => {
    const items = [item({ price: 5 }), item({ price: 8 })];
    const around = change([add('cart_total', 'equals', '12,14')], request(items));
    assert.ok(around?.kind === 'cart_total');
    assert.equal(around.by, 1);
    const both = { conditions: [...when('cart_total', 'greater_than', '13').conditions] };
    both.conditions.push(...when('product_price', 'greater_than', '8').conditions);
    const found = change([rule('rule_asked', 'free', both)], request(items));
    assert.ok(found?.kind === 'cart_total');
    assert.deepEqual([found.by, found.itemIndex, found.to], [1, 1, 9]);
  });

  it('of the cart weight leads into the nearest tier', () => {
    const tiers = [
      { minWeight: 0, maxWeight: 100, price: 1 },
      { minWeight: 1000, maxWeight: 2000, price: 2 },
    ];
    const found = whyNotOf([], request([item({ quantity: 2, grams: 300 })]), {
      rateType: 'by_weight_table',
      config: { tiers },
    });
    assert.equal(
      found?.change.text,
      'Raise the cart weight by 400 grams: set the weight of /items/0 to 500 grams instead of 300 grams.',
    );
    assert.equal(found?.totalPrice, 2);
  });

  it('may change a quantity, add or remove a tag, or drop an item', () => {
    const quantity = change([add('cart_quantity', 'greater_than', '4')]);
    assert.equal(quantity?.text, 'Change the quantity of /items/0 from 1 to 5.');
    const cold = request([item(), item({ properties: { tag: 'Fresh , COLD' } })]);
    assert.equal(change([add('product_tag', 'contains', 'Frag')])?.text, 'Add the tag "Frag" to /items/0.');
    const hide = rule('rule_hide', 'hide', when('product_tag', 'equals', 'fresh'));
    assert.equal(change([hide], cold)?.text, 'Remove the tag "Fresh" from /items/1.');
    const many = rule('rule_hide', 'hide', when('cart_unique_items', 'greater_than', '1'));
    assert.equal(change([many], cold)?.text, 'Drop /items/1 from the cart.', 'the other has the method');
    assert.equal(change([many], request([item(), item()]))?.text, 'Drop /items/0 from the cart.');
    assert.equal(
      change([many], request([item(), item({ price: 1999 })]))?.text,
      'Drop /items/1 from the cart.',
    );
  });

  it('may be another destination, written as the conditions or the zone write it', () => {
    const text = (...rules: Rule[]) => change(rules)?.text;
    assert.equal(
      text(add('destination_state', 'equals', 'AK, HI')),
      'Change the destination\'s state to "AK".',
    );
    const hideHere = rule('rule_hide', 'hide', when('destination_state', 'starts_with', 'N'));
    assert.equal(text(hideHere), 'Change the destination\'s state to "ZZ".');
    const hideAny = rule('rule_hide', 'hide', when('destination_state', 'is_not_empty', ''));
    assert.equal(text(hideAny), "Leave out the destination's state.");
    const inAlaska = add('destination_subzone', 'equals', 'sub_alaska');
    assert.equal(text(inAlaska), 'Change the destination\'s postal code to "99501".');
    const noZero = rule('rule_hide', 'hide', when('destination_postal_code', 'contains', '0'));
    assert.equal(text(noZero), 'Change the destination\'s postal code to "11111".');
    const anyCode = rule('rule_hide', 'hide', when('destination_postal_code', 'equals', '*'));
    assert.equal(text(anyCode), "Leave out the destination's postal code.");
  });

  it('is null for contradictory conditions and for a hide rule on the country or without conditions', () => {
    const contradiction = {
      conditions: [
        ...when('destination_state', 'equals', 'AK').conditions,
        ...when('destination_state', 'equals', 'HI').conditions,
      ],
    };
    assert.equal(whyNotOf([rule('rule_asked', 'free', contradiction)]), null);
    assert.equal(whyNotOf([rule('rule_hide', 'hide', when('destination_country', 'equals', 'US'))]), null);
    assert.equal(whyNotOf([rule('rule_hide', 'hide')]), null);
  });

  it('of a rule keeps the method visible', () => {
    const rules = [
      rule('rule_hide', 'hide', when('cart_total', 'greater_than', '3000')),
      rule('rule_asked', 'free', when('cart_total', 'greater_than', '2500')),
    ];
    const found = change(rules);
    assert.ok(found?.kind === 'cart_total');
    assert.equal(found.by, 501);
    const never = [rules[0], rule('rule_asked', 'free', when('cart_total', 'greater_than', '3000'))];
    assert.equal(whyNotOf(never.filter((each) => each !== undefined)), null);
  });

  it('may move an item to another product group', () => {
    const config = { tiers: [{ minItems: 0, maxItems: 2, price: 5 }] };
    const items = [item({ properties: { tag: 'vip' } }), item()];
    const few = rule('rule_show', 'show', when('product_quantity', 'less_than', '2', 'sum_of_group'));
    const found = change([few], request(items), { rateType: 'by_items_table', config });
    assert.equal(found?.text, 'Add the tag "cold" to /items/0.');
  });
});

describe('a change of a total', () => {
  const over = rule('rule_over', 'show', when('order_total', 'greater_than_or_equal', '3241'));
  const changeOf = (asked: SimulateRequest) => whyNotOf([over], asked)?.change;

  it('changes the order total if the request gives it, else the cart total', () => {
    const text =
      'Raise the order total by 12.41 USD (1241): set /orderTotals/totalPrice to 32.41 USD (3241) instead of 20.00 USD (2000).';
    const given = { ...request([item({ price: 2500 })]), orderTotals: { totalPrice: 2000 } };
    assert.deepEqual(changeOf(given), { kind: 'order_total', by: 1241, to: 3241, text });
    assert.deepEqual(changeOf(request()), {
      kind: 'cart_total',
      by: 1241,
      itemIndex: 0,
      to: 3241,
      text: 'Raise the cart total by 12.41 USD (1241): set the price of /items/0 to 32.41 USD (3241) instead of 20.00 USD (2000).',
    });
  });
});

describe('an explanation', () => {
  it('lists the methods that were not considered, each with the first reason that holds', () => {
    const answer = explained(
      [
        method('method_zone', FLAT),
        method('method_off', { ...FLAT, enabled: false, zoneId: 'sub_hawaii' }),
        method('method_hawaii', { ...FLAT, zoneId: 'sub_hawaii', productGroupId: 'group_cold' }),
        method('method_alaska', { ...FLAT, zoneId: 'sub_alaska', productGroupId: 'group_cold' }),
        method('method_cold', { ...FLAT, productGroupId: 'group_cold' }),
      ],
      request([item()], { postalCode: '99501' }),
    );
    assert.deepEqual(
      answer.notConsidered.map(({ methodId, reason }) => [methodId, reason]),
      [
        ['method_off', 'disabled'],
        ['method_hawaii', 'other_subzone'],
        ['method_alaska', 'group_not_in_cart'],
        ['method_cold', 'replaced_by_subzone'],
      ],
    );
    assert.equal(answer.notConsidered[0]?.methodName, 'Name of method_off');
  });

  it('of a destination outside all zones lists no methods', () => {
    const answer = explained([method('method_zone', FLAT)], request([item()], { country: 'FR' }));
    assert.deepEqual(answer, {
      rates: [],
      methodEvaluations: [],
      blendedRates: [],
      zone: null,
      notConsidered: [],
      at: { iso: new Date(NOW_MS).toISOString(), date: '2026-11-18', time: '17:00', day: 'wednesday' },
      unread: [],
    });
  });

  it('stops at its limits in a cart that is too large to search, and says so', () => {
    const items = Array.from({ length: 1_000 }, (_, index) =>
      item({ price: index, properties: { tag: `t${index}` } }),
    );
    const conditions = [
      ...when('product_price', 'greater_than', '5000', 'any_product_in_order').conditions,
      ...when('product_tag', 'equals', 'rare', 'any_product_in_order').conditions,
      ...when('cart_quantity', 'greater_than', '2000').conditions,
    ];
    const rules = Array.from({ length: 20 }, (_, index) => rule(`rule_${index}`, 'free', { conditions }));
    rules.push(rule('rule_hopeless', 'free', when('destination_city', 'equals', 'Rome')));
    const methods = Array.from({ length: 20 }, (_, index) =>
      method(`method_${index}`, {
        ...FLAT,
        rules: rules.map((each) => ({ ...each, id: `${each.id}_${index}` })),
      }),
    );
    const { methodEvaluations } = explained(methods, request(items));
    const limited = methodEvaluations.flatMap(({ ruleTraces }) =>
      ruleTraces.filter(({ whyNotLimited }) => whyNotLimited === true),
    );
    assert.ok(limited.every(({ whyNot }) => whyNot === null));
    assert.equal(
      limited.some(({ ruleId }) => ruleId.startsWith('rule_hopeless')),
      true,
    );
  });

  it('proposes no overlong texts', () => {
    const long = 'x'.repeat(10_000);
    const asked = request([item({ properties: { tag: long } })]);
    const evaluation = evaluationOf(
      { ...FLAT, rules: [rule('rule_hide', 'hide', when('product_tag', 'is_not_empty', ''))] },
      asked,
    );
    assert.equal(splitTags(asked.items[0]?.properties?.tag ?? '')[0], long);
    assert.deepEqual([evaluation.whyNot, evaluation.whyNotLimited], [null, true]);
  });
});

it('the delivery steps show cutoff, weekend, holiday and handling', () => {
  const fulfilment = {
    cutoff: '18:00',
    cutoffByDay: { friday: '12:00', saturday: '09:00' },
    handlingDays: 1,
    workingDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const,
    holidays: ['2026-11-23', '2026-11-22'],
  };
  const settings = { ...SETTINGS, fulfilment: { ...fulfilment, workingDays: [...fulfilment.workingDays] } };
  const dated = { ...method('method_a', FLAT), delivery: { minDays: 0, maxDays: 3 } };
  // A Friday afternoon.
  const answer = explain(
    compileShop(shopOf([dated]), settings),
    request(),
    Date.parse('2026-11-20T12:00:00Z'),
  );
  assert.ok(answer.ok);
  const [evaluation] = (JSON.parse(answer.value) as ExplainedAnswer).methodEvaluations;
  assert.deepEqual(evaluation?.deliverySteps, [
    { kind: 'cutoff', from: '2026-11-20', to: '2026-11-21', cutoff: '12:00' },
    ...[
      ['first_working_day', '2026-11-21', '2026-11-24', 0, 2, 1] as const,
      ['handling', '2026-11-24', '2026-11-25', 1, 0, 0] as const,
      ['earliest_delivery', '2026-11-25', '2026-11-25', 0, 0, 0] as const,
      ['latest_delivery', '2026-11-25', '2026-11-30', 3, 2, 0] as const,
    ].map(([kind, from, to, workingDays, weekend, holiday]) => ({
      kind,
      from,
      to,
      workingDays,
      weekend,
      holiday,
    })),
  ]);
});
