/** Findings of the lint as the commands print them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingLines } from '../../../src/front/command-line/finding-text.ts';
import { paintNothing } from '../../../src/front/command-line/terminal.ts';

test('the cart of a finding shows all by which it differs from any other cart', () => {
  const witness = {
    request: {
      destination: { country: 'US', postalCode: '99501' },
      items: [
        { sku: 'A-1', quantity: 2, grams: 500, price: 2_000, properties: { tag: 'red,blue' } },
        { quantity: 1, grams: 0, price: 5, length: 300, width: 20, height: 0, requiresShipping: false },
        { quantity: 1, grams: 1, price: 1 },
        { quantity: 1, grams: 1, price: 1 },
      ],
      currency: 'EUR',
      customer: { id: '7', tags: ['vip', 'gold'] },
      orderTotals: { totalPrice: 0 },
    },
    at: '2026-01-07T20:00:00.000Z',
  };
  const record = { kind: 'method' as const, id: 'method_a', name: 'A' };
  const finding = { code: 'method_never_visible' as const, severity: 'error' as const, record };
  const warnings = [{ ...finding, message: 'A sentence.', witness }];
  assert.deepEqual(findingLines({ warnings, warningsOmitted: [] }, paintNothing), [
    'error (1)',
    '└─ method_never_visible: method A (method_a)',
    '   ├─ A sentence.',
    '   └─ shown by a cart to US, 99501: 2 x A-1, 500 g, 2000 cents, tags red,blue; 1 x any item, 0 g, 5 cents, 300 x 20 x 0 mm, not shipped; 1 x any item, 1 g, 1 cents; 1 more item; EUR; customer 7; customer tags vip, gold; order total 0 cents (2026-01-07T20:00:00.000Z)',
  ]);
});
