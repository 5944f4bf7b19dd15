/**
 * Calendar search: whether some day, time and date satisfy requirements on the clock, and an instant at
 * which a shop's local clock shows them. Weekday and date are taken together: the first of May is one day
 * of the week. Clocks are those of the years 0 and later.
 */
import type { LocalCalendar } from '../compile/local-calendar.ts';
import { hasNumber, type IntervalSet, isEmptySet, minOf, samples } from './interval-set.ts';

/** What the requirements leave: weekdays from 0 = Monday, minutes since midnight, dates as yyyymmdd. */
export interface CalendarNeed {
  readonly days: IntervalSet;
  readonly minutes: IntervalSet;
  readonly dates: IntervalSet;
}

export interface LocalMinute {
  readonly date: number;
  readonly minutes: number;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const WEEK = 7;

/** Midnight UTC of a date; of one that does not exist (30 February), that of a later one. */
function utcOf(date: number): number {
  const utc = new Date(0);
  utc.setUTCFullYear(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100);
  return utc.getTime();
}

function dateOf(utcMs: number): number {
  const utc = new Date(utcMs);
  return utc.getUTCFullYear() * 10_000 + (utc.getUTCMonth() + 1) * 100 + utc.getUTCDate();
}

/** The first date that exists, at or after a number that looks like one; in ms at midnight UTC. */
function firstDateFrom(number: number): number {
  const year = Math.floor(number / 10_000);
  const month = Math.min(13, Math.max(1, Math.floor(number / 100) % 100));
  // A month of 13 is the January after; a day of 0 or past the end of its month moves on by itself.
  const day = Math.floor(number / 100) % 100 === month ? Math.max(1, number % 100) : 1;
  const monthDays = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return utcOf(year * 10_000 + month * 100 + 1) + Math.min(day - 1, monthDays) * DAY_MS;
}

const weekdayOf = (utcMs: number): number => (((Math.floor(utcMs / DAY_MS) + 3) % WEEK) + WEEK) % WEEK;

/** The date from which examples are taken: a plain day of the present. */
const EXAMPLE_DATE = 2026_0107;
const NOON = 720;

/** A local minute that satisfies the need; null when no clock can ever show one. Exact. */
export function findLocalMinute({ days, minutes, dates }: CalendarNeed): LocalMinute | null {
  if (isEmptySet(days) || isEmptySet(minutes)) return null;
  const [minute = minOf(minutes)] = samples(minutes, NOON, 4);
  const starts = hasNumber(dates, EXAMPLE_DATE) ? [EXAMPLE_DATE] : [];
  for (let i = 0; i < dates.length; i += 2) starts.push(dates[i] as number);
  for (const start of starts) {
    const first = firstDateFrom(start);
    // Within a week every weekday comes up once.
    for (let day = 0; day < WEEK; day++) {
      const at = first + day * DAY_MS;
      if (!Number.isFinite(at)) break;
      const date = dateOf(at);
      if (hasNumber(dates, date) && hasNumber(days, weekdayOf(at))) return { date, minutes: minute };
    }
  }
  return null;
}

/** The instant (epoch ms) at which the calendar shows this local minute; null when it skips it. */
export function instantOf(calendar: LocalCalendar, { date, minutes }: LocalMinute): number | null {
  const wanted = utcOf(date) + minutes * MINUTE_MS;
  // The clock's offset near the instant leads to it; where the offset changes close by, the second look does.
  let at = wanted;
  for (let look = 0; look < 3; look++) {
    const shown = calendar.at(at);
    if (shown.date === date && shown.minutes === minutes) return at;
    at += wanted - (utcOf(shown.date) + shown.minutes * MINUTE_MS);
  }
  return null;
}
