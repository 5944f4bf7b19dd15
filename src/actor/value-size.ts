/** How much a value weighs in the log, closely enough to bound a group, without serialising it twice. */
import type { WorkMeter, WorkSteps } from '../runtime/work-steps.ts';

/** What a number, a literal and a pair of brackets or quotes count for. */
const SCALAR_BYTES = 8;

/**
 * About as many bytes as the JSON of `value` has; stops counting soon after `max`, so that a large value
 * costs no more than a small bound. Strings count their length, field names too.
 */
export function valueBytes(value: unknown, max: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return SCALAR_BYTES;
  let bytes = SCALAR_BYTES;
  if (Array.isArray(value)) {
    for (const element of value) {
      bytes += valueBytes(element, max - bytes);
      if (bytes > max) break;
    }
    return bytes;
  }
  for (const [name, field] of Object.entries(value)) {
    bytes += name.length + valueBytes(field, max - bytes);
    if (bytes > max) break;
  }
  return bytes;
}

/** Levels of an event above its records. */
const EVENT_LEVELS = 5;

/** The same of an event, in steps: what is below `levels` is a record at most, and counted at once. */
export function* valueBytesSteps(
  value: unknown,
  max: number,
  meter: WorkMeter,
  levels = EVENT_LEVELS,
): WorkSteps<number> {
  if (levels === 0 || typeof value !== 'object' || value === null) {
    const bytes = valueBytes(value, max);
    if (meter.spend(bytes)) yield meter.take();
    return bytes;
  }
  let bytes = SCALAR_BYTES;
  if (Array.isArray(value)) {
    for (const element of value) {
      bytes += yield* valueBytesSteps(element, max - bytes, meter, levels - 1);
      if (bytes > max) break;
    }
    return bytes;
  }
  // Names alone: to list the fields of a record of 20,000 takes ten milliseconds.
  for (const name of Object.keys(value)) {
    const field: unknown = Reflect.get(value, name);
    bytes += name.length + (yield* valueBytesSteps(field, max - bytes, meter, levels - 1));
    if (bytes > max) break;
  }
  return bytes;
}
