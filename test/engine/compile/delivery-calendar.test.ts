/** Delivery dates from one calendar, asked for at many times (contract section 11.8). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DeliveryCalendar } from '../../../src/engine/compile/delivery-calendar.ts';
import { LocalCalendar } from '../../../src/engine/compile/local-calendar.ts';
import { FULFILMENT_DEFAULT } from '../../../src/engine/domain/delivery.ts';
import { nowMs, pick, TIMEZONES } from '../../support/arbitrary/alphabets.ts';
import { fulfilment } from '../../support/arbitrary/delivery.ts';
import { localTime } from '../../support/reference/clock.ts';
import { deliveryDates } from '../../support/reference/delivery.ts';

const TAIL = ',"currency":"USD"}';

const datesOf = (tail: string): unknown => {
  const { currency: _, ...dates } = JSON.parse(`{${tail.slice(1)}`) as Record<string, string>;
  return dates;
};

test('dates equal those of a walk from day to day, whatever dates were computed before', () => {
  const days = fc.record({ minDays: fc.nat(20), maxDays: fc.integer({ min: 20, max: 365 }) });
  const orders = fc.array(fc.tuple(days, nowMs), { minLength: 1, maxLength: 8 });
  const property = fc.property(fulfilment, pick(TIMEZONES), orders, (shop, zone, asked) => {
    const calendar = new DeliveryCalendar(new LocalCalendar(zone), shop);
    for (const [delivery, atMs] of asked) {
      const expected = deliveryDates(delivery, localTime(atMs, zone), shop);
      assert.deepEqual(datesOf(calendar.tailOf(delivery, TAIL, atMs)), expected);
    }
  });
  fc.assert(property, { numRuns: 60 });
});

test('more delivery times than the cache holds have correct dates', () => {
  const calendar = new DeliveryCalendar(new LocalCalendar('UTC'), FULFILMENT_DEFAULT);
  const monday = Date.parse('2026-11-16T00:00:00Z');
  const first = calendar.tailOf({ minDays: 0, maxDays: 1 }, TAIL, monday);
  for (let minDays = 0; minDays < 40; minDays++)
    for (let maxDays = minDays; maxDays < 80; maxDays++) calendar.tailOf({ minDays, maxDays }, TAIL, monday);
  assert.equal(calendar.tailOf({ minDays: 0, maxDays: 1 }, TAIL, monday), first);
  const inEuro = calendar.tailOf({ minDays: 0, maxDays: 1 }, ',"currency":"EUR"}', monday);
  assert.equal(inEuro, first.replace('USD', 'EUR'));
});

test('a weekday with a cutoff of its own has that one, before the cutoff of all days', () => {
  const shop = {
    ...FULFILMENT_DEFAULT,
    cutoff: '14:00',
    cutoffByDay: { friday: '12:00', monday: '00:00' },
  } as const;
  const calendar = new DeliveryCalendar(new LocalCalendar('Europe/Berlin'), shop);
  const leaves = (local: string) =>
    (
      datesOf(calendar.tailOf({ minDays: 0, maxDays: 0 }, TAIL, Date.parse(`${local}:00+01:00`))) as {
        readonly minDeliveryDate: string;
      }
    ).minDeliveryDate;
  // Friday 20 November 2026 in the zone of the shop.
  assert.equal(leaves('2026-11-20T11:59'), '2026-11-20');
  assert.equal(leaves('2026-11-20T12:00'), '2026-11-23');
  assert.equal(leaves('2026-11-23T23:59'), '2026-11-23');
  assert.equal(leaves('2026-11-24T13:59'), '2026-11-24');
  assert.equal(leaves('2026-11-24T14:00'), '2026-11-25');
});
