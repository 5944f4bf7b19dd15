/**
 * Caches and reuse change no byte of an answer: every combination of a shop compiled anew or from its predecessor, with and
 * without caches, answering for the first and the second time. evaluate.property.test.ts compares with the reference.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type CompiledShop, compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import { evaluate } from '../../../src/engine/evaluate/evaluate.ts';
import { type ShopForm, shopEdits } from '../../support/arbitrary/edits.ts';
import { assertSameAnswer } from '../../support/same-answer.ts';
import { type ShopCart, shopCase, simulationSettings } from '../../support/shop-arbitraries.ts';
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

const SHOPS = Number(process.env['RATEWRIGHT_SHOPS'] ?? 500) / 10;
const CARTS_PER_SHOP = 10;
const EDITS_MAX = 4;

/** Turns off the caches of the zone of this country. */
function keepNothing(compiled: CompiledShop, country: string): void {
  const zone = compiled.zoneOf(country);
  if (zone !== null) zone.cache.keep = () => {};
}

const textOf = (compiled: CompiledShop, { request, nowMs }: ShopCart): string => {
  const outcome = evaluate(compiled, request, nowMs);
  return outcome.ok ? outcome.value : `${outcome.code} ${outcome.message}`;
};

/** The shop of `form`, compiled anew and from `before`, with and without caches. */
function compiledForms(before: ShopForm, form: ShopForm, carts: readonly ShopCart[]): CompiledShop[] {
  return [false, true].flatMap((isCarried) =>
    [false, true].map((isKeeping) => {
      const earlier = compileShop(before.config, before.settings);
      if (isCarried) for (const asked of carts) textOf(earlier, asked);
      const compiled = compileShop(form.config, form.settings, isCarried ? earlier : undefined);
      if (!isKeeping) for (const { request } of carts) keepNothing(compiled, request.destination.country);
      return compiled;
    }),
  );
}

describe('an answer is the same to the byte', () => {
  it(`whether it is compiled anew or from a predecessor, cached or not, given once or twice, for ${SHOPS} shops with ${CARTS_PER_SHOP} carts`, () => {
    const property = fc.property(
      shopCase(CARTS_PER_SHOP),
      shopEdits(simulationSettings, EDITS_MAX),
      ({ config, settings, carts }, edits) => {
        const before = { config, settings };
        const form = edits.reduce<ShopForm>((edited, edit) => edit(edited), before);
        const forms = compiledForms(before, form, carts);
        for (const asked of carts) {
          const texts = forms.flatMap((compiled) => [textOf(compiled, asked), textOf(compiled, asked)]);
          assert.deepEqual(new Set(texts).size, 1, [...new Set(texts)].join('\n'));
        }
      },
    );
    fc.assert(property, { numRuns: SHOPS, unbiased: true, includeErrorInReport: true });
  });

  it('where a zone may keep no more, a rule compares with many texts, and names are long', () => {
    const long = 'n'.repeat(100);
    const skus = Array.from({ length: 40 }, (_, index) => `sku-${index}`);
    const hide = rule(`rule_${long}`, 'hide', {
      conditions: [condition('product_sku', 'equals', skus.join(','))],
    });
    const config = shop([method(`method_${long}`, FLAT(500), { name: long, rules: [hide] })]);
    const kept = compileShop(config, SETTINGS);
    const bare = compileShop(config, SETTINGS);
    keepNothing(bare, 'US');
    for (const sku of [...skus, 'other', 'sku-4', long]) {
      const asked = { request: cart(item({ sku })), nowMs: NOW_MS };
      assertSameAnswer(kept, asked);
      assert.equal(textOf(bare, asked), textOf(kept, asked));
    }
  });
});
