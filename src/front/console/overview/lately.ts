/** Days since a moment, and from when on a record counts as not used. */
import { ENGLISH } from '../english.ts';

/** Days without use after which a record counts as not used. */
export const UNUSED_DAYS = 30;
const DAY_MS = 86_400_000;

export const unusedSinceMs = (): number => Date.now() - UNUSED_DAYS * DAY_MS;

/** `today`, `yesterday`, `12 days ago`; by days of 24 hours. */
export const daysAgo = (iso: string): string =>
  new Intl.RelativeTimeFormat(ENGLISH, { numeric: 'auto' }).format(
    -Math.floor((Date.now() - Date.parse(iso)) / DAY_MS),
    'day',
  );
