/**
 * The compiled evaluator against the reference on random shops and carts: the whole answer, traces and
 * the order of its fields included, and the status of what is refused.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../src/compile/compiled-shop.ts';
import { assertSameAnswer } from '../support/same-answer.ts';
import { shopCase } from '../support/shop-arbitraries.ts';

const SHOPS = 5_000;
const CARTS_PER_SHOP = 20;

describe('the compiled evaluator', () => {
  it(`gives the answer of the reference for ${SHOPS * CARTS_PER_SHOP} random pairs of shop and cart`, () => {
    let pairs = 0;
    const property = fc.property(shopCase(CARTS_PER_SHOP), ({ config, settings, carts }) => {
      const shop = compileShop(config, settings);
      for (const cart of carts) {
        assertSameAnswer(shop, cart);
        pairs++;
      }
    });
    fc.assert(property, { numRuns: SHOPS, unbiased: true });
    assert.ok(pairs >= 20_000, `${pairs} pairs`);
  });
});
