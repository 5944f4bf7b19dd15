/**
 * Calendar search: finds weekday, time and date that satisfy requirements on the clock, and an instant at which the
 * local clock of a shop shows them. Weekday and date are searched together, because a date determines the weekday.
 */
import type { LocalCalendar } from '../compile/local-calendar.ts';
import { DAY_MS, dateOfDay, dayOfDate, weekdayOfDay } from '../domain/calendar-day.ts';
import { hasNumber, type IntervalSet, isEmptySet, minOf, samples } from './interval-set.ts';

/** The values that the requirements allow: weekdays from 0 = Monday, minutes since midnight, dates as yyyymmdd. */
export interface CalendarNeed {
  readonly days: IntervalSet;
  readonly minutes: IntervalSet;
  readonly dates: IntervalSet;
}

interface LocalMinute {
  readonly date: number;
  readonly minutes: number;
}

const MINUTE_MS = 60_000;
const WEEK = 7;

/** Midnight UTC of a date. */
const utcOf = (date: number): number => dayOfDate(date) * DAY_MS;

/** The preferred date of examples: an ordinary recent day. */
const EXAMPLE_DATE = 2026_0107;
const NOON = 720;
/** A bound of a date interval is yyyymmdd plus or minus 1; the real date is within this many days of it. */
const NEARBY_DAYS = 3;

/** Returns a local minute that satisfies the need; null only when no clock can ever show one. */
export function findLocalMinute({ days, minutes, dates }: CalendarNeed): LocalMinute | null {
  if (isEmptySet(days) || isEmptySet(minutes)) return null;
  const [minute = minOf(minutes)] = samples(minutes, NOON, 4);
  const starts = [EXAMPLE_DATE, ...dates.filter((_, end) => end % 2 === 0)];
  for (const start of starts) {
    // Each weekday occurs once within a week.
    for (let day = -NEARBY_DAYS; day < WEEK + NEARBY_DAYS; day++) {
      const at = dayOfDate(start) + day;
      const date = dateOfDay(at);
      if (date < start) continue;
      if (hasNumber(dates, date) && hasNumber(days, weekdayOfDay(at))) return { date, minutes: minute };
    }
  }
  return null;
}

/** Returns the instant (epoch ms) at which the calendar shows this local minute; null when the calendar skips it. */
export function instantOf(calendar: LocalCalendar, { date, minutes }: LocalMinute): number | null {
  const wanted = utcOf(date) + minutes * MINUTE_MS;
  // The first correction applies the offset of the zone, the second handles an offset that changes nearby.
  let at = wanted;
  for (let look = 0; look < 3; look++) {
    const shown = calendar.at(at);
    if (shown.date === date && shown.minutes === minutes) return at;
    at += wanted - (utcOf(shown.date) + shown.minutes * MINUTE_MS);
  }
  return null;
}
