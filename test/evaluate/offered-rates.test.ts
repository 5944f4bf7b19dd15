/** What a customer is offered, taken from an evaluation, is what the answer to the request says. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compileShop } from '../../src/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../src/domain/cart.ts';
import { evaluate, evaluateCart, offeredOf, ratesJson } from '../../src/evaluate/evaluate.ts';
import type { SimulateAnswer } from '../../src/wire/answer.ts';
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
} from '../support/small-shop.ts';

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

it('rates come by price, without those that are hidden; a cart of several groups has its blended rates', () => {
  assert.deepEqual(offered(cart(item())), [
    ['cheap', 2],
    ['dear', 9],
  ]);
  assert.deepEqual(offered(cart(item(), item({ sku: 'b' }))), [['blend', 5]]);
  assert.deepEqual(offered(cart(item({ requiresShipping: false }))), []);
});
