/**
 * Delivery calendar: the working days of a shop from the day on which an order of now is taken, and the delivery dates
 * that follow from them (contract section 11). Dates are kept for that one day only: an order of another day begins anew.
 */

import { joined } from '../bytes/answer-text.ts';
import { dayOfDate, dayOfText, dayText, minutesOf, weekdayOfDay } from '../domain/calendar-day.ts';
import { WEEKDAYS } from '../domain/condition.ts';
import { DELIVERY_DAYS_MAX, type Delivery, type Fulfilment, NO_CUTOFF } from '../domain/delivery.ts';
import type { LocalCalendar } from './local-calendar.ts';

/** Texts that are kept for one day. */
const TAILS_MAX = 1_000;

export class DeliveryCalendar {
  readonly #calendar: LocalCalendar;
  readonly #handlingDays: number;
  /** Minutes since midnight; `Infinity` without a cutoff. */
  readonly #cutoff: number;
  readonly #isWorkingWeekday: readonly boolean[];
  readonly #holidays: ReadonlySet<number>;
  /** The first day on which the parcel could leave. */
  #start = Number.NaN;
  /** The working days from `#start` on, as far as they were asked for. */
  readonly #workingDays: number[] = [];
  readonly #tails = new Map<number, { readonly currencyTail: string; readonly tail: string }>();

  constructor(calendar: LocalCalendar, { cutoff, handlingDays, workingDays, holidays }: Fulfilment) {
    this.#calendar = calendar;
    this.#handlingDays = handlingDays;
    this.#cutoff = cutoff === NO_CUTOFF ? Number.POSITIVE_INFINITY : minutesOf(cutoff);
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
    const [min, max] = [minDays, maxDays].map((days) => this.#workingDay(this.#handlingDays + days));
    if (min === undefined || max === undefined) return currencyTail;
    const dates = `"minDeliveryDate":"${dayText(min)}","maxDeliveryDate":"${dayText(max)}"`;
    const tail = joined(`${currencyTail.slice(0, -1)},${dates}}`);
    if (this.#tails.size >= TAILS_MAX) this.#tails.clear();
    this.#tails.set(key, { currencyTail, tail });
    return tail;
  }

  /** Starts anew when an order at this time leaves from another day on. */
  #begin(atMs: number): void {
    const { date, minutes } = this.#calendar.at(atMs);
    const start = dayOfDate(date) + (minutes >= this.#cutoff ? 1 : 0);
    if (start === this.#start) return;
    this.#start = start;
    this.#workingDays.length = 0;
    this.#tails.clear();
  }

  /** The working day of this number from `#start` on; none in a shop without working days. */
  #workingDay(index: number): number | undefined {
    const days = this.#workingDays;
    if (!this.#isWorkingWeekday.includes(true)) return undefined;
    for (let day = (days.at(-1) ?? this.#start - 1) + 1; days.length <= index; day++) {
      if (this.#isWorkingWeekday[weekdayOfDay(day)] === true && !this.#holidays.has(day)) days.push(day);
    }
    return days[index];
  }
}
