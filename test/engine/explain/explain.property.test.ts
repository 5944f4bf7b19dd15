/**
 * Explanations of random shops and carts against the reference evaluator: the answer without the additions,
 * the steps, every change that is named, and the methods that were not considered. The long form:
 * `RATEWRIGHT_EXPLAINED_SHOPS=3000 npm test -- explain.property`.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import { evaluate } from '../../../src/engine/evaluate/evaluate.ts';
import { explain } from '../../../src/engine/explain/explain.ts';
import { ExplainedAnswer } from '../../../src/engine/wire/explained-answer.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { localTime } from '../../support/reference/clock.ts';
import { findPlace, methodsInForce } from '../../support/reference/place.ts';
import { referenceActuals, referenceSimulate } from '../../support/reference/simulate.ts';
import { type ShopCart, type ShopCase, shopCase } from '../../support/shop-arbitraries.ts';
import { changedRequest } from './changed-request.ts';

const SHOPS = Number(process.env['RATEWRIGHT_EXPLAINED_SHOPS'] ?? 120);
const CARTS_PER_SHOP = 4;
const SEED = Number(process.env['RATEWRIGHT_SEED'] ?? Date.now() % 1_000_000_000);
const OPTIONS = { seed: SEED, numRuns: SHOPS, unbiased: true };

type Evaluation = ExplainedAnswer['methodEvaluations'][number];
type WhyNot = NonNullable<Evaluation['whyNot']>;

const answerSchema = compileSchema(ExplainedAnswer);
const requestSchema = compileSchema(SimulateRequest);

interface Explained {
  readonly shop: ShopCase;
  readonly cart: ShopCart;
  readonly plain: ReturnType<typeof evaluate>;
  readonly full: ReturnType<typeof explain>;
}

/** Every cart of a shop, explained and not. */
function explainedCarts(shop: ShopCase): readonly Explained[] {
  const compiled = compileShop(shop.config, shop.settings);
  return shop.carts.map((cart) => ({
    ...{ shop, cart },
    plain: evaluate(compiled, cart.request, cart.nowMs),
    full: explain(compiled, cart.request, cart.nowMs),
  }));
}

const shopCases = shopCase(CARTS_PER_SHOP);
/** Made once for all tests, because making and explaining them takes longer than any test. */
const explained = fc.sample(shopCases, OPTIONS).map(explainedCarts);

/** If a shop fails, runs the same shops as a property, which prints a small shop that fails, too. */
function forEachExplained(check: (each: Explained) => void): void {
  try {
    explained.flat().forEach(check);
  } catch (failure) {
    fc.assert(
      fc.property(shopCases, (shop) => explainedCarts(shop).forEach(check)),
      OPTIONS,
    );
    throw failure;
  }
}

const forEachCart = (check: (shop: ShopCase, cart: ShopCart, answer: ExplainedAnswer) => void): void =>
  forEachExplained(({ shop, cart, full }) => {
    if (full.ok) check(shop, cart, JSON.parse(full.value) as ExplainedAnswer);
  });

/** The answer without the fields that an explanation adds. */
const plainPart = ({ notConsidered: _, at: _at, unread: _unread, ...answer }: ExplainedAnswer) => ({
  ...answer,
  methodEvaluations: answer.methodEvaluations.map(
    ({ steps: _steps, deliverySteps: _dates, whyNot: _whyNot, whyNotLimited: _limited, ...evaluation }) => ({
      ...evaluation,
      ruleTraces: evaluation.ruleTraces.map(({ whyNot: _w, whyNotLimited: _l, name: _n, ...trace }) => ({
        ...trace,
        conditions: trace.conditions.map(({ actual: _actual, ...condition }) => condition),
      })),
    }),
  ),
});

describe('an explanation', () => {
  it('equals the plain answer without its additions, and is refused when the plain answer is', () => {
    forEachExplained(({ plain, full }) => {
      if (!plain.ok || !full.ok) return assert.deepEqual(full, plain);
      assert.match(full.value, /^[\x20-\x7e]*$/);
      const bare = plainPart(JSON.parse(full.value));
      assert.equal(JSON.stringify(bare), JSON.stringify(JSON.parse(plain.value)));
    });
  });

  it('fits its schema', () => {
    forEachCart((_, __, answer) => assert.deepEqual(answerSchema.defects(answer), []));
  });

  it('gives for each condition the value that the reference compares', () => {
    let conditions = 0;
    forEachCart(({ config, settings }, { request, nowMs }, { methodEvaluations }) => {
      const expected = referenceActuals(config, settings, request, nowMs);
      for (const { methodId, ruleTraces } of methodEvaluations) {
        const actuals = ruleTraces.map((trace) => trace.conditions.map(({ actual }) => actual));
        assert.deepEqual(actuals, expected.get(methodId));
        conditions += actuals.flat().length;
      }
    });
    assert.ok(conditions > SHOPS, `${conditions} conditions`);
  });

  it('names each rule, and gives the time that time conditions compared', () => {
    forEachCart(({ config, settings }, { nowMs }, { methodEvaluations, at, unread }) => {
      const { date, timeOfDay, dayOfWeek } = localTime(nowMs, settings.timezone);
      assert.deepEqual(at, { iso: new Date(nowMs).toISOString(), date, time: timeOfDay, day: dayOfWeek });
      assert.deepEqual(unread, []);
      const names = new Map(
        config.methods.flatMap(({ rules }) => rules.map((rule) => [rule.id, rule.name ?? ''])),
      );
      for (const { ruleTraces } of methodEvaluations) {
        for (const { ruleId, name } of ruleTraces) assert.equal(name, names.get(ruleId));
      }
    });
  });

  it('has steps that begin at zero, chain, and end at the total price of each visible method', () => {
    let visible = 0;
    forEachCart((_, __, { methodEvaluations }) => {
      for (const { steps, rate, reason } of methodEvaluations) {
        let price = 0;
        for (const step of steps) {
          assert.equal(step.before, price);
          price = step.after;
        }
        if (rate !== null) assert.equal(price, rate.totalPrice);
        if (rate !== null) visible++;
        assert.equal(steps[0]?.kind, steps.length === 0 ? undefined : 'base');
        assert.ok(steps.length > 0 || reason !== null);
        if (reason === 'outside_rate_table') assert.deepEqual(steps, []);
      }
    });
    assert.ok(visible > SHOPS / 2, `${visible} visible methods`);
  });

  it('has delivery steps that begin on the day of the order, chain, and end on the two dates of the rate', () => {
    let dated = 0;
    forEachCart(({ settings }, { nowMs }, { methodEvaluations }) => {
      const { date } = localTime(nowMs, settings.timezone);
      for (const { deliverySteps, rate } of methodEvaluations) {
        if (deliverySteps === undefined || deliverySteps.length === 0) {
          assert.equal(rate?.minDeliveryDate, undefined);
          continue;
        }
        dated++;
        const [latest, earliest, ...before] = deliverySteps.toReversed();
        assert.deepEqual([earliest?.kind, latest?.kind], ['earliest_delivery', 'latest_delivery']);
        assert.deepEqual([earliest?.to, latest?.to], [rate?.minDeliveryDate, rate?.maxDeliveryDate]);
        let day = date;
        for (const { from, to } of before.toReversed()) {
          assert.equal(from, day);
          day = to;
        }
        assert.deepEqual([earliest?.from, latest?.from], [day, day]);
      }
    });
    assert.ok(dated > SHOPS / 4, `${dated} methods with dates`);
  });

  it('names changes that have the promised effect and price in the reference', () => {
    const counts: Record<string, number> = {};
    const count = (key: string) => {
      counts[key] = (counts[key] ?? 0) + 1;
    };
    forEachCart((shop, cart, { methodEvaluations }) => {
      for (const evaluation of methodEvaluations) {
        assert.equal('whyNot' in evaluation, !evaluation.visible);
        if (evaluation.whyNot) {
          count(evaluation.whyNot.change.kind);
          const after = evaluationAfter(shop, cart, evaluation, evaluation.whyNot);
          assert.equal(after.rate?.totalPrice, evaluation.whyNot.totalPrice);
        }
        for (const trace of evaluation.ruleTraces) {
          const isMoneyRule = trace.action !== 'hide' && trace.action !== 'show';
          assert.equal('whyNot' in trace, evaluation.visible && isMoneyRule && !trace.matched);
          if (!trace.whyNot) continue;
          count(trace.whyNot.change.kind);
          const after = evaluationAfter(shop, cart, evaluation, trace.whyNot);
          assert.equal(after.rate?.totalPrice, trace.whyNot.totalPrice);
          assert.ok(after.ruleTraces.some(({ ruleId, matched }) => ruleId === trace.ruleId && matched));
        }
      }
    });
    assert.ok(Object.keys(counts).length >= 6, JSON.stringify(counts));
  });

  it('lists every method of the zone that was not evaluated, in position order, with its reason', () => {
    forEachCart(({ config }, { request }, answer) => {
      assert.deepEqual(answer.notConsidered, naivelyNotConsidered(config, request, answer));
    });
  });
});

function evaluationAfter(
  { config, settings }: ShopCase,
  { request, nowMs }: ShopCart,
  { methodId }: Evaluation,
  { change }: WhyNot,
) {
  const changed = changedRequest(request, change);
  assert.deepEqual(requestSchema.defects(changed), []);
  assert.notDeepEqual(changed, request);
  const result = referenceSimulate(config, settings, changed, nowMs);
  assert.equal(result.status, 200);
  const after =
    result.status === 200
      ? result.answer.methodEvaluations.find((evaluation) => evaluation.methodId === methodId)
      : undefined;
  assert.ok(after !== undefined, `${methodId} is not considered after ${change.text}`);
  return after;
}

function naivelyNotConsidered(
  config: ShopConfig,
  { destination }: SimulateRequest,
  answer: ExplainedAnswer,
): ExplainedAnswer['notConsidered'] {
  const place = findPlace(config, destination.country.toUpperCase(), destination.postalCode ?? '');
  if (place === null) return [];
  const placeIds = [place.zone.id, ...place.zone.subzones.map(({ id }) => id)];
  const evaluated = answer.methodEvaluations.map(({ methodId }) => methodId);
  const inForce = methodsInForce(config, place);
  return config.methods
    .filter((method) => placeIds.includes(method.zoneId) && !evaluated.includes(method.id))
    .map((method) => {
      const reason = !method.enabled
        ? 'disabled'
        : inForce.includes(method)
          ? 'group_not_in_cart'
          : method.zoneId === place.zone.id
            ? 'replaced_by_subzone'
            : 'other_subzone';
      return { methodId: method.id, methodName: method.name, reason };
    });
}
