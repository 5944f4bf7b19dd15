/**
 * Delivery steps: how the delivery dates of a rate come about, from the day of the order over cutoff, weekends, holidays
 * and handling to the two dates (contract section 11). Each step begins on the day on which the one before it ended.
 */
import type { LocalMoment } from '../compile/local-calendar.ts';
import { dayOfDate, dayOfText, dayText, minutesOf, weekdayOfDay } from '../domain/calendar-day.ts';
import { WEEKDAYS } from '../domain/condition.ts';
import { type Delivery, type Fulfilment, NO_CUTOFF } from '../domain/delivery.ts';
import type { DeliveryStep } from '../wire/explained-answer.ts';

/** Returns no steps in a shop without working days, whose rates have no dates. */
export function deliverySteps(
  { minDays, maxDays }: Delivery,
  { cutoff, handlingDays, workingDays, holidays }: Fulfilment,
  { date, minutes }: LocalMoment,
): readonly DeliveryStep[] {
  if (workingDays.length === 0) return [];
  const steps: DeliveryStep[] = [];
  const free = new Set(holidays.map(dayOfText));
  const nameOf = (day: number) => WEEKDAYS[weekdayOfDay(day)] ?? WEEKDAYS[0];
  /** Walks on until `count` working days have passed; `count` 0 ends on the first working day. */
  const walk = (kind: Exclude<DeliveryStep['kind'], 'cutoff'>, from: number, count: number): number => {
    const skipped = { weekend: 0, holiday: 0 };
    let day = from;
    for (let left = count; ; day++) {
      const isWeekend = !workingDays.includes(nameOf(day));
      if (isWeekend) skipped.weekend++;
      else if (free.has(day)) skipped.holiday++;
      else if (left-- === 0) break;
    }
    const isStep = day > from || kind !== 'first_working_day';
    if (isStep) steps.push({ kind, from: dayText(from), to: dayText(day), workingDays: count, ...skipped });
    return day;
  };
  const today = dayOfDate(date);
  const isLate = cutoff !== NO_CUTOFF && minutes >= minutesOf(cutoff);
  if (isLate) steps.push({ kind: 'cutoff', from: dayText(today), to: dayText(today + 1), cutoff });
  const first = walk('first_working_day', isLate ? today + 1 : today, 0);
  const leaves = handlingDays === 0 ? first : walk('handling', first, handlingDays);
  walk('earliest_delivery', leaves, minDays);
  walk('latest_delivery', leaves, maxDays);
  return steps;
}
