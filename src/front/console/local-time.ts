/** Moments as a field for a local time has them: `2026-12-24T18:00`. */

const isoOf = (time: Date): string => (Number.isNaN(time.getTime()) ? '' : time.toISOString());

/** The moment that the text of the field names; "" for none, such as in a year of five digits. */
export const isoOfLocal = (text: string): string => isoOf(new Date(text));

/** The text of the field for a moment. */
export function localOfIso(iso: string): string {
  const time = new Date(iso);
  return isoOf(new Date(time.getTime() - time.getTimezoneOffset() * 60_000)).slice(0, 16);
}
