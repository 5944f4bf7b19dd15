/**
 * The value that a condition compared (contract section 10, `explain=full`), in the compared form: texts are trimmed and
 * in lower case, postal codes are canonical.
 */
import type { CompiledCondition } from '../compile/compiled-method.ts';
import type { LocalCalendar } from '../compile/local-calendar.ts';
import { type Predicate, SOURCE } from '../compile/predicate.ts';
import { groupSum } from '../compile/rate-function.ts';
import { dateText, timeText } from '../domain/calendar-day.ts';
import { FIELD, WEEKDAYS } from '../domain/condition.ts';
import { beginningOf } from '../domain/text.ts';
import {
  type CartFacts,
  type CartGroup,
  type ItemFacts,
  itemNumber,
  MASK_BITS,
  orderNumber,
} from '../evaluate/cart-facts.ts';
import {
  ACTUAL_ENTRIES_MAX,
  ACTUAL_TEXT_MAX,
  type Actual,
  type SimulatedTime,
} from '../wire/explained-answer.ts';

/** Returns the value that a condition of a method of this group compared; `predicate` is that of the condition. */
export function actualOf(
  facts: CartFacts,
  group: CartGroup,
  { inGroup }: CompiledCondition,
  predicate: Predicate,
): Actual {
  const { source, field } = predicate;
  if (source === SOURCE.orderNumber) return orderValue(facts, field);
  if (source === SOURCE.groupSum) return groupSum(group.totals, field);
  if (source === SOURCE.requestText) return shown(facts.requestText(field));
  if (source === SOURCE.customerTags) return facts.customerTags().slice(0, ACTUAL_ENTRIES_MAX).map(shown);
  if (source === SOURCE.postalCode) return shown(facts.postalCode);
  return lookedAt(facts, inGroup ? group.mask : facts.everyItem)
    .slice(0, ACTUAL_ENTRIES_MAX)
    .map((item) => itemValue(item, predicate));
}

const lookedAt = ({ items }: CartFacts, mask: readonly number[]): readonly ItemFacts[] =>
  items.filter((_, at) => (((mask[Math.floor(at / MASK_BITS)] ?? 0) >>> (at % MASK_BITS)) & 1) === 1);

function itemValue(item: ItemFacts, { source, field }: Predicate): string | number | string[] {
  if (source === SOURCE.itemText) return shown(item.text(field));
  if (source === SOURCE.itemNumber) return itemNumber(item.item, field);
  return item.tags().slice(0, ACTUAL_ENTRIES_MAX).map(shown);
}

function orderValue(facts: CartFacts, field: number): string | number {
  const number = orderNumber(facts, field);
  if (field === FIELD.day_of_week) return weekdayText(number);
  if (field === FIELD.time_of_day) return timeText(number);
  return field === FIELD.date ? dateText(number) : number;
}

const shown = (text: string): string =>
  text.length <= ACTUAL_TEXT_MAX ? text : `${beginningOf(text, ACTUAL_TEXT_MAX)}...`;

/** Returns the simulated time as time conditions compare it. */
export function simulatedTime(calendar: LocalCalendar, nowMs: number): SimulatedTime {
  const { weekday, minutes, date } = calendar.at(nowMs);
  const iso = new Date(nowMs).toISOString();
  return { iso, date: dateText(date), time: timeText(minutes), day: weekdayText(weekday) };
}

const weekdayText = (weekday: number) => WEEKDAYS[weekday] ?? WEEKDAYS[0];
