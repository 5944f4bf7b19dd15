/**
 * The compiled evaluator against the reference on random shops and carts: the whole answer, traces and
 * the order of its fields included, and the status of refusals. The reference has no index, no cache and no compiled
 * form. The long form, 100,000,000 pairs: `RATEWRIGHT_SHOPS=500000 RATEWRIGHT_CARTS=200 npm test -- evaluate.property`.
 * It runs in rounds of 5,000 shops; each round increases the seed by one. To repeat a failed round, give its
 * `RATEWRIGHT_SEED`, the same number of carts and 5,000 shops.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type CompiledShop, compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import { evaluate } from '../../../src/engine/evaluate/evaluate.ts';
import { shopEdits } from '../../support/arbitrary/edits.ts';
import { assertSameAnswer } from '../../support/same-answer.ts';
import { type ShopCart, shopCase, simulationSettings } from '../../support/shop-arbitraries.ts';

const SHOPS = Number(process.env['RATEWRIGHT_SHOPS'] ?? 200);
const CARTS_PER_SHOP = 20;
/** Further carts, combined from parts of the random ones. */
const MIXED_PER_SHOP = Number(process.env['RATEWRIGHT_CARTS'] ?? 80) - CARTS_PER_SHOP;
const SEED = Number(process.env['RATEWRIGHT_SEED'] ?? Date.now() % 1_000_000_000);
const SHOPS_PER_ROUND = 5_000;
const EDITED_SHOPS = Math.ceil(SHOPS / 8);
/** Shops that are compiled anew for each cart. */
const REPEATED_SHOPS = Math.min(SHOPS / 5, 2_000);
const EDITS_MAX = 8;
const CARTS_PER_EDIT = 5;

/** The shops are weighted by hand; the library's own bias towards small values would undo that. */
const options = (numRuns: number) => ({ numRuns, unbiased: true, includeErrorInReport: true });

/** In the long form each round prints a line, so that a run that is stopped shows its progress. */
function assertInRounds<T>(property: fc.IProperty<T>, shops: number, pairs: () => number): void {
  for (let done = 0; done < shops; done += SHOPS_PER_ROUND) {
    const seed = SEED + done / SHOPS_PER_ROUND;
    fc.assert(property, { ...options(Math.min(SHOPS_PER_ROUND, shops - done)), seed });
    if (SHOPS > SHOPS_PER_ROUND)
      process.stderr.write(`seeds ${SEED} to ${seed}: ${pairs()} pairs, 0 differ\n`);
  }
}

const summary = (pairs: number, shops: number) => `seed ${SEED}: ${pairs} pairs of ${shops} shops, 0 differ`;

describe('the compiled evaluator', () => {
  const cartsPerShop = CARTS_PER_SHOP + MIXED_PER_SHOP;
  it(`gives the answer of the reference for ${SHOPS * cartsPerShop} random pairs of shop and cart`, (context) => {
    let pairs = 0;
    const property = fc.property(
      shopCase(CARTS_PER_SHOP, MIXED_PER_SHOP),
      ({ config, settings, carts, mixed }) => {
        const shop = compileShop(config, settings);
        for (const cart of [...carts, ...mixed]) {
          assertSameAnswer(shop, cart);
          pairs++;
        }
      },
    );
    assertInRounds(property, SHOPS, () => pairs);
    assert.ok(pairs >= cartsPerShop * SHOPS, `${pairs} pairs`);
    context.diagnostic(summary(pairs, SHOPS));
  });

  it('gives the same answer whatever it answered before', () => {
    const property = fc.property(shopCase(CARTS_PER_SHOP), ({ config, settings, carts }) => {
      const shop = compileShop(config, settings);
      const first = carts.map(({ request, nowMs }) => evaluate(shop, request, nowMs));
      for (const [index, { request, nowMs }] of [...carts.entries()].reverse()) {
        assert.deepEqual(evaluate(shop, request, nowMs), first[index]);
        assert.deepEqual(evaluate(compileShop(config, settings), request, nowMs), first[index]);
      }
    });
    fc.assert(property, options(REPEATED_SHOPS));
  });
});

describe('a shop that is compiled from its predecessor', () => {
  it('answers like a shop compiled from nothing after each of many edits, and its predecessor stays as it was', (context) => {
    let pairs = 0;
    const assertSame = (shop: CompiledShop, carts: readonly ShopCart[]) => {
      for (const cart of carts) assertSameAnswer(shop, cart);
      pairs += carts.length;
    };
    const property = fc.property(
      shopCase(CARTS_PER_EDIT),
      shopEdits(simulationSettings, EDITS_MAX),
      ({ config, settings, carts }, edits) => {
        let form = { config, settings };
        let shop = compileShop(config, settings);
        assertSame(shop, carts);
        for (const [index, edit] of edits.entries()) {
          form = edit(form);
          const next = compileShop(form.config, form.settings, shop);
          // Skips some versions: carried-over parts must survive a version that answered nothing.
          if (index % 3 !== 1) assertSame(next, carts);
          assertSame(shop, carts.slice(0, 2));
          shop = next;
        }
        assertSame(shop, carts);
      },
    );
    assertInRounds(property, EDITED_SHOPS, () => pairs);
    context.diagnostic(summary(pairs, EDITED_SHOPS));
  });
});
