/** Codes and texts that people and wallets write in other ways than merchants do (contract section 12.5). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ShopifyRequest, simulateRequestOf } from '../../../src/engine/carriers/shopify-request.ts';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { Condition } from '../../../src/engine/domain/condition.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import { evaluate } from '../../../src/engine/evaluate/evaluate.ts';
import type { SimulateAnswer } from '../../../src/engine/wire/answer.ts';
import { assertSameAnswer } from '../../support/same-answer.ts';
import {
  cart,
  condition,
  FLAT,
  group,
  item,
  method,
  NOW_MS,
  rule,
  SETTINGS,
  shop,
} from '../../support/small-shop.ts';

const ZONE_PRICE = 500;
const SUBZONE_PRICE = 900;

/** The price of the only rate, undefined without one; asserts that the reference gives the same answer. */
function priceOf(config: ShopConfig, request: SimulateRequest): number | undefined {
  const compiled = compileShop(config, SETTINGS);
  assertSameAnswer(compiled, { request, nowMs: NOW_MS });
  const outcome = evaluate(compiled, request, NOW_MS);
  assert.ok(outcome.ok);
  return (JSON.parse(outcome.value) as SimulateAnswer).rates[0]?.totalPrice;
}

/** The zone's price is 500, that of its subzone with these patterns 900. */
const shopWith = (postalCodes: string): ShopConfig =>
  shop([method('plain', FLAT(ZONE_PRICE)), method('special', FLAT(SUBZONE_PRICE), { zoneId: 'sub' })], {
    zones: [
      { id: 'zone', name: 'Zone', countries: ['*'], subzones: [{ id: 'sub', name: 'Sub', postalCodes }] },
    ],
  });

const to = (destination: SimulateRequest['destination']): SimulateRequest => ({
  ...cart(item()),
  destination,
});

/** Asserts which codes of a country get the price of the subzone; all others get that of the zone. */
function assertCodes(
  country: string,
  postalCodes: string,
  inside: readonly string[],
  outside: readonly string[] = [],
): void {
  const config = shopWith(postalCodes);
  for (const postalCode of inside)
    assert.equal(priceOf(config, to({ country, postalCode })), SUBZONE_PRICE, JSON.stringify(postalCode));
  for (const postalCode of outside)
    assert.equal(priceOf(config, to({ country, postalCode })), ZONE_PRICE, JSON.stringify(postalCode));
}

describe('a postal code', () => {
  it('of a British district alone gets the price of its subzone, as wallets send it before payment', () => {
    assertCodes('GB', 'BN1 *', ['BN1', 'BN1 ', 'bn1', 'BN1 1AA'], ['BN15', 'BN15 9XX', 'BN2']);
    assertCodes('GB', 'BN15*', ['BN15', 'BN15 9XX'], ['BN1', 'BN1 ', 'BN1 1AA']);
    assertCodes('JE', 'JE2 *', ['JE2', 'JE2 3AB'], ['JE3']);
  });

  it('of a British district alone gets it in a Shopify callback too', () => {
    const config = shopWith('E1 *');
    for (const [postal_code, price] of [
      ['E1', SUBZONE_PRICE],
      ['E16', ZONE_PRICE],
    ] as const) {
      const callback = {
        rate: {
          destination: { country: 'GB', postal_code },
          items: [{ quantity: 1, grams: 100, price: 1_000 }],
        },
      };
      const outcome = simulateRequestOf(callback as ShopifyRequest, 'USD');
      assert.ok(outcome.ok && outcome.value !== null);
      assert.equal(priceOf(config, outcome.value), price, postal_code);
    }
  });

  it('is in a range of British districts', () => {
    const inside = ['IV1 1AA', 'IV1', 'IV28', 'IV28 3XX', 'IV1A 1AA', 'iv9'];
    assertCodes('GB', 'IV1-IV28', inside, ['IV29', 'IV30 1AA', 'IV', 'KW1 1AA']);
  });

  it('is in a Dutch range with its letters and without them', () => {
    assertCodes('NL', '1000-1099', ['1012 AB', '1012ab', '1012'], ['1100 AA', '101', '']);
    assertCodes('BE', '1000-1099', ['1012'], ['1012 AB']);
  });

  it('is in a Japanese subzone with any digits, dash and postal mark', () => {
    const spellings = [
      '９００−０００１',
      '〒900-0001',
      '900\u20110001',
      '900\u20130001',
      '900\u30fc0001',
      '900 0001',
    ];
    assertCodes('JP', '900*', spellings, ['１００−０００１']);
    assertCodes('JP', '〒９００－０００１', spellings);
  });

  it('of nine digits counts as five in the territories of the US', () => {
    assertCodes('PR', '00901', ['00901-1234', '009011234', '00901']);
    assertCodes('GU', '96913', ['96913-0001']);
    for (const country of ['VI', 'AS', 'MP', 'FM', 'MH', 'PW'])
      assertCodes(country, '96799', ['96799-1234'], ['967991']);
  });

  it('may hold characters that do not print', () => {
    assertCodes('US', '90210', ['9\u200b0210', '\u200e90210', '902\u00ad10', '\ufeff90210\u200f']);
    assertCodes('US', '902\u200b10', ['90210']);
  });
});

/** The method is hidden where the condition matches. */
const hiddenBy = (hides: Condition): ShopConfig =>
  shop([method('plain', FLAT(ZONE_PRICE), { rules: [rule('hide', 'hide', { conditions: [hides] })] })]);

/** Asserts on which destinations the condition matches. */
function assertHidden(
  hides: Condition,
  hidden: readonly Partial<SimulateRequest['destination']>[],
  shown: readonly Partial<SimulateRequest['destination']>[],
): void {
  const config = hiddenBy(hides);
  for (const fields of hidden)
    assert.equal(priceOf(config, to({ country: 'US', ...fields })), undefined, JSON.stringify(fields));
  for (const fields of shown)
    assert.equal(priceOf(config, to({ country: 'US', ...fields })), ZONE_PRICE, JSON.stringify(fields));
}

describe('a text', () => {
  const addresses = (...lines: readonly string[]) => lines.map((address1) => ({ address1 }));

  it('has one space for any white space', () => {
    const written = ['PO Box 12', 'PO  Box 12', 'PO\u00a0Box 12', 'PO\tBox 12', 'po \u3000\n box'];
    for (const value of ['po box', 'po  box', 'PO\u00a0BOX', 'po\tbox'])
      assertHidden(
        condition('destination_address', 'contains', value),
        addresses(...written),
        addresses('POBox 12'),
      );
  });

  it('is the same composed and decomposed, wherever the mark stands', () => {
    const cities = (...names: readonly string[]) => names.map((city) => ({ city }));
    for (const value of ['Élan', 'E\u0301lan'])
      for (const operator of ['equals', 'starts_with', 'contains'] as const)
        assertHidden(
          condition('destination_city', operator, value),
          cities('Élan', 'e\u0301lan', 'E\u0301LAN'),
          cities('Elan', ''),
        );
    assertHidden(condition('destination_city', 'equals', 'São Paulo'), cities('Sa\u0303o  Paulo'), []);
  });

  it('of tags and product groups is compared in the same way', () => {
    const tagged = (tag: string) => ({ ...cart(item({ properties: { tag } })) });
    const config = hiddenBy(condition('product_tag', 'equals', 'élan vital'));
    assert.equal(priceOf(config, tagged('x, E\u0301lan\u00a0 vital')), undefined);
    assert.equal(priceOf(config, tagged('Elan vital')), ZONE_PRICE);
    const groups = [group('listed', { tags: ['ÉLAN\tvital'] }), group('default', { isDefault: true })];
    const methods = [
      method('special', FLAT(SUBZONE_PRICE), { productGroupId: 'listed' }),
      method('plain', FLAT(ZONE_PRICE)),
    ];
    const grouped = shop(methods, { productGroups: groups });
    assert.equal(priceOf(grouped, tagged('e\u0301lan  vital')), SUBZONE_PRICE);
    assert.equal(priceOf(grouped, tagged('elan vital')), ZONE_PRICE);
  });
});
