/**
 * Days, moments and numbers as the console writes them: in English whatever the language of the browser, as every word
 * beside them is, and in its time zone.
 */
export const ENGLISH = 'en';

/** `Nov 28, 2026` */
export const dayText = (at: string): string =>
  new Date(at).toLocaleDateString(ENGLISH, { dateStyle: 'medium' });

/** `Nov 28, 2026`, of a date without a time such as `2026-11-28`. */
export const calendarDayText = (date: string): string =>
  new Date(date).toLocaleDateString(ENGLISH, { dateStyle: 'medium', timeZone: 'UTC' });

/** `Saturday, November 28, 2026` */
export const longDayText = (at: string): string =>
  new Date(at).toLocaleDateString(ENGLISH, { dateStyle: 'full' });

/** `Nov 28, 2026, 6:05 PM` */
export const momentText = (at: string): string =>
  new Date(at).toLocaleString(ENGLISH, { dateStyle: 'medium', timeStyle: 'short' });

/** `6:05 PM` */
export const timeText = (at: string): string =>
  new Date(at).toLocaleTimeString(ENGLISH, { timeStyle: 'short' });

/** `1,234.5` */
export const numberText = (number: number, options?: Intl.NumberFormatOptions): string =>
  number.toLocaleString(ENGLISH, options);
