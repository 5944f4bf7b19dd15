/** Delivery dates: a walk from day to day (contract section 11). */
import type { LocalTime } from './clock.ts';

export interface ReferenceFulfilment {
  readonly cutoff: string;
  readonly cutoffByDay?: Readonly<Record<string, string | undefined>>;
  readonly handlingDays: number;
  readonly workingDays: readonly string[];
  readonly holidays: readonly string[];
}

const DEFAULT: ReferenceFulfilment = {
  cutoff: '00:00',
  handlingDays: 0,
  workingDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
  holidays: [],
};

interface Days {
  readonly minDays: number;
  readonly maxDays: number;
}

export type DeliveryDates =
  | { readonly minDeliveryDate: string; readonly maxDeliveryDate: string }
  | Readonly<Record<string, never>>;

const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Index in `WEEK`. */
  readonly weekday: number;
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const lengthOf = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (LENGTHS[month - 1] ?? 0);

function dayAfter({ year, month, day, weekday }: Day): Day {
  const next = (weekday + 1) % WEEK.length;
  if (day < lengthOf(year, month)) return { year, month, day: day + 1, weekday: next };
  if (month < 12) return { year, month: month + 1, day: 1, weekday: next };
  return { year: year + 1, month: 1, day: 1, weekday: next };
}

const textOf = ({ year, month, day }: Day): string =>
  [String(year).padStart(4, '0'), ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-');

/** "Working days of the shop": its weekdays without its holidays. */
const isWorking = (day: Day, { workingDays, holidays }: ReferenceFulfilment): boolean =>
  workingDays.includes(WEEK[day.weekday] ?? '') && (holidays.length === 0 || !holidays.includes(textOf(day)));

function firstWorking(date: Day, shop: ReferenceFulfilment): Day {
  let day = date;
  while (!isWorking(day, shop)) day = dayAfter(day);
  return day;
}

/** The working day that is this many working days after a working day. */
function workingDaysAfter(date: Day, count: number, shop: ReferenceFulfilment): Day {
  let day = date;
  for (let passed = 0; passed < count; passed++) day = firstWorking(dayAfter(day), shop);
  return day;
}

/** The dates of a rate with this delivery; none without a delivery time or without working days. */
export function deliveryDates(
  delivery: Days | null | undefined,
  { date, timeOfDay, dayOfWeek }: LocalTime,
  shop: ReferenceFulfilment = DEFAULT,
): DeliveryDates {
  if (delivery === null || delivery === undefined || shop.workingDays.length === 0) return {};
  // "Before cutoff": the cutoff of the weekday, where it has one.
  const ofDay = Object.entries(shop.cutoffByDay ?? {}).find(([day]) => day === dayOfWeek)?.[1];
  const cutoff = ofDay === undefined ? shop.cutoff : ofDay;
  const isLate = cutoff !== '00:00' && timeOfDay >= cutoff;
  const after = (days: number): string =>
    walked(shop, `${date} ${isLate} ${days}`, () => {
      const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
      const today = { year, month, day, weekday: WEEK.indexOf(dayOfWeek) };
      const start = firstWorking(isLate ? dayAfter(today) : today, shop);
      return textOf(workingDaysAfter(start, shop.handlingDays + days, shop));
    });
  return { minDeliveryDate: after(delivery.minDays), maxDeliveryDate: after(delivery.maxDays) };
}

/** Cached, because many carts of a shop need the same walk. */
const walks = new WeakMap<ReferenceFulfilment, Map<string, string>>();

function walked(shop: ReferenceFulfilment, walk: string, make: () => string): string {
  const known = walks.get(shop) ?? new Map<string, string>();
  walks.set(shop, known);
  const date = known.get(walk) ?? make();
  known.set(walk, date);
  return date;
}

/** "Both dates are the latest of its components; absent when one of them has none." */
export function latestOf(all: readonly DeliveryDates[]): DeliveryDates {
  const latest = (field: 'minDeliveryDate' | 'maxDeliveryDate') => {
    const dates = all.flatMap((each) => each[field] ?? []);
    return dates.length < all.length ? undefined : dates.reduce((a, b) => (later(a, b) ? a : b));
  };
  const [minDeliveryDate, maxDeliveryDate] = [latest('minDeliveryDate'), latest('maxDeliveryDate')];
  return minDeliveryDate === undefined || maxDeliveryDate === undefined
    ? {}
    : { minDeliveryDate, maxDeliveryDate };
}

/** Years after 9999 have five digits. */
const later = (a: string, b: string): boolean => a.padStart(12, '0') > b.padStart(12, '0');
