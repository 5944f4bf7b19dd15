/** What a zone keeps of its answers: within a budget, which edits do not use up. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KEPT_CHARACTERS_MAX } from '../../src/compile/compiled-method.ts';
import { type CompiledShop, compileShop } from '../../src/compile/compiled-shop.ts';
import type { PlannedMethod } from '../../src/compile/compiled-zone.ts';
import type { ShippingMethod } from '../../src/domain/shipping-method.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { assertSameAnswer } from '../support/same-answer.ts';
import { cart, FLAT, item, method, NOW_MS, rule, SETTINGS, shop } from '../support/small-shop.ts';

const ASKED = { request: cart(item()), nowMs: NOW_MS };
/** Characters of each name here: a method keeps at one price three times as many. */
const LONG = KEPT_CHARACTERS_MAX / 64;

/** A method of which much is kept by price, and little by outcome. */
const wordy = (id: string, price = 0): ShippingMethod =>
  method(id, FLAT(price), { name: 'n'.repeat(LONG), rules: [rule(`rule_${id}`, 'free')] });

const edited = (methods: readonly ShippingMethod[], at: number, round: number): readonly ShippingMethod[] =>
  methods.map((one, index) => (index === at ? { ...one, name: `${one.name.slice(0, LONG)}${round}` } : one));

/** The planned methods, and how many outcomes and prices are kept of them altogether. */
function kept(compiled: CompiledShop): {
  readonly planned: readonly PlannedMethod[];
  readonly count: number;
} {
  const plan = compiled.zoneOf('US')?.match('us', '').plan;
  const planned = [...(plan?.groups.values() ?? [])].flatMap(({ methods }) => methods);
  const count = planned.reduce(
    (sum, { method: { outcomes, pricedTexts } }) => sum + outcomes.size + pricedTexts.size,
    0,
  );
  return { planned, count };
}

const charactersLeft = (compiled: CompiledShop): number => compiled.zoneOf('US')?.keeping.charactersLeft ?? 0;

describe('what a zone keeps of its answers', () => {
  it('is kept still after edits that replaced many times as much as may be kept', () => {
    let methods: readonly ShippingMethod[] = [wordy('method_a'), wordy('method_b')];
    let compiled = compileShop(shop(methods), SETTINGS);
    let unkept = 0;
    for (let round = 0; round < 100; round++) {
      methods = edited(methods, round % 2, round);
      compiled = compileShop(shop(methods), SETTINGS, compiled);
      assert.ok(evaluate(compiled, ASKED.request, NOW_MS).ok);
      if (kept(compiled).count < 2 * methods.length) unkept++;
      assert.ok(charactersLeft(compiled) >= 0);
    }
    assert.equal(unkept, 0);
    assertSameAnswer(compiled, ASKED);
  });

  it('is kept also while a changeset is edited, answered and dropped again and again', () => {
    const methods = [wordy('method_a'), wordy('method_b')];
    let live = compileShop(shop(methods), SETTINGS);
    assert.ok(evaluate(live, ASKED.request, NOW_MS).ok);
    for (let round = 0; round < 50; round++) {
      const staged = compileShop(shop(edited(methods, 1, round)), SETTINGS, live);
      assert.ok(evaluate(staged, ASKED.request, NOW_MS).ok);
    }
    live = compileShop(shop(edited(methods, 0, 0)), SETTINGS, live);
    assert.ok(evaluate(live, ASKED.request, NOW_MS).ok);
    assert.equal(kept(live).count, 2 * methods.length);
  });

  it('is bounded where the methods in force have more to say, and none of them is compiled anew for it', () => {
    const methods = Array.from({ length: 48 }, (_, at) => wordy(`method_${at}`, at));
    const before = compileShop(shop(methods), SETTINGS);
    assert.ok(evaluate(before, ASKED.request, NOW_MS).ok);
    assert.ok(kept(before).count < 2 * methods.length);
    assert.ok(charactersLeft(before) >= 0);
    const after = compileShop(shop(edited(methods, 7, 0)), SETTINGS, before);
    const same = kept(after).planned.filter(
      ({ method: one }, at) => one === kept(before).planned[at]?.method,
    );
    assert.equal(same.length, methods.length - 1);
    assertSameAnswer(after, ASKED);
  });

  it('is begun anew there when a quarter of them was edited, with every method compiled once more', () => {
    let methods: readonly ShippingMethod[] = Array.from({ length: 48 }, (_, at) => wordy(`method_${at}`, at));
    // What is not in force is not compiled, and counts for nothing.
    methods = [...methods, ...methods.map((one) => ({ ...one, id: `off_${one.id}`, enabled: false }))];
    let compiled = compileShop(shop(methods), SETTINGS);
    const renewed: number[] = [];
    for (let round = 1; round <= 24; round++) {
      assert.ok(evaluate(compiled, ASKED.request, NOW_MS).ok);
      methods = edited(methods, round, round);
      const before = kept(compiled).planned;
      compiled = compileShop(shop(methods), SETTINGS, compiled);
      if (kept(compiled).planned[0]?.method !== before[0]?.method) renewed.push(round);
    }
    assert.deepEqual(renewed, [13]);
  });
});
