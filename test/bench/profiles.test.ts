import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDemo } from '../../bench/profiles/demo.ts';
import { makeHeavy } from '../../bench/profiles/heavy.ts';
import { makeLarge } from '../../bench/profiles/large.ts';
import { makePostal } from '../../bench/profiles/postal.ts';
import { bodiesOf, NOW_MS, type Profile } from '../../bench/profiles/profile.ts';
import { withOtherMethods } from '../../bench/profiles/shop-maker.ts';
import { makeSmall } from '../../bench/profiles/small.ts';
import { makeTypical } from '../../bench/profiles/typical.ts';
import { compileShop } from '../../src/engine/compile/compiled-shop.ts';
import { SimulateRequest } from '../../src/engine/domain/cart.ts';
import { findConditionDefect } from '../../src/engine/domain/condition.ts';
import { evaluate } from '../../src/engine/evaluate/evaluate.ts';
import type { SimulateAnswer } from '../../src/engine/wire/answer.ts';
import { compileSchema } from '../../src/engine/wire/schema-check.ts';

const request = compileSchema(SimulateRequest);
const { light, heavy } = makeHeavy();
const profiles = [makeDemo(), makeSmall(), makeTypical(), makeLarge(), makePostal(5_000), light, heavy];

function answersOf({ config, settings, requests }: Profile): SimulateAnswer[] {
  const shop = compileShop(config, settings);
  return requests.map((cart) => {
    const outcome = evaluate(shop, cart, NOW_MS);
    assert.ok(outcome.ok);
    return JSON.parse(outcome.value) as SimulateAnswer;
  });
}

for (const profile of profiles) {
  test(`the carts of ${profile.name} are sound and all different`, () => {
    for (const cart of profile.requests) assert.deepEqual(request.defects(cart), []);
    assert.equal(new Set(bodiesOf(profile)).size, profile.requests.length);
  });

  test(`the shop of ${profile.name} is sound`, () => {
    const conditions = profile.config.methods
      .flatMap(({ rules }) => rules)
      .flatMap((rule) => rule.conditions);
    for (const condition of conditions) assert.equal(findConditionDefect(condition), null);
    const ids = profile.config.methods.flatMap(({ id, rules }) => [id, ...rules.map((rule) => rule.id)]);
    assert.equal(new Set(ids).size, ids.length);
  });
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

test('small and typical are as large as their names promise', () => {
  const rulesPerAnswer = (profile: Profile): number[] =>
    answersOf(profile).map(({ methodEvaluations }) =>
      methodEvaluations.reduce((rules, { ruleTraces }) => rules + ruleTraces.length, 0),
    );
  assert.deepEqual([...new Set(rulesPerAnswer(makeSmall()))], [4]);
  assert.deepEqual([...new Set(rulesPerAnswer(makeTypical()))], [24]);
  assert.deepEqual([...new Set(rulesPerAnswer(makeTypical(16)))], [96]);
  for (const profile of [makeSmall(), makeTypical()]) {
    assert.ok(answersOf(profile).every(({ methodEvaluations }) => methodEvaluations.length === 6));
    assert.ok(mean(bodiesOf(profile).map((body) => body.length)) < 900);
  }
});

test('of the rules of typical some match, some do not, and some report items', () => {
  const traces = answersOf(makeTypical())
    .flatMap(({ methodEvaluations }) => methodEvaluations)
    .flatMap(({ ruleTraces }) => ruleTraces);
  const share = (isMatch: (trace: (typeof traces)[number]) => boolean): number =>
    traces.filter(isMatch).length / traces.length;
  const matched = share((trace) => trace.matched);
  const reporting = share((trace) => (trace.matchedItems?.length ?? 0) > 0);
  assert.ok(matched > 0.1 && matched < 0.6, `${matched}`);
  assert.ok(reporting > 0.1 && reporting < 0.6, `${reporting}`);
});

test('half of the carts of postal or more go to a listed place', () => {
  const found = answersOf(makePostal(5_000)).filter(({ zone }) => zone?.subzone != null).length;
  assert.ok(found >= 200 && found < 500, `${found}`);
});

test('methods in other zones change no answer', () => {
  const typical = makeTypical();
  const wide = { ...typical, config: withOtherMethods(typical.config, 120) };
  assert.equal(wide.config.methods.length, typical.config.methods.length + 120);
  assert.deepEqual(answersOf(wide), answersOf(typical));
});

test('a profile is the same in every run', () => {
  assert.deepEqual(makeTypical(), makeTypical());
  assert.deepEqual(makePostal(1_000), makePostal(1_000));
});
