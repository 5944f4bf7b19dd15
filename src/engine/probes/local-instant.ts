/** The instant at which the local clock of a shop shows a minute. */
import type { LocalCalendar } from '../compile/local-calendar.ts';
import { DAY_MS, dayOfDate } from '../domain/calendar-day.ts';

interface LocalMinute {
  /** As yyyymmdd. */
  readonly date: number;
  /** Since midnight. */
  readonly minutes: number;
}

const MINUTE_MS = 60_000;

const utcOf = ({ date, minutes }: LocalMinute): number => dayOfDate(date) * DAY_MS + minutes * MINUTE_MS;

/** Returns the instant (epoch ms) at which the calendar shows this local minute; null when the calendar skips it. */
export function instantOf(calendar: LocalCalendar, wanted: LocalMinute): number | null {
  let at = utcOf(wanted);
  // The first correction applies the offset of the zone, the second handles an offset that changes nearby.
  for (let look = 0; look < 3; look++) {
    const shown = calendar.at(at);
    if (shown.date === wanted.date && shown.minutes === wanted.minutes) return at;
    at += utcOf(wanted) - utcOf(shown);
  }
  return null;
}
