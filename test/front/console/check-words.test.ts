/** What a check expects and why that is not met, in the words of a merchant. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Expectation } from '../../../src/front/console/checks/check-kind.ts';
import { expectationText, reasonText } from '../../../src/front/console/checks/check-words.ts';

const nameOf = (code: string): string => ({ slow: 'Economy', 'next day': 'Overnight' })[code] ?? code;

test('each expectation is a text with the names of rates', () => {
  const texts: readonly Expectation[] = [
    { kind: 'some_rate' },
    { kind: 'rates', rates: [] },
    { kind: 'rates', rates: [{ serviceCode: 'slow', totalPrice: 495 }] },
    { kind: 'rate', serviceCode: 'gone', totalPrice: 0 },
    { kind: 'rate_between', serviceCode: 'slow', minPrice: 100, maxPrice: 200 },
    { kind: 'no_rate', serviceCode: 'next day' },
    { kind: 'delivery', serviceCode: 'slow', minDate: '+2', maxDate: '2026-12-24' },
    { kind: 'delivery', serviceCode: 'slow' },
  ];
  assert.deepEqual(
    texts.map((expectation) => expectationText(expectation, nameOf, 'USD')),
    [
      'any rate',
      'no rate',
      'Economy $4.95',
      'gone $0.00',
      'Economy $1.00 to $2.00',
      'no Overnight',
      'Economy delivered from day 2 until 2026-12-24',
      'Economy delivered on a known date',
    ],
  );
});

test('a reason of the service names rates by name and has no ids', () => {
  const reasons = [
    ['slow costs 8.95 USD (895), instead of 7.95 USD (795).', 'Economy costs $8.95, instead of $7.95.'],
    ['slow costs 500 JPY, instead of 400 JPY.', 'Economy costs 500 JPY, instead of 400 JPY.'],
    [
      'next day is not offered: rule "Heavy" (rule_1) hides "Overnight".',
      'Overnight is not offered: rule "Heavy" hides "Overnight".',
    ],
    [
      'No rate is offered: rule rule_2 hides "It costs (much)".',
      'No rate is offered: a rule hides "It costs (much)".',
    ],
  ] as const;
  for (const [reason, text] of reasons) assert.equal(reasonText(reason, nameOf), text);
});
