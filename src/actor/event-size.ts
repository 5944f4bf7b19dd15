/** How much an event weighs in the log, counted beside other work. */
import type { ShopEvent } from '../domain/shop-event.ts';
import { valueBytes } from '../domain/value-size.ts';
import type { WorkMeter, WorkSteps } from '../runtime/work-steps.ts';

/** What a pair of brackets counts for. */
const SCALAR_BYTES = 8;
/** Levels of an event above its records. */
const EVENT_LEVELS = 5;

/** Events of more bytes are counted and written in steps. */
const SMALL_BYTES = 8_192;

/** True for an event whose JSON is made in a few microseconds. */
export const isSmallEvent = (event: ShopEvent): boolean => valueBytes(event, SMALL_BYTES) <= SMALL_BYTES;

/** `valueBytes` of an event, in steps: what is below `levels` is a record at most, and counted at once. */
export function* eventBytesSteps(
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
      bytes += yield* eventBytesSteps(element, max - bytes, meter, levels - 1);
      if (bytes > max) break;
    }
    return bytes;
  }
  // Names alone: to list the fields of a record of 20,000 takes ten milliseconds.
  for (const name of Object.keys(value)) {
    const field: unknown = Reflect.get(value, name);
    bytes += name.length + (yield* eventBytesSteps(field, max - bytes, meter, levels - 1));
    if (bytes > max) break;
  }
  return bytes;
}
