/**
 * Runs of checks: the verdicts against the reference evaluator on random shops, and the sentence for each way in which a
 * rate can be missing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { Check } from '../../../src/engine/domain/check.ts';
import {
  EXPECTATION_KINDS,
  type Expectation,
  findExpectationDefect,
  type OfferedRate,
} from '../../../src/engine/domain/expectation.ts';
import { CENTS_MAX } from '../../../src/engine/domain/money.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import { CheckResults } from '../../../src/engine/wire/check-results.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { chosenChecks, runChecks } from '../../../src/shop/reader/check-run.ts';
import { referenceIsMet } from '../../support/reference/check.ts';
import { localTime } from '../../support/reference/clock.ts';
import { referenceSimulate } from '../../support/reference/simulate.ts';
import { shopCase } from '../../support/shop-arbitraries.ts';
import {
  blend,
  cart,
  FLAT,
  group,
  item,
  method,
  NOW_MS,
  rule,
  SETTINGS,
  shop,
} from '../../support/small-shop.ts';

const SHOPS = 60;

const check = (request: SimulateRequest, expectations: readonly Expectation[], at: string | null): Check => ({
  id: 'check_a',
  name: 'A',
  request,
  at,
  expectations,
  enabled: true,
});

/** Expectations near to the offered rates, so that as many are met as not. */
function expectationsNear(offered: readonly OfferedRate[], seed: number): readonly Expectation[] {
  const near = offered[seed % Math.max(1, offered.length)] ?? { serviceCode: 'nobody', totalPrice: 100 };
  const { serviceCode } = near;
  const totalPrice = Math.min(CENTS_MAX, near.totalPrice + (seed % 3 === 0 ? 1 : 0));
  const rates = seed % 2 === 0 ? offered : offered.slice(1);
  return [
    { kind: 'rate', serviceCode, totalPrice },
    { kind: 'rate_between', serviceCode, minPrice: Math.max(0, totalPrice - 1), maxPrice: totalPrice },
    { kind: 'no_rate', serviceCode: seed % 2 === 0 ? serviceCode : 'nobody' },
    { kind: 'some_rate' },
    {
      kind: 'rates',
      rates: rates
        .toReversed()
        .map(({ serviceCode: code, totalPrice: cents }) => ({ serviceCode: code, totalPrice: cents })),
    },
    { kind: 'delivery', serviceCode, ...(seed % 3 === 0 ? { minDate: '+1' } : {}), maxDate: `+${seed}` },
  ];
}

test('a check fails exactly where the reference evaluator does not offer what it expects', () => {
  const schema = compileSchema(CheckResults);
  const met = new Set<string>();
  const property = fc.property(shopCase(3), fc.nat(50), ({ config, settings, carts }, seed) => {
    const compiled = compileShop(config, settings);
    for (const { request, nowMs } of carts) {
      const reference = referenceSimulate(config, settings, request, nowMs);
      const offered =
        reference.status === 400
          ? []
          : reference.answer.rates.map(({ serviceCode, totalPrice }) => ({ serviceCode, totalPrice }));
      const dated = reference.status === 400 ? [] : reference.answer.rates;
      const { date } = localTime(nowMs, settings.timezone);
      const expectations = expectationsNear(offered, seed);
      const unmet = expectations.filter(
        (expectation) => reference.status === 400 || !referenceIsMet(expectation, dated, date),
      );
      // A year of five digits is no time that a check can have.
      const at = seed % 2 === 0 || nowMs >= Date.UTC(10_000, 0) ? null : new Date(nowMs).toISOString();
      const clock = at === null ? nowMs : 0;
      const results = runChecks({ shop: compiled, versionId: null, nowMs: clock }, [
        check(request, expectations, at),
      ]);
      assert.deepEqual(schema.defects(results, 3), []);
      const [{ passed, failures } = { passed: false, failures: [] }] = results.results;
      assert.deepEqual(
        failures.map(({ expectation }) => expectation),
        unmet,
      );
      assert.equal(passed, unmet.length === 0);
      assert.deepEqual([results.passed, results.failed], passed ? [1, 0] : [0, 1]);
      for (const { actual, reason } of failures) {
        assert.deepEqual(actual, offered);
        assert.match(reason, /^\S.*\S\.$/s);
      }
      for (const { kind } of expectations) {
        met.add(`${kind} ${unmet.some((expectation) => expectation.kind === kind)}`);
      }
    }
  });
  fc.assert(property, { numRuns: SHOPS, unbiased: true });
  assert.deepEqual(
    [...met].sort(),
    EXPECTATION_KINDS.flatMap((kind) => [`${kind} false`, `${kind} true`]).sort(),
  );
});

/** The reason why the one expectation is not met. */
function reasonFor(config: ShopConfig, request: SimulateRequest, expectation: Expectation): string {
  const compiled = compileShop(config, SETTINGS);
  const run = runChecks({ shop: compiled, versionId: null, nowMs: NOW_MS }, [
    check(request, [expectation], null),
  ]);
  const [failure, another] = run.results[0]?.failures ?? [];
  assert.ok(failure !== undefined && another === undefined);
  return failure.reason;
}

const costs = (serviceCode: string, totalPrice = 1): Expectation => ({
  kind: 'rate',
  serviceCode,
  totalPrice,
});
const SOME: Expectation = { kind: 'some_rate' };
const hideUk = rule('rule_x', 'hide', { name: 'No courier' });
const light = rule('rule_l', 'show', {
  conditions: [
    { conditionType: 'cart_weight', operator: 'less_than', value: '50', scope: 'any_product_in_order' },
  ],
});
const twoGroups = {
  productGroups: [group('default', { isDefault: true }), group('heavy', { name: 'Heavy', skus: ['H'] })],
};
const mixed = cart(item(), item({ sku: 'H' }));

test('the reason is one sentence that names what keeps a rate from being offered', () => {
  const reasons: readonly (readonly [ShopConfig, SimulateRequest, Expectation, string])[] = [
    [
      shop([method('m', FLAT(5))]),
      cart(item()),
      costs('m'),
      'm costs 0.05 USD (5), instead of 0.01 USD (1).',
    ],
    [
      shop([method('m', FLAT(5))]),
      cart(item()),
      { kind: 'rate_between', serviceCode: 'm', minPrice: 1, maxPrice: 2 },
      'm costs 0.05 USD (5), which is not between 0.01 USD (1) and 0.02 USD (2).',
    ],
    [
      shop([method('m', FLAT(5))]),
      cart(item()),
      { kind: 'no_rate', serviceCode: 'm' },
      'm costs 0.05 USD (5), but no rate of that service is expected.',
    ],
    [
      shop([method('m', FLAT(5))]),
      cart(item()),
      { kind: 'rates', rates: [] },
      'm costs 0.05 USD (5), but is not among the expected rates.',
    ],
    [
      shop([method('m', FLAT(5)), method('n', FLAT(7), { serviceCode: 'm' })]),
      cart(item()),
      { kind: 'rates', rates: [{ serviceCode: 'm', totalPrice: 5 }] },
      'm costs 0.07 USD (7), but is not among the expected rates.',
    ],
    [
      shop([method('m', FLAT(5))]),
      cart(item()),
      { kind: 'rates', rates: Array(3).fill({ serviceCode: 'm', totalPrice: 5 }) },
      'm for 0.05 USD (5) is offered once, and expected 3 times.',
    ],
    [
      shop([method('m', FLAT(5)), method('n', FLAT(5), { serviceCode: 'm' })]),
      cart(item()),
      { kind: 'rates', rates: [{ serviceCode: 'm', totalPrice: 5 }] },
      'm for 0.05 USD (5) is offered 2 times, and expected once.',
    ],
    [
      shop([method('m', FLAT(5), { rules: [hideUk] })]),
      cart(item()),
      costs('m'),
      'm is not offered: rule "No courier" (rule_x) hides "m".',
    ],
    [
      shop([method('m', FLAT(5), { rules: [rule('rule_y', 'hide')] })]),
      cart(item()),
      SOME,
      'No rate is offered: rule rule_y hides "m".',
    ],
    [
      shop([method('m', FLAT(5), { rules: [light] })]),
      cart(item()),
      costs('m'),
      'm is not offered: "m" is shown only by rule rule_l, which does not match.',
    ],
    [
      shop([
        method('m', {
          rateType: 'by_weight_table',
          config: { tiers: [{ minWeight: 0, maxWeight: 50, price: 1 }] },
        }),
      ]),
      cart(item()),
      costs('m'),
      'm is not offered: the cart is outside the rate table of "m".',
    ],
    [
      shop([]),
      cart(item()),
      costs('m'),
      'm is not offered: no method or blended rate has this service code.',
    ],
    [shop([]), cart(item()), SOME, 'No rate is offered: no method is considered for this cart.'],
    [
      shop([method('m', FLAT(5), { enabled: false })]),
      cart(item()),
      costs('m'),
      'm is not offered: "m" is disabled.',
    ],
    [
      shop([method('m', FLAT(5))], {
        zones: [{ id: 'zone', name: 'Zone', countries: ['FR'], subzones: [] }],
      }),
      cart(item()),
      costs('m'),
      'm is not offered: no zone has the country US.',
    ],
    [
      shop([method('m', FLAT(5))], {
        zones: [{ id: 'zone', name: 'Zone', countries: ['FR'], subzones: [] }],
      }),
      cart(item()),
      SOME,
      'No rate is offered: no zone has the country US.',
    ],
    [
      shop([method('m', FLAT(5), { productGroupId: 'heavy' })], twoGroups),
      cart(item()),
      costs('m'),
      'm is not offered: "m" is not in force for this destination and these items.',
    ],
    [
      shop([method('m', FLAT(5)), method('h', FLAT(5), { productGroupId: 'heavy' })], {
        ...twoGroups,
        blendedRates: [blend()],
      }),
      mixed,
      costs('m'),
      'm is not offered: the cart has several product groups, for which blended rates are offered instead.',
    ],
    [
      shop([method('m', FLAT(5)), method('h', FLAT(5), { productGroupId: 'heavy', rules: [hideUk] })], {
        ...twoGroups,
        blendedRates: [blend()],
      }),
      mixed,
      costs('blend'),
      'blend is not offered: "Blend" has no rate for the product group "Heavy", where rule "No courier" (rule_x) hides "h".',
    ],
    [
      shop([method('m', FLAT(5)), method('h', FLAT(5), { productGroupId: 'heavy', rules: [hideUk] })], {
        ...twoGroups,
        blendedRates: [blend({ preferences: [{ productGroupId: 'heavy', preferredMethodId: 'h' }] })],
      }),
      mixed,
      SOME,
      'No rate is offered: the method "h", which "Blend" prefers for "Heavy", is not visible: rule "No courier" (rule_x) hides "h".',
    ],
  ];
  for (const [config, request, expectation, reason] of reasons) {
    assert.equal(reasonFor(config, request, expectation), reason);
  }
});

test('all enabled checks are run, or those that are named, in the order of the list', () => {
  const one = check(cart(item()), [SOME], null);
  const checks = [one, { ...one, id: 'check_b', enabled: false }, { ...one, id: 'check_c' }];
  const ids = (chosen: readonly string[] | undefined) => {
    const outcome = chosenChecks(checks, chosen);
    return outcome.ok ? outcome.value.map(({ id }) => id) : outcome.message;
  };
  assert.deepEqual(ids(undefined), ['check_a', 'check_c']);
  assert.deepEqual(ids(['check_c', 'check_b']), ['check_b', 'check_c']);
  assert.deepEqual(ids([]), []);
  assert.equal(ids(['check_x']), 'Check not found: check_x');
});

test('a delivery is held against dates, and against days after the day of the check in the zone of the shop', () => {
  const config = shop([
    method('std', FLAT(500), { delivery: { minDays: 1, maxDays: 2 } }),
    method('slow', FLAT(400)),
  ]);
  const settings = { currency: 'USD', timezone: 'Asia/Tokyo' };
  const compiled = compileShop(config, settings);
  // Friday 01:00 in Tokyo: delivered on Monday and Tuesday.
  const at = '2026-11-19T16:00:00Z';
  const reasonOf = (expected: Omit<Extract<Expectation, { kind: 'delivery' }>, 'kind'>) => {
    const expectation = { kind: 'delivery' as const, ...expected };
    const checks = [check(cart(item()), [expectation], at)];
    return runChecks({ shop: compiled, versionId: null, nowMs: 0 }, checks).results[0]?.failures[0]?.reason;
  };
  const serviceCode = 'std';
  for (const met of [{}, { minDate: '+3', maxDate: '+4' }, { minDate: '2026-11-23', maxDate: '2026-11-24' }])
    assert.equal(reasonOf({ serviceCode, ...met }), undefined);
  const late = 'std is delivered from 2026-11-23 to 2026-11-24, instead of';
  assert.equal(reasonOf({ serviceCode, maxDate: '+3' }), `${late} by 2026-11-23.`);
  assert.equal(reasonOf({ serviceCode, minDate: '+5' }), `${late} from 2026-11-25 on.`);
  assert.equal(
    reasonOf({ serviceCode, minDate: '+4', maxDate: '2026-11-24' }),
    `${late} from 2026-11-24 to 2026-11-24.`,
  );
  assert.equal(reasonOf({ serviceCode: 'slow' }), 'slow has no delivery dates.');
});

test('an expected date that does not exist and a last date before the first are defects', () => {
  const defectOf = (minDate: string, maxDate?: string) =>
    findExpectationDefect({
      kind: 'delivery',
      serviceCode: 'a',
      minDate,
      ...(maxDate && { maxDate }),
    })?.split(' ', 1)[0];
  assert.equal(defectOf('2026-02-30'), '/minDate');
  assert.equal(defectOf('2026-02-28', '2026-02-27'), '/maxDate');
  assert.equal(defectOf('+5', '+4'), '/maxDate');
  assert.equal(defectOf('+5', '2026-02-27'), undefined);
});
