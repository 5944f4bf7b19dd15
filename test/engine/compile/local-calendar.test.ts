/** Local calendars: date and time in a time zone, at the boundaries of days, years and summer time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LocalCalendar, loadCalendars } from '../../../src/engine/compile/local-calendar.ts';

const at = (timeZone: string, time: string) => new LocalCalendar(timeZone).at(Date.parse(time));

test('a moment is read in its time zone: year, summer time and offsets of half an hour', () => {
  const newYear = { weekday: 4, minutes: 0, date: 2027_01_01 };
  assert.deepEqual(at('Asia/Kolkata', '2026-12-31T18:30:00Z'), newYear);
  assert.deepEqual(at('UTC', '2027-01-01T00:00:59.999Z'), newYear);
  const beforeSpring = { weekday: 6, minutes: 119, date: 2026_03_08 };
  assert.deepEqual(at('America/New_York', '2026-03-08T06:59:59.999Z'), beforeSpring);
  assert.deepEqual(at('America/New_York', '2026-03-08T07:00:00Z'), { ...beforeSpring, minutes: 180 });
  assert.deepEqual(at('UTC', '1969-12-31T23:59:59.500Z'), { weekday: 2, minutes: 1_439, date: 1969_12_31 });
});

test('the year before the year 1 is the year 0', () => {
  const times = [
    '0001-01-01T00:00:00Z',
    '0000-12-31T23:59:00Z',
    '0000-01-01T00:00:00Z',
    '0000-01-01T00:00:00+14:00',
  ];
  assert.deepEqual(
    times.map((time) => at('UTC', time).date),
    [1_01_01, 12_31, 1_01, -1_00_00 + 12_31],
  );
});

test('a time zone may be written in any case, and each time zone has its own clock', () => {
  const newYear = '2026-12-31T18:30:00Z';
  assert.deepEqual(at('asia/KOLKATA', newYear), at('Asia/Kolkata', newYear));
  assert.notDeepEqual(at('Asia/Kathmandu', newYear), at('Asia/Kolkata', newYear));
});

test('weekdays are counted from Monday', () => {
  const calendar = new LocalCalendar('UTC');
  const days = [16, 17, 18, 19, 20, 21, 22].map((day) => calendar.at(Date.UTC(2026, 10, day)).weekday);
  assert.deepEqual(days, [0, 1, 2, 3, 4, 5, 6]);
});

test('each second is formatted anew, also when the clock goes back', () => {
  loadCalendars();
  const calendar = new LocalCalendar('UTC');
  const start = Date.UTC(2026, 10, 16, 12, 0, 59);
  const minutes = [0, 999, 1_000, 61_000, 999, -60_000].map((ms) => calendar.at(start + ms).minutes);
  assert.deepEqual(minutes, [720, 720, 721, 722, 720, 719]);
});

test('the offset at midnight makes midnight the first moment of the day, also where clocks change then', () => {
  const DAY_MS = 86_400_000;
  const zones = {
    UTC: 2026,
    'America/New_York': 2026,
    'America/Havana': 2026,
    'America/Sao_Paulo': 2018,
    'Asia/Beirut': 2025,
    'Asia/Kathmandu': 2026,
    'Pacific/Auckland': 2026,
    'Pacific/Kiritimati': 2026,
  };
  const offsets = Object.entries(zones).map(([zone, year]) => {
    const calendar = new LocalCalendar(zone);
    const first = Date.UTC(year, 0, 1) / DAY_MS;
    const found = new Set<number>();
    for (let day = first; day < first + 365; day++) {
      const offset = calendar.offsetAtMidnight(day);
      found.add(offset);
      const startMs = day * DAY_MS - offset * 60_000;
      const date = Number(new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', ''));
      assert.equal(calendar.at(startMs).date, date, `${zone} ${date}`);
      assert.ok(calendar.at(startMs - 1_000).date < date, `${zone} before ${date}`);
    }
    return [...found];
  });
  assert.deepEqual(offsets, [
    [0],
    [-300, -240],
    [-300, -240],
    [-120, -180],
    [120, 180],
    [345],
    [780, 720],
    [840],
  ]);
});
