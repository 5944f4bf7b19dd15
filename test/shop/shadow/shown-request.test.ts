/** What a sample shows of a customer: the tags that a rule reads, so that the sample is answered as the cart was. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Customer } from '../../../src/engine/domain/cart.ts';
import { OPERATORS_BY_KIND, type Operator } from '../../../src/engine/domain/condition.ts';
import { fieldsRead, shownRequest } from '../../../src/shop/shadow/kept-request.ts';
import { referenceSimulate } from '../../support/reference/simulate.ts';
import { cart, FLAT, item, method, NOW_MS, rule, SETTINGS, shop } from '../../support/small-shop.ts';

const ofTags = (operator: Operator, value: string) =>
  shop([
    method('a', FLAT(500), {
      rules: [
        rule('r', 'hide', {
          conditions: [
            { conditionType: 'customer_tag', operator, value, scope: 'any_product_in_order' },
            {
              conditionType: 'customer_id',
              operator: 'not_equals',
              value: '7',
              scope: 'any_product_in_order',
            },
          ],
        }),
      ],
    }),
  ]);
const shownOf = (operator: Operator, value: string, customer: Customer | null) =>
  shownRequest({ ...cart(item()), customer }, fieldsRead([ofTags(operator, value)]))?.customer;

const TAGS = 'VIP, gold member, in arrears';

test('of the tags those are shown that a condition names, and nothing else of the customer', () => {
  const of = (operator: Operator, value: string) => shownOf(operator, value, { id: '8', tags: TAGS });
  assert.deepEqual(of('equals', 'vip, silver*'), { tags: ['VIP'] });
  assert.deepEqual(of('not_equals', 'gold*'), { tags: ['gold member'] });
  assert.deepEqual(of('contains', 'EMBER,nobody'), { tags: ['gold member'] });
  assert.equal(of('starts_with', 'x'), undefined);
  assert.deepEqual(of('is_empty', ''), { tags: ['VIP', 'gold member', 'in arrears'] });
  assert.deepEqual(shownOf('equals', 'a', { tags: ['a', 'a, b'] }), { tags: ['a'] });
  const none = fieldsRead([shop([method('a', FLAT(500))])]);
  assert.equal(
    'customer' in (shownRequest({ ...cart(item()), customer: { tags: TAGS } }, none) ?? {}),
    false,
  );
});

test('a sample is answered as its cart was, with every operator', () => {
  for (const operator of OPERATORS_BY_KIND.tags) {
    const value = operator.endsWith('_empty') ? '' : 'vip, mem';
    const config = ofTags(operator, value);
    for (const tags of [null, '', ' , ', 'vip', 'x', 'member', TAGS, ['vip, mem'], ['mem', 'x'], ['x-mem']]) {
      const request = { ...cart(item()), customer: { tags } };
      const shown = shownRequest(request, fieldsRead([config]));
      assert.ok(shown !== null);
      assert.deepEqual(
        referenceSimulate(config, SETTINGS, shown, NOW_MS),
        referenceSimulate(config, SETTINGS, request, NOW_MS),
        `${operator} ${JSON.stringify(tags)}`,
      );
    }
  }
});
