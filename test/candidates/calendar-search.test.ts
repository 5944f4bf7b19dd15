/** The search for a local minute against every day of three years, and instants against the calendar. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findLocalMinute, instantOf } from '../../src/candidates/calendar-search.ts';
import { complement, hasNumber, interval, points } from '../../src/candidates/interval-set.ts';
import { LocalCalendar } from '../../src/compile/local-calendar.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2023, 11, 1);
const DAYS = Array.from({ length: 1_100 }, (_, n) => new Date(FIRST + n * DAY_MS)).map((day) => ({
  date: day.getUTCFullYear() * 10_000 + (day.getUTCMonth() + 1) * 100 + day.getUTCDate(),
  weekday: (day.getUTCDay() + 6) % 7,
}));

const edges = [20231231, 20240101, 20240228, 20240229, 20240301, 20250228, 20250301, 20260131, 20260201];
const edge = fc
  .tuple(fc.constantFrom(...edges), fc.constantFrom(-1, 0, 1))
  .map(([date, beside]) => date + beside);
const dates = fc.oneof(
  fc.tuple(edge, edge).map(([a, b]) => interval(Math.min(a, b), Math.max(a, b))),
  fc.array(edge, { maxLength: 3 }).map(points),
  fc
    .array(edge, { minLength: 1, maxLength: 3 })
    .map((named) => complement(points(named), 20231231, 20260201)),
);
const days = fc.uniqueArray(fc.nat(6), { maxLength: 3 }).map(points);

describe('the search for a local minute', () => {
  it('finds a day that fits exactly when one exists', () => {
    const property = fc.property(dates, days, (wanted, weekdays) => {
      const found = findLocalMinute({ dates: wanted, days: weekdays, minutes: [540, 1_019] });
      const fits = DAYS.filter(
        ({ date, weekday }) => hasNumber(wanted, date) && hasNumber(weekdays, weekday),
      );
      assert.equal(found === null, fits.length === 0);
      if (found !== null) assert.ok(fits.some(({ date }) => date === found.date) && found.minutes === 720);
    });
    fc.assert(property, { numRuns: 3_000 });
  });

  it('finds nothing where no minute or no weekday is left', () => {
    assert.equal(findLocalMinute({ dates: [20260101, 20260101], days: [0, 6], minutes: [] }), null);
    assert.equal(findLocalMinute({ dates: [20260101, 20260101], days: [], minutes: [0, 0] }), null);
  });
});

describe('the instant of a local minute', () => {
  for (const zone of [
    'UTC',
    'America/New_York',
    'Asia/Kathmandu',
    'Pacific/Kiritimati',
    'Australia/Lord_Howe',
  ]) {
    it(`is shown as that minute by the calendar of ${zone}`, () => {
      const calendar = new LocalCalendar(zone);
      for (const { date } of DAYS.slice(0, 400)) {
        for (const minutes of [0, 150, 720, 1_439]) {
          const instant = instantOf(calendar, { date, minutes });
          if (instant === null) continue;
          const shown = calendar.at(instant);
          assert.deepEqual([shown.date, shown.minutes], [date, minutes]);
        }
        assert.notEqual(instantOf(calendar, { date, minutes: 720 }), null);
      }
    });
  }

  it('does not exist when the clock skips it', () => {
    assert.equal(instantOf(new LocalCalendar('America/New_York'), { date: 20260308, minutes: 150 }), null);
  });
});
