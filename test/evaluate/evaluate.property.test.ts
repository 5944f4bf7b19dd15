/**
 * The compiled evaluator against the reference on random shops and carts: the whole answer, traces and
 * the order of its fields included, and the status of what is refused. The reference has no trie, no index, no pool,
 * nothing compiled and nothing kept. The long form: `RATEWRIGHT_SHOPS=100000 npm test -- evaluate.property`.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../src/compile/compiled-shop.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { shopEdits } from '../support/arbitrary/edits.ts';
import { assertSameAnswer } from '../support/same-answer.ts';
import { shopCase, simulationSettings } from '../support/shop-arbitraries.ts';

const SHOPS = Number(process.env['RATEWRIGHT_SHOPS'] ?? 5_000);
const CARTS_PER_SHOP = 20;
const EDITED_SHOPS = SHOPS / 4;
const EDITS_MAX = 8;
const CARTS_PER_EDIT = 5;

/** The shops are weighted by hand; the library's own bias towards small values would undo that. */
const options = (numRuns: number) => ({ numRuns, unbiased: true, includeErrorInReport: true });

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
    fc.assert(property, options(SHOPS));
    assert.ok(pairs >= 5 * SHOPS, `${pairs} pairs`);
  });

  it('gives the same answer whatever it was asked before', () => {
    const property = fc.property(shopCase(CARTS_PER_SHOP), ({ config, settings, carts }) => {
      const shop = compileShop(config, settings);
      const first = carts.map(({ request, nowMs }) => evaluate(shop, request, nowMs));
      for (const [index, { request, nowMs }] of [...carts.entries()].reverse()) {
        assert.deepEqual(evaluate(shop, request, nowMs), first[index]);
        assert.deepEqual(evaluate(compileShop(config, settings), request, nowMs), first[index]);
      }
    });
    fc.assert(property, options(200));
  });
});

describe('a shop that is compiled from the one before', () => {
  it('answers like one compiled afresh after each of many edits, and the one before stays as it was', () => {
    const property = fc.property(
      shopCase(CARTS_PER_EDIT),
      shopEdits(simulationSettings, EDITS_MAX),
      ({ config, settings, carts }, edits) => {
        let form = { config, settings };
        let shop = compileShop(config, settings);
        for (const cart of carts) assertSameAnswer(shop, cart);
        for (const [index, edit] of edits.entries()) {
          form = edit(form);
          const next = compileShop(form.config, form.settings, shop);
          // Not every version is asked: what is carried over must survive a version that was never used.
          if (index % 3 !== 1) for (const cart of carts) assertSameAnswer(next, cart);
          for (const cart of carts.slice(0, 2)) assertSameAnswer(shop, cart);
          shop = next;
        }
        for (const cart of carts) assertSameAnswer(shop, cart);
      },
    );
    fc.assert(property, options(EDITED_SHOPS));
  });
});
