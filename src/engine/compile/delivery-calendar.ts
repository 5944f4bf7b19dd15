/**
 * Delivery calendar: the working days of a shop and the delivery dates that follow from them (contract section 11.8).
 * Dates are cached for one start day, the first day on which the parcel could leave.
 */
import { joined } from '../../base/bytes/answer-text.ts';
import { dateOfDay, dayOfDate, dayOfText, dayText, minutesOf, weekdayOfDay } from '../domain/calendar-day.ts';
import { WEEKDAYS } from '../domain/condition.ts';
import {
  cutoffOn,
  DELIVERY_DAYS_MAX,
  type Delivery,
  type Fulfilment,
  NO_CUTOFF,
} from '../domain/delivery.ts';
import type { LocalCalendar, LocalMoment } from './local-calendar.ts';

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
