/** The cache of a zone: bounded, cleared when it is full, and clearing it compiles no method again. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CompiledShop, compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import type { PlannedMethod } from '../../../src/engine/compile/compiled-zone.ts';
import { CACHE_CHARACTERS_MAX } from '../../../src/engine/compile/compiled-zone.ts';
import type { ShippingMethod } from '../../../src/engine/domain/shipping-method.ts';
import { evaluate } from '../../../src/engine/evaluate/evaluate.ts';
import { assertSameAnswer } from '../../support/same-answer.ts';
import {
  cart,
  condition,
  FLAT,
  item,
  method,
  NOW_MS,
  rule,
  SETTINGS,
  shop,
} from '../../support/small-shop.ts';

const ASKED = { request: cart(item()), nowMs: NOW_MS };
/** Characters of each name; the cache holds three times as many for a method at one price. */
const LONG = CACHE_CHARACTERS_MAX / 64;

/** A method with long texts by price, and short ones by outcome. */
const wordy = (id: string, price = 0): ShippingMethod =>
  method(id, FLAT(price), { name: 'n'.repeat(LONG), rules: [rule(`rule_${id}`, 'free')] });

const edited = (methods: readonly ShippingMethod[], at: number, round: number): readonly ShippingMethod[] =>
  methods.map((one, index) => (index === at ? { ...one, name: `${one.name.slice(0, LONG)}${round}` } : one));

const plannedIn = (compiled: CompiledShop): readonly PlannedMethod[] =>
  [...(compiled.placeOf({ country: 'US' })?.plan.groups.values() ?? [])].flatMap(({ methods }) => methods);

/** Cached outcomes and prices of the methods in force. */
const cachedIn = (compiled: CompiledShop): number =>
  plannedIn(compiled).reduce(
    (sum, { method: { outcomes, pricedTexts } }) => sum + outcomes.size + pricedTexts.size,
    0,
  );

const answer = (compiled: CompiledShop, request = ASKED.request) =>
  assert.ok(evaluate(compiled, request, NOW_MS).ok);

describe('the cache of a zone', () => {
  it('still serves an unchanged answer after edits that replaced many times its size', () => {
    let methods: readonly ShippingMethod[] = [wordy('method_a'), wordy('method_b')];
    let compiled = compileShop(shop(methods), SETTINGS);
    for (let round = 0; round < 100; round++) {
      methods = edited(methods, round % 2, round);
      compiled = compileShop(shop(methods), SETTINGS, compiled);
      answer(compiled);
      assert.equal(cachedIn(compiled), 2 * methods.length);
    }
    assertSameAnswer(compiled, ASKED);
  });

  it('is cleared when it is full, so that distinct carts do not occupy it permanently', () => {
    const priced = method(
      'method_a',
      { rateType: 'by_items', config: { firstItemPrice: 1, additionalItemPrice: 1 } },
      { name: 'n'.repeat(LONG) },
    );
    const compiled = compileShop(shop([priced]), SETTINGS);
    const counts = Array.from({ length: 100 }, (_, at) => {
      answer(compiled, cart(item({ quantity: at + 1 })));
      const [first] = plannedIn(compiled);
      const texts = [...(first?.method.pricedTexts.values() ?? [])];
      const characters = texts.reduce((sum, { rateJson, shown }) => sum + rateJson.length + shown.length, 0);
      assert.ok(characters <= CACHE_CHARACTERS_MAX + 4 * LONG, `${characters} characters`);
      return texts.length;
    });
    assert.ok(
      counts.some((count, at) => count < (counts[at - 1] ?? 0)),
      'it was never emptied',
    );
    assert.equal(counts.filter((count) => count === 0).length, 0);
    assertSameAnswer(compiled, ASKED);
  });

  it('may be too small for one answer, and then no method is compiled again', () => {
    const methods = Array.from({ length: 48 }, (_, at) => wordy(`method_${at}`, at));
    const before = compileShop(shop(methods), SETTINGS);
    answer(before);
    const planned = plannedIn(before);
    answer(before);
    assert.deepEqual(plannedIn(before), planned);
    const after = compileShop(shop(edited(methods, 7, 0)), SETTINGS, before);
    const same = plannedIn(after).filter(({ method: one }, at) => one === planned[at]?.method);
    assert.equal(same.length, methods.length - 1);
    assertSameAnswer(after, ASKED);
  });
});

it('a zone whose rules are edited again and again does not keep the predicates of all old rules', () => {
  let compiled: CompiledShop | undefined;
  for (let round = 0; round < 5_000; round++) {
    const hide = rule('rule_a', 'hide', { conditions: [condition('cart_total', 'greater_than', round)] });
    compiled = compileShop(shop([method('method_a', FLAT(1), { rules: [hide] })]), SETTINGS, compiled);
    answer(compiled);
    assert.ok((compiled.zoneOf('US')?.predicates.length ?? 0) <= 1_100);
  }
  assert.ok(compiled !== undefined);
  assertSameAnswer(compiled, ASKED);
});
