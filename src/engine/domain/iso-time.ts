/** Times as clients write them: ISO 8601 with a date, a time and an offset, all of which must exist. */
import { isDate } from './calendar-day.ts';

const ISO_TIME =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The pattern for schemas. It does not check that the day exists in its month; `parseIsoTime` does. */
export const ISO_TIME_PATTERN = ISO_TIME.source;

export const ISO_TIME_ACCEPTS = 'an ISO 8601 time with an offset, such as 2026-11-18T17:00:00Z';

/** Milliseconds since the epoch, fractions cut off; null when the text is not such a time. */
export function parseIsoTime(text: string): number | null {
  if (!ISO_TIME.test(text) || !isDate(text.slice(0, 10))) return null;
  const timeMs = Date.parse(text);
  return Number.isNaN(timeMs) ? null : timeMs;
}
