/** The comparison of two answers, against plain multisets of what is compared. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type ComparedRate,
  comparedRate,
  differentRates,
  ratesOf,
  sameRates,
} from '../../../src/engine/evaluate/compared-rates.ts';

const rate = fc
  .record(
    {
      serviceCode: fc.constantFrom('a', 'b'),
      serviceName: fc.constantFrom('A', 'B'),
      totalPrice: fc.nat(2),
      day: fc.constantFrom(null, '01', '02'),
      later: fc.nat(1),
    },
    { noNullPrototype: true },
  )
  .map(({ day, later, ...fields }) => ({
    ...fields,
    ...(day !== null && {
      minDeliveryDate: `2026-01-${day}`,
      maxDeliveryDate: `2026-01-${Number(day) + 3 + later}`,
    }),
  }));
const rates = fc
  .array(rate, { maxLength: 6 })
  .map((list) => [...list].sort((a, b) => a.totalPrice - b.totalPrice));

const textOf = ({ serviceCode, totalPrice, minDeliveryDate, maxDeliveryDate }: ComparedRate): string =>
  JSON.stringify([serviceCode, totalPrice, minDeliveryDate, maxDeliveryDate]);

/** The texts of `list` that `other` has not as often. */
function without(list: readonly ComparedRate[], other: readonly ComparedRate[]): readonly string[] {
  const left = other.map(textOf);
  return list.map(textOf).filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

test('the differences are the rates that only one side has; those of one service are paired', () => {
  fc.assert(
    fc.property(rates, rates, (before, after) => {
      const pairs = differentRates(before, after);
      const side = (at: 0 | 1) => pairs.flatMap((pair) => pair[at] ?? []).map(textOf);
      assert.deepEqual(side(0), without(before, after));
      assert.deepEqual(side(1).sort(), [...without(after, before)].sort());
      for (const [one, other] of pairs) {
        if (one !== null && other !== null) assert.equal(one.serviceCode, other.serviceCode);
      }
      const alone = (at: 0 | 1) =>
        new Set(pairs.filter((pair) => pair[1 - at] === null).map((pair) => pair[at]?.serviceCode));
      for (const code of alone(0)) assert.ok(!alone(1).has(code), 'a service that could be paired');
      assert.equal(sameRates(before, after), pairs.length === 0);
    }),
  );
});

test('a request that is refused has no rates', () => {
  assert.deepEqual(ratesOf(null), []);
});

test('names and subtitles are not compared, and both dates are or none', () => {
  const named = { serviceCode: 'a', serviceName: 'A', description: 'soon', totalPrice: 5, currency: 'EUR' };
  assert.deepEqual(comparedRate(named), { serviceCode: 'a', totalPrice: 5 });
  const dates = { minDeliveryDate: '2026-01-05', maxDeliveryDate: '2026-01-06' };
  assert.deepEqual(comparedRate({ ...named, ...dates }), { serviceCode: 'a', totalPrice: 5, ...dates });
});
