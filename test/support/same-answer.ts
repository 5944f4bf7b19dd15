/** Holds one answer of the compiled evaluator to the reference evaluator. */
import assert from 'node:assert/strict';
import type { CompiledShop } from '../../src/compile/compiled-shop.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { referenceSimulate } from './reference/simulate.ts';
import type { ShopCart } from './shop-arbitraries.ts';

const ASCII = /^[\x20-\x7e]*$/;

/** Same status and, for 200, the same JSON: every value, and the fields in the same order. The text is ASCII. */
export function assertSameAnswer(shop: CompiledShop, { request, nowMs }: ShopCart): void {
  const expected = referenceSimulate(shop.config, shop.settings, request, nowMs);
  const actual = evaluate(shop, request, nowMs);
  if (!actual.ok) {
    assert.equal(actual.code, 'VALIDATION_ERROR');
    assert.equal(expected.status, 400, `refused: ${actual.message}`);
    return;
  }
  const answer: unknown = JSON.parse(actual.value);
  assert.deepEqual({ status: 200, answer }, expected);
  assert.equal(JSON.stringify(answer), JSON.stringify(expected.status === 200 && expected.answer));
  assert.match(actual.value, ASCII);
}
