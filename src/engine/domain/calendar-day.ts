/**
 * Calendar days: dates as yyyymmdd, as numbers of days since 1 January 1970, and as text; times of day as minutes and as
 * text. A local calendar has whole days only, so changes between summer and winter time have no effect here.
 */

export const DAY_MS = 86_400_000;
const WEEK = 7;

/** The number of a date; for a date that does not exist (30 February), that of a nearby day. */
export function dayOfDate(date: number): number {
  const year = Math.floor(date / 10_000);
  const rest = date - year * 10_000;
  return new Date(0).setUTCFullYear(year, Math.floor(rest / 100) - 1, rest % 100) / DAY_MS;
}

/** The date of a day as yyyymmdd. */
export function dateOfDay(day: number): number {
  const utc = new Date(day * DAY_MS);
  return utc.getUTCFullYear() * 10_000 + (utc.getUTCMonth() + 1) * 100 + utc.getUTCDate();
}

/** 0 = Monday. */
export const weekdayOfDay = (day: number): number => (((day + 3) % WEEK) + WEEK) % WEEK;

/** True for a text `YYYY-MM-DD` whose day exists. */
export function isDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
}

/** The day of a text `YYYY-MM-DD` that is a date. */
export const dayOfText = (text: string): number => dayOfDate(Number(text.replaceAll('-', '')));

export const dayText = (day: number): string => dateText(dateOfDay(day));

/** A date given as yyyymmdd; years before year 0 have six digits, as in ISO 8601. */
export function dateText(date: number): string {
  const year = Math.floor(date / 10_000);
  const day = date - year * 10_000;
  const yearText = year < 0 ? `-${padded(-year, 6)}` : padded(year, 4);
  return `${yearText}-${padded(Math.floor(day / 100), 2)}-${padded(day % 100, 2)}`;
}

/** Minutes since midnight of a time of day as HH:MM, and back. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
export const timeText = (minutes: number): string =>
  `${padded(Math.floor(minutes / 60), 2)}:${padded(minutes % 60, 2)}`;

const padded = (number: number, length: number): string => String(number).padStart(length, '0');

/** The delivery dates of a rate for people, after a space; "" for a rate without dates. */
export function datesText(rate: {
  readonly minDeliveryDate?: string | undefined;
  readonly maxDeliveryDate?: string | undefined;
}): string {
  const { minDeliveryDate: first, maxDeliveryDate: last } = rate;
  if (first === undefined || last === undefined) return '';
  return first === last ? ` on ${first}` : ` from ${first} to ${last}`;
}
