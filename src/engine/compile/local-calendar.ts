/**
 * Local calendar: weekday, time of day and date in a shop's time zone, as the numbers that clock conditions compare
 * (contract section 3, "Conditions"). Formatting takes microseconds, so the moment of the last second is cached.
 */
import { DAY_MS, dayOfDate } from '../domain/calendar-day.ts';
import { WEEKDAYS } from '../domain/condition.ts';

const MINUTE_MS = 60_000;
const MINUTES_OF_DAY = 1_440;

export interface LocalMoment {
  /** 0 = Monday. */
  readonly weekday: number;
  /** Minutes since midnight. */
  readonly minutes: number;
  /** yyyymmdd. */
  readonly date: number;
}

/**
 * Formats by time zone in lower case; no two zones have names that differ only in case. Making a format is
 * slow. The map is not bounded, because the shops of a process use few zones.
 */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const name = timeZone.toLowerCase();
  const known = formats.get(name);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    weekday: 'long',
    era: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  formats.set(name, format);
  return format;
}

/** The year as in ISO 8601, where year 0 precedes year 1. The format returns 1 BC for year 0. */
const yearOf = ({ era, year }: Readonly<Record<'era' | 'year', string>>): number =>
  era === 'BC' ? 1 - Number(year) : Number(year);

/** The local day at this time, in days since 1970. */
export const localDay = (timeZone: string, atMs: number): number =>
  dayOfDate(new LocalCalendar(timeZone).at(atMs).date);

export class LocalCalendar {
  readonly #format: Intl.DateTimeFormat;
  #second = Number.NaN;
  #moment: LocalMoment = { weekday: 0, minutes: 0, date: 0 };

  /** `timeZone` is an IANA zone that the runtime supports. */
  constructor(timeZone: string) {
    this.#format = formatOf(timeZone);
  }

  /** Returns the local moment at `atMs` (milliseconds since the epoch, within the range of `Date`). */
  at(atMs: number): LocalMoment {
    const second = Math.floor(atMs / 1000);
    if (second === this.#second) return this.#moment;
    const parts = {} as Record<Intl.DateTimeFormatPartTypes, string>;
    for (const { type, value } of this.#format.formatToParts(atMs)) parts[type] = value;
    this.#moment = {
      weekday: (WEEKDAYS as readonly string[]).indexOf(parts.weekday.toLowerCase()),
      minutes: Number(parts.hour) * 60 + Number(parts.minute),
      date: yearOf(parts) * 10_000 + Number(parts.month) * 100 + Number(parts.day),
    };
    this.#second = second;
    return this.#moment;
  }

  /**
   * Minutes by which the local clock is ahead of UTC at midnight of a day (days since 1970). If clocks skip midnight, the
   * offset before the change; if midnight occurs twice, the offset of the first.
   */
  offsetAtMidnight(day: number): number {
    const midnightMs = day * DAY_MS;
    const near = this.#offsetAt(midnightMs);
    const offset = this.#offsetAt(midnightMs - near * MINUTE_MS);
    const isThere = offset === near || this.#offsetAt(midnightMs - offset * MINUTE_MS) === offset;
    return isThere ? offset : Math.min(near, offset);
  }

  #offsetAt(atMs: number): number {
    const { date, minutes } = this.at(atMs);
    return dayOfDate(date) * MINUTES_OF_DAY + minutes - Math.floor(atMs / MINUTE_MS);
  }
}

/**
 * Makes the runtime load its calendar data, once per process: the first calendar takes some milliseconds.
 */
export function loadCalendars(): void {
  new LocalCalendar('UTC').at(0);
}
