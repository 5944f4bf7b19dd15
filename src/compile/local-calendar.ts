/**
 * Local calendar: weekday, time of day and date in a shop's time zone, as the numbers that clock conditions compare
 * (contract section 3, "Conditions"). Formatting takes microseconds, so the moment of the last second is cached.
 *
 * Delivery calendar: the working days of a shop and the delivery dates that follow from them (contract section 11.8).
 * Dates are cached for one start day, the first day on which the parcel could leave.
 */

import { joined } from '../bytes/answer-text.ts';
import {
  DAY_MS,
  dateOfDay,
  dayOfDate,
  dayOfText,
  dayText,
  minutesOf,
  weekdayOfDay,
} from '../domain/calendar-day.ts';
import { WEEKDAYS } from '../domain/condition.ts';
import {
  cutoffOn,
  DELIVERY_DAYS_MAX,
  type Delivery,
  type Fulfilment,
  NO_CUTOFF,
} from '../domain/delivery.ts';

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

/** Maximum number of texts that are cached for one start day. */
const TAILS_MAX = 1_000;

/** A walk over days until some working days have passed: the last day, and how many days off it passed. */
interface Walk {
  readonly day: number;
  readonly weekend: number;
  readonly holiday: number;
}

export class DeliveryCalendar {
  readonly fulfilment: Fulfilment;
  /** Without any, rates have no dates. */
  readonly hasWorkingDays: boolean;
  readonly #calendar: LocalCalendar;
  /** By weekday, in minutes since midnight; `Infinity` without a cutoff. */
  readonly #cutoffs: readonly number[];
  readonly #isWorkingWeekday: readonly boolean[];
  readonly #holidays: ReadonlySet<number>;
  /** The first day on which the parcel could leave. */
  #start = Number.NaN;
  readonly #tails = new Map<number, { readonly currencyTail: string; readonly tail: string }>();

  constructor(calendar: LocalCalendar, fulfilment: Fulfilment) {
    const { workingDays, holidays } = fulfilment;
    this.fulfilment = fulfilment;
    this.hasWorkingDays = workingDays.length > 0;
    this.#calendar = calendar;
    this.#cutoffs = WEEKDAYS.map((day) => cutoffOn(fulfilment, day)).map((cutoff) =>
      cutoff === NO_CUTOFF ? Number.POSITIVE_INFINITY : minutesOf(cutoff),
    );
    this.#isWorkingWeekday = WEEKDAYS.map((day) => workingDays.includes(day));
    this.#holidays = new Set(holidays.map(dayOfText));
  }

  /**
   * The end of a rate's JSON with the dates of an order at `atMs`; `currencyTail` itself in a shop without working days.
   */
  tailOf(delivery: Delivery, currencyTail: string, atMs: number): string {
    this.#begin(atMs);
    const { minDays, maxDays } = delivery;
    const key = minDays * (DELIVERY_DAYS_MAX + 1) + maxDays;
    const known = this.#tails.get(key);
    if (known !== undefined && known.currencyTail === currencyTail) return known.tail;
    if (!this.hasWorkingDays) return currencyTail;
    const dateAfter = (days: number) =>
      dayText(this.walk(this.#start, this.fulfilment.handlingDays + days).day);
    const dates = `"minDeliveryDate":"${dateAfter(minDays)}","maxDeliveryDate":"${dateAfter(maxDays)}"`;
    const tail = joined(`${currencyTail.slice(0, -1)},${dates}}`);
    if (this.#tails.size >= TAILS_MAX) this.#tails.clear();
    this.#tails.set(key, { currencyTail, tail });
    return tail;
  }

  /** The last delivery date of an order at `atMs`, as yyyymmdd; 0 in a shop without working days. */
  lastDate({ maxDays }: Delivery, atMs: number): number {
    if (!this.hasWorkingDays) return 0;
    const start = this.startOf(this.#calendar.at(atMs));
    return dateOfDay(this.walk(start, this.fulfilment.handlingDays + maxDays).day);
  }

  /** Clears the cache if an order at this time has another start day. */
  #begin(atMs: number): void {
    const start = this.startOf(this.#calendar.at(atMs));
    if (start === this.#start) return;
    this.#start = start;
    this.#tails.clear();
  }

  /** The first day on which the parcel of an order could leave if it is a working day: after the cutoff the next one. */
  startOf({ date, minutes, weekday }: LocalMoment): number {
    return dayOfDate(date) + (minutes >= (this.#cutoffs[weekday] as number) ? 1 : 0);
  }

  /** Walks from a day until `count` working days have passed; `count` 0 ends on the first one. Requires working days. */
  walk(from: number, count: number): Walk {
    let [day, weekend, holiday] = [from, 0, 0];
    for (let left = count; ; day++) {
      if (this.#isWorkingWeekday[weekdayOfDay(day)] !== true) weekend++;
      else if (this.#holidays.has(day)) holiday++;
      else if (left-- === 0) break;
    }
    return { day, weekend, holiday };
  }
}
