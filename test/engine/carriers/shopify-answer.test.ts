import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shopifyAnswerOf } from '../../../src/engine/carriers/shopify-answer.ts';

const rate = (serviceName: string, serviceCode: string, totalPrice = 1, currency = 'USD') => ({
  serviceName,
  serviceCode,
  totalPrice,
  currency,
  description: '',
});
type Offered = ReturnType<typeof rate>;
const codesOf = (rates: readonly Offered[]) =>
  Object.fromEntries(
    shopifyAnswerOf(rates, 'UTC').rates.map((each) => [each.service_name, each.service_code]),
  );

test('amounts are decimal texts, exact up to the largest', () => {
  const priceOf = (cents: number, currency: string) =>
    shopifyAnswerOf([rate('A', 'a', cents, currency)], 'UTC').rates[0]?.total_price;
  assert.equal(priceOf(1295, 'USD'), '1295');
  assert.equal(priceOf(1295, 'JPY'), '129500');
  assert.equal(priceOf(0, 'JPY'), '0');
  assert.equal(priceOf(0, 'EUR'), '0');
  assert.equal(priceOf(Number.MAX_SAFE_INTEGER, 'KRW'), '900719925474099100');
});

test('rates with the same code get different codes, which do not depend on prices', () => {
  const codes = { Economy: 'post', Express: 'post-3', Standard: 'post-2-2', Taken: 'post-2' };
  const offered = [
    rate('Standard', 'post-2', 1),
    rate('Express', 'post', 2),
    rate('Economy', 'post', 3),
    rate('Taken', 'post-2', 4),
  ];
  const [a, b, c, d] = offered;
  const { Standard, Taken, ...rest } = codesOf(offered);
  assert.deepEqual(rest, { Economy: codes.Economy, Express: codes.Express });
  assert.deepEqual([Standard, Taken].sort(), ['post-2', 'post-2-2']);
  assert.ok(a !== undefined && b !== undefined && c !== undefined && d !== undefined);
  assert.deepEqual(codesOf([d, c, b, a]), codesOf(offered));
});

test('all rates of an answer have different codes, and a unique code is unchanged', () => {
  const codes = fc.constantFrom('a', 'a-2', 'a-3', 'b', '');
  const rates = fc.array(fc.tuple(fc.constantFrom('X', 'Y', 'Z'), codes), { maxLength: 12 });
  fc.assert(
    fc.property(rates, (pairs) => {
      const offered = pairs.map(([name, code]) => rate(name, code));
      const answered = shopifyAnswerOf(offered, 'UTC').rates.map((each) => each.service_code);
      assert.equal(new Set(answered).size, offered.length);
      for (const [index, { serviceCode }] of offered.entries()) {
        const isAlone = offered.filter((other) => other.serviceCode === serviceCode).length === 1;
        if (isAlone) assert.equal(answered[index], serviceCode);
      }
    }),
  );
});

test('delivery dates are midnights of the time zone, with the offset of that day', () => {
  const datesIn = (zone: string, minDeliveryDate: string, maxDeliveryDate: string) => {
    const dated = { ...rate('A', 'a', 100), minDeliveryDate, maxDeliveryDate };
    const [answered] = shopifyAnswerOf([dated], zone).rates;
    return [answered?.min_delivery_date, answered?.max_delivery_date];
  };
  assert.deepEqual(datesIn('America/New_York', '2026-10-30', '2026-11-02'), [
    '2026-10-30 00:00:00 -0400',
    '2026-11-02 00:00:00 -0500',
  ]);
  // Clocks change at 02:00 on that day, after its midnight.
  assert.deepEqual(datesIn('America/New_York', '2026-11-01', '2026-11-01')[0], '2026-11-01 00:00:00 -0400');
  assert.deepEqual(datesIn('Asia/Kolkata', '2026-01-05', '2026-01-06')[1], '2026-01-06 00:00:00 +0530');
  assert.deepEqual(datesIn('UTC', '2026-01-05', '2026-01-06')[0], '2026-01-05 00:00:00 +0000');
  assert.ok(!('min_delivery_date' in (shopifyAnswerOf([rate('A', 'a', 100)], 'UTC').rates[0] ?? {})));
});

test('a rate says that a phone number is required where it is', () => {
  const rates = [{ ...rate('A', 'a'), phoneRequired: true as const }, rate('B', 'b')];
  const [asking, other] = shopifyAnswerOf(rates, 'UTC').rates;
  assert.equal(asking?.phone_required, true);
  assert.ok(other !== undefined && !('phone_required' in other));
});
