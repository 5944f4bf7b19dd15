/**
 * Approximate length of the JSON of a value, computed without making the JSON. It bounds memory and the size of steps.
 * A number or a literal counts as 8 characters, and an escaped character as one.
 */
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';

const SCALAR_LENGTH = 8;
const QUOTES_LENGTH = 2;
const BRACKETS_LENGTH = 2;
const COMMA_LENGTH = 1;
/** Quotes, colon and comma. */
const FIELD_LENGTH = 4;
/** How many levels an event, a change or a configuration has above its records. */
const LEVELS = 5;

/** Stops counting soon after `max`, so that a large value costs no more than a small bound. */
export function jsonLength(value: unknown, max: number): number {
  if (typeof value === 'string') return value.length + QUOTES_LENGTH;
  if (typeof value !== 'object' || value === null) return SCALAR_LENGTH;
  let length = BRACKETS_LENGTH;
  if (Array.isArray(value)) {
    for (const element of value) {
      length += COMMA_LENGTH + jsonLength(element, max - length);
      if (length > max) break;
    }
    return length;
  }
  // `for in` avoids a list of the field names, which would take most of the time. Plain data inherits no fields.
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) {
    length += name.length + FIELD_LENGTH + jsonLength(fields[name], max - length);
    if (length > max) break;
  }
  return length;
}

/** As `jsonLength`, in steps: a value below `levels` is at most a record, and is counted in one step. */
export function* jsonLengthSteps(
  value: unknown,
  max: number,
  shouldYield: ShouldYield,
  levels = LEVELS,
): WorkSteps<number> {
  if (levels === 0 || typeof value !== 'object' || value === null) {
    const length = jsonLength(value, max);
    if (shouldYield()) yield;
    return length;
  }
  let length = BRACKETS_LENGTH;
  if (Array.isArray(value)) {
    for (const element of value) {
      length += COMMA_LENGTH + (yield* jsonLengthSteps(element, max - length, shouldYield, levels - 1));
      if (length > max) break;
    }
    return length;
  }
  // List only the names: listing the entries of a record with 20,000 fields takes ten milliseconds.
  for (const name of Object.keys(value)) {
    const field: unknown = Reflect.get(value, name);
    length +=
      name.length + FIELD_LENGTH + (yield* jsonLengthSteps(field, max - length, shouldYield, levels - 1));
    if (length > max) break;
  }
  return length;
}
