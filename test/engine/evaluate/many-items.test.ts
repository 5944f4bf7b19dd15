/** Carts with more items than a word of a mask holds: rules with the same tests share one text of matched items. */
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import type { Condition } from '../../../src/engine/domain/condition.ts';
import { assertSameAnswer } from '../../support/same-answer.ts';
import * as small from '../../support/small-shop.ts';
import { cart, FLAT, group, item, method, NOW_MS, rule, SETTINGS, shop } from '../../support/small-shop.ts';

const SHOPS = 60;

const condition = fc.record<Condition>({
  conditionType: fc.constant('product_sku'),
  operator: fc.constantFrom('equals', 'not_equals'),
  value: fc.constantFrom('a', 'b'),
  scope: fc.constantFrom(
    'any_product_in_order',
    'any_product_in_group',
    'all_products_in_group',
    'no_product_in_group',
  ),
});

/** So many tests that the key of a list exceeds 2^53, where lists that differ only in the last test get the same key. */
const BEFORE = Array.from({ length: 8 }, (_, at) => small.condition('product_sku', 'starts_with', `x${at}`));
// Few different conditions, so that rules of both groups share some.
const conditions = fc.oneof(
  fc.array(condition, { minLength: 1, maxLength: 2 }),
  condition.map((last) => [...BEFORE, last]),
);

const methodOf = fc.record({
  productGroupId: fc.constantFrom('default', 'heavy'),
  rules: fc.array(conditions, { minLength: 1, maxLength: 4 }),
});
const items = fc.array(
  fc.record({ sku: fc.constantFrom('A', 'B', 'C'), vendor: fc.constantFrom('heavy', 'light') }),
  { minLength: 33, maxLength: 100 },
);

const groups = [group('default', { isDefault: true }), group('heavy', { vendors: ['heavy'] })];

describe('a cart of many items', () => {
  it(`gets the answer of the reference, with rules on the same items, in ${SHOPS} shops`, () => {
    const property = fc.property(
      fc.array(methodOf, { minLength: 1, maxLength: 6 }),
      fc.array(items, { minLength: 1, maxLength: 3 }),
      (methods, carts) => {
        const config = shop(
          methods.map(({ productGroupId, rules }, at) =>
            method(`method_${at}`, FLAT(at), {
              productGroupId,
              rules: rules.map((of, each) => rule(`rule_${at}_${each}`, 'hide', { conditions: of })),
            }),
          ),
          { productGroups: groups },
        );
        const compiled = compileShop(config, SETTINGS);
        for (const of of carts) {
          assertSameAnswer(compiled, { request: cart(...of.map((fields) => item(fields))), nowMs: NOW_MS });
        }
      },
    );
    fc.assert(property, { numRuns: SHOPS, includeErrorInReport: true });
  });
});
