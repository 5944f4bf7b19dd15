/** The clock of the time conditions: now in the shop's time zone (contract section 3, "Conditions"). */

export interface LocalTime {
  /** `monday` to `sunday`. */
  readonly dayOfWeek: string;
  /** `HH:MM` of 24 hours. */
  readonly timeOfDay: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** By zone and moment: random carts have few of both. */
const times = new Map<string, LocalTime>();

export function localTime(nowMs: number, timezone: string): LocalTime {
  const key = `${timezone} ${nowMs}`;
  const known = times.get(key);
  if (known !== undefined) return known;
  const time = readLocalTime(nowMs, timezone);
  times.set(key, time);
  return time;
}

function readLocalTime(nowMs: number, timezone: string): LocalTime {
  let format = formats.get(timezone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      weekday: 'long',
      year: 'numeric',
      era: 'short',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    formats.set(timezone, format);
  }
  const parts = new Map(format.formatToParts(nowMs).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  // The year before the year 1 is 1 BC here, 0 in ISO 8601.
  const year = part('era') === 'BC' ? String(1 - Number(part('year'))) : part('year');
  return {
    dayOfWeek: part('weekday').toLowerCase(),
    timeOfDay: `${part('hour')}:${part('minute')}`,
    date: `${year.padStart(4, '0')}-${part('month')}-${part('day')}`,
  };
}
