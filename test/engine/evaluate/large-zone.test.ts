/** A zone with unusually many methods, tests, items, sets of matched items and prices. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
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

const METHODS = 30;
const CONDITIONS_EACH = 10;

const hides = (at: number) =>
  rule(`rule_${at}`, 'hide', {
    conditions: Array.from({ length: CONDITIONS_EACH }, (_, each) => {
      const scope = each % 2 === 0 ? 'any_product_in_order' : 'all_products_in_group';
      return condition('product_sku', each === 0 ? 'equals' : 'starts_with', `s${at}-${each}`, scope);
    }),
  });

const config = shop(
  Array.from({ length: METHODS }, (_, at) =>
    method(`method_${at}`, FLAT(900 - ((at * 7) % METHODS)), { rules: [hides(at)] }),
  ),
);

it('hundreds of tests and dozens of visible methods get the answer of the reference, whatever was answered before', () => {
  const compiled = compileShop(config, SETTINGS);
  for (let round = 0; round < 2; round++) {
    for (const count of [1, 31, 32, 33, 70]) {
      const items = Array.from({ length: count }, (_, at) =>
        item({ sku: `S${at % METHODS}-${at % 3}`, name: `Item ${at}` }),
      );
      assertSameAnswer(compiled, { request: cart(...items), nowMs: NOW_MS });
    }
  }
});

it('a price that is too large to be exact refuses the whole request, not one method', () => {
  const most = Number.MAX_SAFE_INTEGER;
  const added = rule('rule_added', 'adjust_add', { adjustmentValue: 1, adjustmentType: 'flat' });
  const tooDear = compileShop(
    shop([method('method_a', FLAT(5)), method('method_b', FLAT(most), { rules: [added] })]),
    SETTINGS,
  );
  const outcome = evaluate(tooDear, cart(item({})), NOW_MS);
  assert.equal(outcome.ok, false);
  const dearest = compileShop(shop([method('method_b', FLAT(most))]), SETTINGS);
  assertSameAnswer(dearest, { request: cart(item({})), nowMs: NOW_MS });
});
